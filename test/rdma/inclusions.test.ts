import fc from 'fast-check';
import { expect, test } from 'vitest';
import { REMOTE_ATOMICS } from '../../src/rdma/instructions.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import { allStates } from '../support/checker.js';
import { litmus } from '../support/litmus.js';

/** Models among each other: whatever a stronger one allows, a weaker one allows, too. */

const drawn = fc
  .sample(programs({ threads: 2, instructions: 3, branches: false, atomics: true }), {
    seed: 29,
    numRuns: 100,
  })
  .map((source) => litmus(inBlocks(source)))
  .filter(({ program }) =>
    program.threads.some((t) =>
      t.body.some((i) => i.kind === 'call' && REMOTE_ATOMICS.includes(i.operation)),
    ),
  );

const states = drawn.map((t) => {
  const known = new Map<string, readonly string[]>();
  return (model: string): readonly string[] => {
    if (!known.has(model)) known.set(model, allStates(t, model));
    return known.get(model)!;
  };
});

test.each([
  ['sc', 'rdma-sc'],
  ['rdma-sc', 'rdma-tso'],
  ['rdma-tso', 'rdma-tso-nopcie'],
  ['rdma-tso', 'rdma-inline'],
  ['rdma-inline', 'rdma-tso-nopcie'],
  ['rdma-tso-glob', 'rdma-tso'],
  ['rdma-tso-late', 'rdma-tso'],
  ['rdma-tso-getfirst', 'rdma-tso'],
  ['rdma-tso', 'rdma-tso-loclock'],
  ['rdma-tso', 'rdma-tso-out'],
])('%s allows nothing that %s does not', (stronger, weaker) => {
  expect(drawn.length).toBeGreaterThan(40);
  for (const of of states) expect(of(weaker)).toEqual(expect.arrayContaining([...of(stronger)]));
});
