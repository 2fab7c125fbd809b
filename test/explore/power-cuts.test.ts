import fc from 'fast-check';
import { expect, test } from 'vitest';
import { enumerate } from '../../src/check/decide.js';
import { askedAlways } from '../../src/explore/asked.js';
import { machineOf } from '../../src/explore/prepare.js';
import { explore } from '../../src/explore/search.js';
import { allSubjects } from '../../src/program/subjects.js';
import { modelOf, newSolver } from '../support/checker.js';
import { testUnder } from '../support/explored.js';
import { litmus } from '../support/litmus.js';
import { cases, few } from '../support/random.js';

/**
 * What a power cut leaves, by axioms and by machines: the memories that `cut` finds are those of the states that the machine of the
 * model reaches. All programs here run to their end from any state.
 */

const list = (instructions: readonly string[], minLength: number, maxLength: number) =>
  fc
    .array(fc.constantFrom(...instructions), { minLength, maxLength })
    .map((chosen) => chosen.join('; '));

/** Each poll has an operation before it. */
const far = list(
  [
    ...['x^2.a := 1', 'y^2.a := f', 'y^2.b := 3', 'f := 1', 'f := x^2.a', 'rfence(2.a)'],
    ...['x^2.a := 4; poll(2.a)', 'g := y^2.b; poll(2.b)', 'g := rfaa(x^2.b, 2); poll(2.b)'],
  ],
  1,
  3,
);
const near = list(['x := 5', 'y := 6', 'f^1 := x', 'y := x', 'mfence'], 1, 2);

const CUTS = `thread C on 1 { r := cut(f) }
  thread D on 2 { s := cut(x); t := cut(y) }`;

const textOf = (one: string, two: string, more: string): string =>
  `RDMA t node 1 { f = 0 } node 2 { x = 0; y = 0 }
  thread T1 on 1 { ${one} }
  thread T2 on 2 { ${two} }
  ${more}`;

/** The values of f, x and y in all states that the machine reaches. */
function memoriesReached(text: string, model: string): readonly string[] {
  const { program } = testUnder(litmus(text), model);
  const subjects = program.locations.map(
    (_, location) => ({ kind: 'location', location }) as const,
  );
  const asked = { ...askedAlways(subjects), reduces: false, resting: false, room: 8 };
  const machine = machineOf(program, modelOf(model), asked);
  if ('message' in machine) throw new Error(machine.message);
  const at = ['f', 'x', 'y'].map((name) => program.locations.findIndex((l) => l.name === name));
  const found = new Set<string>();
  const state = (s: Int32Array): boolean => {
    found.add(at.map((l) => s[machine.layout.memory + l]).join(' '));
    return false;
  };
  explore(machine, { state }, false, { states: 200_000 });
  return [...found].sort();
}

/** The values that cuts find. */
function memoriesCut(text: string, model: string): readonly string[] {
  const asked = testUnder(litmus(text), model);
  const { states } = enumerate(asked, modelOf(model), newSolver, allSubjects(asked.program));
  return [...new Set(states.map((s) => [s['r'], s['s'], s['t']].join(' ')))].sort();
}

test('memories that a power cut leaves are those that the machine reaches', () => {
  const programs = fc.tuple(far, near, fc.constantFrom('rdma-tso', 'rdma-ro', 'rdma-manpage'));
  let several = 0;
  fc.assert(
    fc.property(programs, ([one, two, model]) => {
      const reached = memoriesReached(textOf(one, two, ''), model);
      expect(memoriesCut(textOf(one, two, CUTS), model)).toEqual(reached);
      if (reached.length > 2) several += 1;
    }),
    { numRuns: cases(300), seed: 3 },
  );
  expect(several).toBeGreaterThan(few(150));
});
