import { expect, test } from 'vitest';
import { iterationsThatCount } from '../../src/program/events/iterations.js';
import { instructionsOf } from '../../src/program/instructions.js';
import { unroll } from '../../src/program/events/unroll.js';
import { litmus } from '../support/litmus.js';

/** How many iterations stand for any number of them. */

const program = (body: string) =>
  litmus(`RDMA t node 1 { x = 0; y = 5 } node 2 { z = 0 } thread T on 1 { ${body} }`).program;

function count(body: string): 0 | 1 | undefined {
  const { threads, instructions } = program(body);
  const found = [...instructionsOf(threads[0].body)];
  const loop = found.find((i) => i.kind === 'loop');
  return loop && iterationsThatCount(loop, instructions, ['lR', 'lRA']);
}

test.each([
  // The evaluation that ends the loop is enough.
  ['while (x = 0) { skip }', 0],
  ['a := 1; while (a != x) { skip }', 0],
  ['while (x + y < 3) { assume(y = 1) }', 0],
  ['while (x = 0) { if (y = 0) { skip } else { assume(x = 1) } }', 0],
  ['while (x = 0) { while (y = 0) { skip } }', 0],
  ['loop { assume(x = 1) }', 0],
  // The last iteration sets all registers anew.
  ['a := 0; while (a = 0) { a := x }', 1],
  ['a := x; while (a = 0) { a := x }', 1],
  ['while (x = 0) { a := y }', 1],
  ['while (x = 0) { a := y; b := a + 1 }', 1],
  ['while (x = 0) { if (y) { a := 1 } else { a := x } }', 1],
  ['while (x = 0) { choose { a := 1 } or { a := x } or { a := y } }', 1],
  ['c := 7; while (x = 0) { a := c; assume(a != x) }', 1],
  ['loop { a := x; while (a = 0) { a := x } }', 1],
  ['a := 0; while (a = 0) { a := ldar(x) }', 1],
])('%s: %i', (body, expected) => {
  expect(count(body)).toBe(expected);
});

test.each([
  // What an earlier iteration has left is used, or stays.
  'a := 0; while (x = 0) { a := a + 1 }',
  'a := 0; while (x = 0) { b := a; a := y }',
  'a := 0; while (x = 0) { if (y) { a := 1 } }',
  'a := 0; while (x = 0) { if (y) { a := 1 } else { skip } }',
  'a := 0; while (x = 0) { if (y) { skip } else { a := 1 } }',
  'a := 0; b := 0; while (x = 0) { if (y) { a := 1 } else { b := 1 } }',
  'a := 0; while (x = 0) { choose { a := 1 } or { skip } }',
  'a := 0; while (x = 0) { if (a) { skip } a := x }',
  'a := 0; while (x = 0) { assume(a = 0); a := x }',
  'a := 0; while (x = 0) { assume(!a); a := x }',
  'a := 0; while (x = 0) { while (y = 0) { a := 1 } }',
  'a := 0; while (x = 0) { while (a = y) { skip } a := x }',
  'a := 0; while (x = 0) { loop { b := a } a := x; b := x }',
  'a := 0; while (x = 0) { choose { b := a } or { b := x } a := x }',
  'a := 0; while (x = 0) { loop { a := x } b := a; a := y }',
  // Iterations do more than read.
  'while (x = 0) { y := 1 }',
  'while (x = 0) { mfence }',
  'while (x = 0) { a := z^2 }',
  'while (x = 0) { if (y) { poll(2) } }',
  'a := 1; while (a) { a := CAS(x, 0, 1) }',
  // One of them may divide by zero.
  'while (6 / x = 1) { skip }',
  'while (x = 0) { a := y % x }',
  'while (x = 0) { a := -(1 + 6 / y) }',
  'while (x = 0) { if (1 / y) { skip } }',
])('%s: each may count', (body) => {
  expect(count(body)).toBeUndefined();
});

const unrolled = (body: string, lastIteration: boolean) =>
  unroll(program(body), 3, { leavable: lastIteration ? ['lR'] : [] });

test('the last iteration is unrolled, and has to be the last', () => {
  const spin = 'a := x; while (a = 0) { a := x }';
  expect(unrolled(spin, false)).toMatchObject({ shortened: false, constraints: [] });
  expect(unrolled(spin, false).cuts.length).toBe(1);
  const { events, cuts, constraints, shortened } = unrolled(spin, true);
  // The initial write, and two reads.
  expect(events.map(({ label }) => label)).toEqual(['lW', 'lR', 'lR']);
  expect(cuts).toEqual([]);
  expect(constraints.length).toBe(1);
  expect(constraints[0].path).toEqual(events[2].path);
  expect(shortened).toBe(true);
});

test('a loop of its own bound has one iteration, too, and other loops keep theirs', () => {
  const { events, cuts } = unrolled(
    'loop bound 2 { y := 1; while (x = 0) bound 9 { a := x } }',
    true,
  );
  expect(events.filter(({ label }) => label === 'lW').length).toBe(2 + 2);
  expect(events.filter(({ label }) => label === 'lR').length).toBe(2 * 3);
  expect(cuts.length).toBe(1);
});

test('a location that only dropped iterations read has its initial write', () => {
  const { events } = unrolled('while (x = 0) { if (y) { skip } }', true);
  expect(events.map(({ label }) => label)).toEqual(['lW', 'lW', 'lR']);
});
