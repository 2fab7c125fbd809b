import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../support/run.js';
import { litmus, verdicts } from '../support/checker.js';

const FOLDER = join(ROOT, 'corpus/fabrics');

/** The verdicts in these files are from readings of documents (docs/fabrics.md); where a reading says nothing of one, three engines agree on it. */
describe.each(readdirSync(FOLDER))('%s', (file) => {
  const given = readFileSync(join(FOLDER, file), 'utf8');
  const text = given.replace(/^ +computed .*$/gm, '');
  const [, ...asked] = given.split(/^exists /m);
  const cases = asked.flatMap((query, number) =>
    [...query.matchAll(/computed (\w+) under ([\w, -]+)$/gm)].flatMap(([, verdict, models]) =>
      models.split(', ').map((model) => [number, model, verdict] as const),
    ),
  );

  test('asks questions, each with verdicts', () => {
    expect(litmus(text).queries).toHaveLength(asked.length);
    for (const number of asked.keys()) expect(cases.map(([of]) => of)).toContain(number);
  });

  test.each(cases)('question %i under %s: %s', (number, model, verdict) => {
    expect(verdicts(text, model)[number]).toBe(verdict);
  });
});
