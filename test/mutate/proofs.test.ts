import { expect, test } from 'vitest';
import { mutantsOfFile, runProofMutants } from '../../mutate/code/index.js';
import { ALL } from '../support/random.js';

/** Steps of events that need not be there count as sure; a read does not read that with which an assumption holds, either. */
const MISTAKES = [
  ['src/encode/bounds/product.ts', /^'along\.must\.words\[at\] & last\.must\.words\[w\] & always/],
  ['src/encode/bounds/assumed.ts', /→ '\(found\.size === 1\)'$/],
] as const;

test('what a mistake wrongly rules out has no proof as a tree, and none in clauses that is accepted', async () => {
  const mistakes = ALL ? MISTAKES : MISTAKES.slice(0, 1);
  const results = await runProofMutants({
    mutants: mistakes.flatMap(([file, what]) =>
      mutantsOfFile(file).filter((mutant) => what.test(mutant.what)),
    ),
    corpus: 'corpus',
    parallel: 1,
    report: () => {},
  });
  expect(results).toHaveLength(mistakes.length);
  for (const { wrong, without, refused, proved, unheard } of results) {
    expect(wrong.length).toBeGreaterThan(0);
    expect([...without]).toEqual([
      ['tree: a case is left that is an execution as it is asked for', wrong.length],
    ]);
    expect([...refused.values()].reduce((a, b) => a + b)).toBe(wrong.length);
    expect([proved, unheard]).toEqual([[], 0]);
  }
}, 300_000);
