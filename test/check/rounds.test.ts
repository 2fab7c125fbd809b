import { describe, expect, test } from 'vitest';
import { decideInStages } from '../../src/check/stages.js';
import { UNSETTLED } from '../../src/check/settled.js';
import { violating } from '../../src/analyses/robust/violating.js';
import { withoutTableEntries } from '../../src/model/table-entries.js';
import { structureFor } from '../../src/check/structure.js';
import type { Engine } from '../../src/rdma/engines.js';
import { stagesOf } from '../../src/rdma/engines.js';
import type { Model } from '../../src/model/term.js';
import { adapted, cat, litmus, newSolver } from '../support/checker.js';

/** Groups that are not monotone are computed in eight rounds: executions that need more have no verdict. */

/** From a read of what another thread wrote, a path goes one event further with each round. */
const FAR = cat(`include "herd.cat"
let step = po \\ (po ; po)
let found = [range(rf \\ (IW * _))]
let rec far = far | ((found ; step) \\ (far ; step)) | far ; step
acyclic far | rf | co | fr | po as sc
irreflexive far as other
`);

async function asked(model: Model, engine: Engine, text: string): Promise<readonly string[]> {
  const own = adapted(litmus(text), model);
  const queries = [...own.queries.keys()];
  const means = { timeLimit: Infinity, solver: async () => newSolver, started: () => {} };
  const questions = { tests: [own], models: [model], queries };
  const [answers] = await decideInStages(stagesOf(engine), questions, means);
  return answers.map(({ verdict, reason }) => (verdict === 'unknown' ? reason! : verdict));
}

/** A thread that reads first into `a` and last into `b`, with some reads between. */
const reading = (between: number, queries: string): string =>
  `RDMA t node 1 { x = 0; y = 0 } thread A on 1 { a := x; ${'c := y; '.repeat(between)}b := x }
   thread B on 1 { x := 1 } ${queries}`;

const ASKED = `exists (a = 0 /\\ b = 1) exists (a = 1) exists (a = 1 /\\ b = 0) exists (a = 2)
  forall (a = 0) forall (a = 0 \\/ b = 1)`;

describe.each(['smt', 'enumerate', 'native'] as const)('%s', (engine) => {
  test('few rounds are enough', async () => {
    const verdicts = ['allowed', 'allowed', 'forbidden', 'forbidden', 'fails', 'holds'];
    expect(await asked(FAR, engine, reading(2, ASKED))).toEqual(verdicts);
  });

  test('executions that need more rounds have no verdict, and what none of them shows has one', async () => {
    const verdicts = ['allowed', UNSETTLED, UNSETTLED, 'forbidden', UNSETTLED, UNSETTLED];
    expect(await asked(FAR, engine, reading(12, ASKED))).toEqual(verdicts);
  });

  test('what does not hang on the group is known of all executions', async () => {
    const model: Model = cat(`include "herd.cat"
      let step = po \\ (po ; po)
      let found = [range(rf \\ (IW * _))]
      acyclic rf | co | fr | po as sc
      let rec far = far | ((found ; step) \\ (far ; step)) | far ; step
      empty far & rf as other`);
    const verdicts = ['allowed', UNSETTLED, 'forbidden', 'forbidden', UNSETTLED, 'holds'];
    expect(await asked(model, engine, reading(12, ASKED))).toEqual(verdicts);
  });
});

test('models that are made of such a model are not computed to their end, either', () => {
  const plain = cat('include "herd.cat"\nacyclic rf as plain');
  const [{ model: joined }] = violating(plain, FAR);
  const smaller = withoutTableEntries(FAR, []);
  const own = adapted(litmus(reading(12, 'exists (a = 1)')), FAR);
  for (const model of [joined, smaller])
    expect(structureFor(own.program, model)).toEqual({ reason: UNSETTLED });
});
