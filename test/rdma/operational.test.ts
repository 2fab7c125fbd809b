import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { enumerate } from '../../src/check/decide.js';
import { parseLitmus } from '../../src/index.js';
import type { Hardware, OperationalOutcomes } from '../../src/rdma/machines/index.js';
import { OPERATIONAL_MODELS, exploreOutcomes } from '../../src/rdma/machines/index.js';
import type { Program, Test } from '../../src/program/program.js';
import { unrollingFor } from '../../src/check/structure.js';
import { unroll } from '../../src/program/events/unroll.js';
import { allSubjects } from '../../src/program/subjects.js';
import { adapt } from '../../src/rdma/translate.js';
import { adapted, modelOf, newSolver } from '../support/checker.js';
import { ENDING_FILES } from '../support/corpus.js';
import { litmus, two, valueOf } from '../support/litmus.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';

/**
 * The operational engine compared with the solver, which shares only parsing and the resolved program with it, and
 * the machines compared with each other.
 */

/** The others differ in remote atomics alone. */
const MODELS = [...OPERATIONAL_MODELS].filter(([, { atomics }]) => atomics === undefined);

const corpus: readonly Test[] = ENDING_FILES.map(({ file, text }) =>
  valueOf(parseLitmus(text, file)),
);

/** The program with polls in the place of waits; undefined where this is not possible. */
function withPolls({ program }: Test): Program | undefined {
  const adapted = adapt(program, modelOf('rdma-tso'));
  return adapted.ok ? adapted.value.program : undefined;
}

/** Tests of single cells, which have the machines' final states in test/mutate/cells.test.ts. */
const isCell = ({ file }: Test): boolean => file.startsWith('cells/');

const runnable = corpus.flatMap((t) => {
  const program = withPolls(t);
  return program === undefined ? [] : [{ ...t, program }];
});

const random = (shape: Parameters<typeof programs>[0], numRuns: number): readonly Test[] =>
  fc.sample(programs(shape), { seed: 19, numRuns }).map((source) => litmus(inBlocks(source)));

const explored = new WeakMap<Program, Map<string, OperationalOutcomes>>();

/** All final states of a program on a machine, explored once for all tests that ask for them. */
function explore(program: Program, hardware: Hardware): OperationalOutcomes {
  const known = explored.get(program) ?? new Map<string, OperationalOutcomes>();
  explored.set(program, known);
  const key = JSON.stringify(hardware);
  const found = known.get(key) ?? exploreOutcomes(program, hardware);
  known.set(key, found);
  return found;
}

const statesOf = ({ states, incomplete }: OperationalOutcomes) => incomplete ?? states;

/** Both engines on one program: the same states in the same order, and the same reservations. */
function expectAgreement(t: Test, model: string, hardware: Hardware): void {
  const found = explore(t.program, hardware);
  const solved = enumerate(t, modelOf(model), newSolver, allSubjects(t.program));
  expect(found.states).toEqual(solved.states);
  expect(found.incomplete).toBe(solved.incomplete);
  // The solver asks whether a run can get beyond the bound whatever it reads. Machines also have one for loops that only read.
  const { shortened } = unroll(t.program, undefined, unrollingFor(t.program, modelOf(model)));
  if (found.upTo !== undefined && !shortened) expect(solved.upTo).toBe(found.upTo);
}

