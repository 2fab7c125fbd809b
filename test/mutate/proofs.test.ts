import { expect, test } from 'vitest';
import { runProofMutants } from '../../mutate/code/index.js';

test('what a mistake wrongly rules out has no proof as a tree, and none in clauses that is accepted', async () => {
  const results = await runProofMutants({
    corpus: 'corpus',
    parallel: 1,
    only: /^(branches-sure|written-first-assumed)$/,
    report: () => {},
  });
  expect(results).toHaveLength(2);
  for (const { wrong, without, refused, proved, unheard } of results) {
    expect(wrong.length).toBeGreaterThan(0);
    expect([...without]).toEqual([
      ['tree: a case is left that is an execution as it is asked for', wrong.length],
    ]);
    expect([...refused.values()].reduce((a, b) => a + b)).toBe(wrong.length);
    expect([proved, unheard]).toEqual([[], 0]);
  }
}, 300_000);
