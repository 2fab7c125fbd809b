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
  // A model decides all questions of a file at once.
  const expected = new Map<string, Map<number, string>>();
  for (const [number, query] of asked.entries()) {
    for (const [, verdict, models] of query.matchAll(/computed (\w+) under ([\w, -]+)$/gm)) {
      for (const model of models.split(', ')) {
        const known = expected.get(model) ?? new Map<number, string>();
        expected.set(model, known.set(number, verdict));
      }
    }
  }

  test('asks questions, each with verdicts', () => {
    expect(litmus(text).queries).toHaveLength(asked.length);
    const answered = new Set([...expected.values()].flatMap((ofModel) => [...ofModel.keys()]));
    expect(answered).toEqual(new Set(asked.keys()));
  });

  test.each([...expected])('verdicts under %s', (model, ofModel) => {
    const found = verdicts(text, model);
    const named = [...ofModel.keys()].map((number) => [number, found[number]] as const);
    expect(new Map(named)).toEqual(ofModel);
  });
});
