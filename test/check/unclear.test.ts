import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byCandidates } from '../../src/check/by-candidates.js';
import { decideInStages } from '../../src/check/stages.js';
import { UNCLEAR } from '../../src/check/structure.js';
import type { Program } from '../../src/program/program.js';
import { stateKey } from '../../src/program/final.js';
import { allSubjects } from '../../src/program/subjects.js';
import type { Engine } from '../../src/rdma/engines.js';
import { stagesOf } from '../../src/rdma/engines.js';
import type { Model } from '../../src/model/term.js';
import { adapted, cat, litmus, modelOf, newSolver } from '../support/checker.js';
import { armPrograms } from '../support/host-programs.js';
import { cases } from '../support/random.js';

/** Where it is not clear which dependencies there are, the fewest and the most are tried. */

const ARM = 'rdma-tso+arm';
const HEAD = 'RDMA t node 1 { x = 0; y = 0; z = 0; v = 0 }';

async function asked(text: string, engine: Engine, under: string | Model = ARM) {
  const model = modelOf(under);
  const own = adapted(litmus(HEAD + text), model);
  const queries = [...own.queries.keys()];
  const means = { timeLimit: Infinity, solver: async () => newSolver, started: () => {} };
  const [answers] = await decideInStages(
    stagesOf(engine),
    { tests: [own], models: [model], queries },
    means,
  );
  return answers.map(({ verdict, reason }) =>
    reason === undefined ? verdict : { verdict, reason },
  );
}

/** `z` depends on both reads, or on one of them and the branch. */
const EITHER = 'thread A on 1 { a := x; b := y; if (v = 1) { b := a }; z := b }';
/** `z` depends on `x` only where the branch is taken. */
const ONE = 'thread A on 1 { a := x; b := y; c := 1; if (b = 1) { c := a + 1 - a }; z := c }';

test.each([
  [`${EITHER} thread B on 1 { c := z; if (c = 1) { x := 1 } } exists (z = 1)`, ['forbidden']],
  [`${EITHER} thread B on 1 { x := 1; y := 1; v := 1 } exists (z = 1)`, ['allowed']],
  [
    `${ONE} thread B on 1 { d := z; if (d = 1) { x := 1; y := 1 } } exists (a = 1 /\\ z = 1) exists (a = 5)`,
    [
      {
        verdict: 'unknown',
        reason: `${UNCLEAR}: forbidden with this dependency, and allowed without it`,
      },
      'forbidden',
    ],
  ],
])('%s', async (text, expected) => {
  for (const engine of ['smt', 'enumerate', 'operational'] as const)
    expect(await asked(text, engine), engine).toEqual(expected);
});

test.each([
  ['acyclic po-loc | (po & ext) | data as a', ['allowed']],
  ['acyclic po \\ data as a', [{ verdict: 'unknown', reason: UNCLEAR }]],
  ['~empty data as a', [{ verdict: 'unknown', reason: UNCLEAR }]],
])('a model that says `%s`', async (axiom, expected) => {
  const model = cat(`let po-loc = po & loc\n${axiom}`);
  const text = `${EITHER} thread B on 1 { x := 1; y := 1; v := 1 } exists (z = 1)`;
  expect(await asked(text, 'enumerate', model)).toEqual(expected);
});

test('each dependency more takes final states away', () => {
  fc.assert(
    fc.property(armPrograms(), (text) => {
      const own = adapted(litmus(text), modelOf(ARM));
      const states = (dependencies: Program['dependencies']): readonly string[] => {
        const { program } = own;
        const test = { ...own, program: { ...program, dependencies } };
        const limits = { deadline: Infinity };
        return byCandidates
          .outcomes(test, modelOf(ARM), allSubjects(program), false, limits)
          .states.map(stateKey);
      };
      const [none, sure, possible] = [states('none'), states('sure'), states('possible')];
      expect(none).toEqual(expect.arrayContaining([...sure]));
      expect(sure).toEqual(expect.arrayContaining([...possible]));
    }),
    { numRuns: cases(500) },
  );
});