/** Loops, which random programs do not have, and what they rarely do. */
const HAND_WRITTEN = [
  `thread T1 on 1 { loop bound 2 { z^2 := x; x := x + 1 } poll(2); x := 7 }
   thread T2 on 2 { a := z; b := z }`,
  `thread T1 on 1 { a := 0; loop { a := a + 1; choose { x := a } or { y := a; loop bound 1 { a := a + 2 } } } }`,
  `thread T1 on 1 { x := 1; z^2 := x } thread T2 on 2 { w := 1; while (z = 0) bound 2 { w := w + 1 } y^1 := w }`,
  // Loops that only read: the machine runs them, and the solver has their last iteration alone.
  `thread T1 on 1 { x := 1; while (y = 0) bound 2 { skip } a := x }
   thread T2 on 1 { b := 0; while (b = 0) { b := x } x := 2; y := b }`,
  `thread T1 on 1 { z^2 := 1; w^2 := 2 } thread T2 on 2 { a := w; while (a != 2) bound 2 { a := w } b := z }
   thread T3 on 2 { loop bound 2 { a := z; if (a) { b := w } else { b := 5 } } }`,
  `thread T1 on 1 { x := 1; while (y = 0) bound 1 { if (x = 2) { a := x } else { a := y } } z^2 := a }
   thread T2 on 1 { y := 1; x := 2; while (x = 2) { loop { b := x } } }`,
  `thread T1 on 1 { a := 1; while (a != 0) { a := CAS(x, 0, 1) } b := y; y := b + 1; x := 0 }
   thread T2 on 1 { a := 1; while (a != 0) { a := CAS(x, 0, 1) } b := y; y := b + 1; x := 0 }`,
  `thread T1 on 1 { y := CAS(x, 0, 1); z^2 := y; if (x + y > 1) { rfence(2) } else { poll(2) } x := w^2 }
   thread T2 on 2 { w := CAS(z, 0, 2); x^1 := w; z := CAS(w, 0, 3) }`,
  // The last put reads before the put before it is delivered, and the get between the two.
  `thread T1 on 1 { a := z^2; z^2 := 5; w^2 := x } thread T2 on 1 { x := 1 }
   thread T3 on 2 { p := x^1; poll(1); z := p }`,
  // Of two pending writes to a location, a read finds the youngest.
  `thread T1 on 1 { x := 1; x := 2; a := x }`,
  `thread T1 on 1 { z^2 := 1; z^2 := 2; x := z^2 }`,
  `thread T1 on 1 { x := z^2; x := w^2; rfence(2); z^2 := x } thread T2 on 2 { w := 1 }`,
  // Queue pairs with names are different ones: for fences, for polls, and for what is pending.
  `thread T1 on 1 { z^2.a := 1; w^2.b := 1; poll(2.a); w^2 := 2 } thread T2 on 2 { a := w; b := z }`,
  `thread T1 on 1 { z^2.a := 1; rfence(2.b); x := z^2.a; y := z^2.b }`,
  // Operations on the own node. Remote reads see pending remote writes, and local reads pending local ones.
  `thread T1 on 1 { x := y^1; a := x^1; rfence(1); y^1 := 5 } thread T2 on 1 { c := y; d := x }`,
  `thread T1 on 1 { x^1 := 6; rfence(1); y^1 := x }`,
  `thread T1 on 1 { x := 1; y^1 := x; a := y; p := y^1; b := p }`,
].map((threads) => litmus(two(threads)));

describe.each(MODELS)('final states under %s are those of the solver', (model, hardware) => {
  test('on the corpus', () => {
    for (const t of runnable) if (!isCell(t)) expectAgreement(t, model, hardware);
    // The waits of the others have no translation to polls.
    expect(runnable.length).toBeGreaterThanOrEqual(corpus.length - 12);
  });

  test('on programs written by hand', () => {
    for (const t of HAND_WRITTEN) expectAgreement(t, model, hardware);
  });

  test('on random programs', () => {
    for (const t of random({ instructions: 3 }, 50)) expectAgreement(t, model, hardware);
    const others = { instructions: 3, threads: 2, queuePairs: true, loopBack: true };
    for (const t of random(others, 30)) expectAgreement(t, model, hardware);
  });
});

describe.each([...OPERATIONAL_MODELS])('with atomics, those under %s too', (model, hardware) => {
  test('on random programs', () => {
    const shape = { instructions: 3, threads: 2, branches: false, atomics: true };
    const others = { ...shape, queuePairs: true, loopBack: true };
    for (const t of [...random(shape, 20), ...random(others, 10)]) {
      expectAgreement(adapted(t, modelOf(model)), model, hardware);
    }
  });
});

describe('the same final states', () => {
  /** Those with fewer states first; three of them are those of the models without a variant. */
  const machines = [false, true].flatMap((storeBuffers) =>
    [true, false].map((pcie): Hardware => ({ storeBuffers, pcie, queuePairs: 'simplified' })),
  );
  const small = [
    ...runnable.filter((t) => !isCell(t)),
    ...random({ threads: 2, instructions: 3 }, 30),
  ];

  test('of simplified and of concrete queue pairs (TSO paper, Theorem 3.1)', () => {
    for (const { program } of small) {
      for (const simplified of machines) {
        const concrete: Hardware = { ...simplified, queuePairs: 'six-buffers' };
        expect(statesOf(explore(program, concrete))).toEqual(
          statesOf(explore(program, simplified)),
        );
      }
    }
  });

  test.each(['simplified', 'six-buffers'] as const)('with and without reduction: %s', (kind) => {
    let compared = 0;
    for (const { program } of small) {
      for (const machine of machines) {
        const hardware = { ...machine, queuePairs: kind };
        const all = exploreOutcomes(program, hardware, { reduce: false, stateLimit: 400 });
        // Where more can be delayed, there are even more states.
        if (all.incomplete !== undefined) break;
        compared++;
        expect(statesOf(explore(program, hardware))).toEqual(all.states);
      }
    }
    expect(compared).toBeGreaterThan(100);
  });
});
