import { expect, test } from 'vitest';
import type { PrintedRepair } from '../../src/analyses/repair/print.js';
import { fix } from '../../src/analyses/repair/fix.js';
import { edited, editsFor } from '../../src/editor/additions.js';
import { DEFAULT_COSTS } from '../../src/rdma/additions.js';
import { litmus, modelsOf, newSolver, verdicts } from '../support/checker.js';

/** Edits that write a repair into a file. Those of additions are tested with the language server. */

function repairOf(text: string, model: string): Extract<PrintedRepair, { kind: 'found' }> {
  const found = fix(
    { test: litmus(text), query: 0, costs: DEFAULT_COSTS },
    {
      models: modelsOf({ models: model }),
      newSolver,
      acyclicity: 'elimination',
      deadline: performance.now() + 20_000,
    },
  );
  if (found.kind !== 'additions' || found.repair.kind !== 'found') throw new Error('no repair');
  return found.repair;
}

test.each([
  ['a tag is added', 'rdma-ro', 'f = 0', 'f = 0 [strict]'],
  ['a tag is taken away', 'rdma-ro-tagged', 'f = 0 [relaxed]', 'f = 0'],
  ['a tag is exchanged, and the rest stays', 'rdma-ro', 'f  =0[relaxed]', 'f  =0 [strict]'],
  ['a family has its tag once', 'rdma-ro', 'f[0..1] = 0; g = 0', 'f[0..1] = 0 [strict]; g = 0'],
])('%s', (_, model, before, after) => {
  const flag = before.startsWith('f[') ? 'f[1]' : 'f';
  const withFlag = (declared: string): string => `RDMA t
node 1 {}
node 2 { x = 0; ${declared} }  # both
thread T1 on 1 { x^2 := 1; ${flag}^2 := 1 }
thread T2 on 2 { a := ${flag}; b := x }
exists (a = 1 /\\ b = 0)
`;
  const text = withFlag(before);
  const repair = repairOf(text, model);
  const written = edited(text, editsFor({ path: 'case.litmus', text }, repair));
  expect(written).toBe(withFlag(after));
  expect(verdicts(written, modelsOf({ models: model })[0])).toEqual(['forbidden']);
});
