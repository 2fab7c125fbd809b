import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyBinary, applyUnary, isDivisionByZero } from '../../src/parse/integers.js';
import type { BinaryOperator } from '../../src/parse/litmus-ast.js';

/** Operators on integers, as docs/litmus.md defines them. */

type Row = readonly [op: BinaryOperator, a: number, b: number, value: number | undefined];

test.each<Row>([
  ['+', 2, -5, -3],
  ['-', 2, 5, -3],
  ['*', -2, 5, -10],
  ['/', 7, 2, 3],
  ['/', -7, 2, -3],
  ['/', 7, 1, 7],
  ['/', 7, 0, undefined],
  ['%', 7, 4, 3],
  ['%', -7, 4, -3],
  ['%', 7, 1, 0],
  ['%', 7, 0, undefined],
  ['=', 2, 2, 1],
  ['=', 2, 3, 0],
  ['!=', 2, 2, 0],
  ['!=', 2, 3, 1],
  ['<', 2, 2, 0],
  ['<', 2, 3, 1],
  ['<=', 2, 2, 1],
  ['<=', 3, 2, 0],
  ['>', 2, 2, 0],
  ['>', 3, 2, 1],
  ['>=', 2, 2, 1],
  ['>=', 2, 3, 0],
  ['&&', 2, 3, 1],
  ['&&', 0, 3, 0],
  ['&&', 3, 0, 0],
  ['&&', 1, 1, 1],
  ['||', 0, 3, 1],
  ['||', 3, 0, 1],
  ['||', 0, 0, 0],
  ['||', 0, 1, 1],
  ['||', 1, 0, 1],
])('a %s b, of %i and %i: %s', (op, a, b, value) => {
  expect(applyBinary(op, a, b)).toBe(value);
});

test('what is not exact is no value', () => {
  const exact = fc.maxSafeInteger();
  fc.assert(
    fc.property(exact, exact, (a, b) => {
      const exactly = { '+': BigInt(a) + BigInt(b), '*': BigInt(a) * BigInt(b) };
      for (const op of ['+', '*'] as const) {
        const value = applyBinary(op, a, b);
        const isExact =
          BigInt.asIntN(54, exactly[op]) === exactly[op] && exactly[op] !== -(2n ** 53n);
        expect(value === undefined ? undefined : BigInt(value)).toBe(
          isExact ? exactly[op] : undefined,
        );
      }
    }),
  );
});

test('there is one zero', () => {
  for (const [op, a, b] of [
    ['*', 0, -1],
    ['/', -1, 2],
    ['%', -2, 2],
  ] as const) {
    expect(Object.is(applyBinary(op, a, b), 0), op).toBe(true);
  }
  expect(Object.is(applyUnary('-', 0), 0)).toBe(true);
});

test('one operand', () => {
  expect([applyUnary('-', 5), applyUnary('!', 5), applyUnary('!', 1), applyUnary('!', 0)]).toEqual([
    -5, 0, 0, 1,
  ]);
});

test('why there is no value: division by zero', () => {
  const operators = ['/', '%', '*', '-'] as const;
  expect(operators.map((op) => isDivisionByZero(op, 0))).toEqual([true, true, false, false]);
  expect(operators.some((op) => isDivisionByZero(op, 1))).toBe(false);
});
