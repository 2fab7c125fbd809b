import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lessons } from '../../scripts/lessons.js';
import { ROOT } from '../support/run.js';

/** The pages of lessons, as the playground takes them. Their runs are tests of documents. */

test('ten lessons, in an order that their list has, too, and each leads to the next', () => {
  const names = lessons().map(({ name }) => name);
  expect(names.length).toBe(10);
  const textOf = (name: string) => readFileSync(join(ROOT, `docs/learn/${name}.md`), 'utf8');
  const leads = (text: string) => [...text.matchAll(/\]\((\d\d-[\w-]+)\.md\)/g)].map(([, n]) => n);
  expect(leads(textOf('README'))).toEqual(names);
  expect(names.flatMap((name) => leads(textOf(name)))).toEqual(names.slice(1));
});

test.each(lessons())('$name: what is changed turns the verdict', ({ name, program, changed }) => {
  expect(changed).not.toBe(program);
  const text = readFileSync(join(ROOT, `docs/learn/${name}.md`), 'utf8');
  const verdicts = [...text.matchAll(/^ +(allowed|forbidden)\b/gm)].map(([, verdict]) => verdict);
  expect([...verdicts].sort()).toEqual(['allowed', 'forbidden']);
});
