import { expect, test } from 'vitest';
import type { Value } from '../../src/program/events/structure.js';
import { constantOn } from '../../src/program/events/ways.js';

/** What is constant on one way through a thread. */

const values: readonly Value[] = [
  { op: 'read', event: 0 },
  { op: 'const', value: 5 },
  { op: 'const', value: 0 },
  { op: 'select', condition: 0, then: 1, else: 2 },
  { op: 'select', condition: 2, then: 0, else: 1 },
  { op: 'binary', fn: '-', left: 1, right: 3 },
  { op: 'unary', fn: '-', arg: 5 },
];
const all = values.map((_, id) => id);

test('is a number where branches and constants decide', () => {
  const on = (way: boolean) => all.map(constantOn({ values, taken: new Map([[0, way]]) }));
  expect(on(true)).toEqual([undefined, 5, 0, 5, 5, 0, 0]);
  expect(on(false)).toEqual([undefined, 5, 0, 0, 5, 5, -5]);
});

test('is open where nothing decides, but for what is known besides', () => {
  const taken = new Map<number, boolean>();
  expect(all.map(constantOn({ values, taken }))).toEqual([
    ...[undefined, 5, 0, undefined, 5, undefined, undefined],
  ]);
  const known = constantOn({ values, taken }, (_, value) => (value.op === 'read' ? 3 : undefined));
  expect(all.map(known)).toEqual([3, 5, 0, 5, 5, 0, 0]);
});
