import { describe, expect, test } from 'vitest';
import { enumerate } from '../../src/check/decide.js';
import { quietLoops } from '../../src/check/quiet-loops.js';
import { modelFor } from '../../src/program/occasions.js';
import { observedSubjects } from '../../src/program/subjects.js';
import { adapted, modelOf, newSolver } from '../support/checker.js';
import { litmus } from '../support/litmus.js';

/**
 * Loops of CPUs that try an atomic, or look and fence, again and again: their last iteration stands for all, also without libraries
 * (those are in quiet-loops.test.ts).
 */

/** The beginning of a loop, its condition and its body. */
type Case = readonly [before: string, condition: string, body: string];

const QUIET: Readonly<Record<string, Case>> = {
  'a CAS': ['f := 1', 'f != 0', 'f := CAS(l, 0, 1)'],
  'a CAS by another name': ['f := 1', 'f != 0', 'g := CAS(l, 0, 1); f := g'],
  'a CAS after a look': ['f := 1', 'f != 0', 'g := x; f := CAS(l, 0, 1)'],
  'a CAS after a fence': ['f := 1', 'f != 0', 'mfence; f := CAS(l, 0, 1)'],
  'a look and a fence': ['f := 0', 'f = 0', 'f := y; mfence'],
};

const loop = ([before, condition, body]: Case): string =>
  `${before}; while (${condition}) { ${body} }`;

const unrolled = ([before, condition, body]: Case, times: number): string => {
  const turn = (left: number): string =>
    left === 0 ? `assume(!(${condition}))` : `if (${condition}) { ${body}; ${turn(left - 1)} }`;
  return `${before}; ${turn(times)}`;
};

const AROUND: Readonly<Record<string, (code: string) => string>> = {
  'somebody who does the same': (code) => `
    thread T1 on 1 { y := 1; ${code}; a := x; x := a + 1; l := 0 }
    thread T2 on 1 { ${code}; b := x; x := b + 1; l := 0; y := 2 }`,
  'somebody who writes': (code) => `
    thread T1 on 1 { z := 1; ${code}; a := x }
    thread T2 on 1 { l := 1; x := 1; y := 1; l := 0; b := z }`,
  'a NIC that writes': (code) => `
    thread T1 on 1 { z := 1; ${code}; a := x }
    thread T2 on 2 { l^1 := u; x^1 := u; y^1 := u; l^1 := v; b := 0 }`,
};

function statesOf(threads: string, name: string) {
  const model = modelOf(name);
  const text = `RDMA t node 1 { x = 0; y = 0; z = 0; l = 0 } node 2 { u = 1; v = 0 } ${threads} locations [a; b; x]`;
  const one = adapted(litmus(text), model);
  const found = enumerate(one, model, newSolver, observedSubjects(one), 3);
  expect(found.incomplete).toBeUndefined();
  return {
    states: found.states.map((state) => JSON.stringify(state)),
    upTo: found.upTo,
    quiet: quietLoops(one.program, modelFor(one.program, model)),
  };
}

describe.each(['rdma-tso', 'rdma-ro'])('%s', (model) => {
  describe.each(Object.entries(QUIET))('%s', (_, one) => {
    test.each(Object.entries(AROUND))('beside %s', (where, around) => {
      const { states, upTo, quiet } = statesOf(around(loop(one)), model);
      expect(quiet).toEqual(where.endsWith('the same') ? [0, 1] : [0]);
      expect(upTo).toBeUndefined();
      expect(states.length).toBeGreaterThan(0);
      for (const times of [1, 2]) {
        expect(statesOf(around(unrolled(one, times)), model).states).toEqual(states);
      }
    });
  });
});

test('on Arm, looks and fences need no bound, and tries do', () => {
  const around = AROUND['somebody who writes'];
  const quiet = Object.entries(QUIET).flatMap(([name, one]) =>
    statesOf(around(loop(one)), 'rdma-tso+arm').upTo === undefined ? [name] : [],
  );
  expect(quiet).toEqual(['a look and a fence']);
});

/** By one iteration these may have other states than by two; or it takes more to be sure that they do not. */
test.each<[string, Case]>([
  ['an exchange, which always writes', ['f := 1', 'f != 0', 'f := xchg(l, 1)']],
  ['a CAS whose success is not enough', ['f := 0', 'f != 1', 'f := CAS(l, 0, 1)']],
  ['tries that are counted', ['f := 1; g := 0', 'f != 0', 'f := CAS(l, 0, 1); g := g + 1']],
  ['a write', ['f := 1', 'f != 0', 'z := 1; f := CAS(l, 0, 1)']],
  ['a put', ['f := 1', 'f != 0', 'u^2 := z; f := CAS(l, 0, 1)']],
  ['a put and its completion', ['f := 1', 'f != 0', 'u^2 := z; poll(2); f := CAS(l, 0, 1)']],
  ['a condition over memory', ['f := 1', 'l != 1', 'f := CAS(l, 0, 1)']],
])('not %s', (_, one) => {
  const { quiet } = statesOf(
    `thread T1 on 1 { ${loop(one)}; a := x } thread T2 on 1 { l := 1; b := 0 }`,
    'rdma-tso',
  );
  expect(quiet).toEqual([]);
});
