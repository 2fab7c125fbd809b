import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../support/run.js';
import { litmus, verdicts } from '../support/checker.js';

const FOLDER = join(ROOT, 'corpus/fabrics');

/** The verdicts in these files are from readings of documents (docs/fabrics.md); where a reading says nothing of one, three engines agree on it. */
describe.each(readdirSync(FOLDER))('%s', (file) => {
  const text = readFileSync(join(FOLDER, file), 'utf8').replace(/^ +computed .*$/gm, '');
  const stated = [
    ...readFileSync(join(FOLDER, file), 'utf8').matchAll(/computed (\w+) under ([\w, -]+)$/gm),
  ];
  const cases = stated.flatMap(([, verdict, models]) =>
    models.split(', ').map((model) => [model, verdict] as const),
  );

  test('asks one question', () => {
    expect(litmus(text).queries).toHaveLength(1);
    expect(cases.length).toBeGreaterThan(1);
  });

  test.each(cases)('under %s: %s', (model, verdict) => {
    expect(verdicts(text, model)).toEqual([verdict]);
  });
});
