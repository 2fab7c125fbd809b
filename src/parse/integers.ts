import type { BinaryOperator, UnaryOperator } from './litmus-ast.js';

/**
 * Applies an operator to integers, as docs/litmus.md defines it: comparisons and logic give 1 or 0, division truncates.
 * The result is undefined if an operand is, for division by zero, and for a result beyond 2^53, where doubles are no
 * longer exact.
 */
export function applyBinary(
  op: BinaryOperator,
  a: number | undefined,
  b: number | undefined,
): number | undefined {
  if (a === undefined || b === undefined) return undefined;
  const value = binary(op, a, b);
  return value !== undefined && Number.isSafeInteger(value) ? value + 0 : undefined;
}

/** Why a verdict is `unknown`, if a value may not be exact. */
export const BEYOND_EXACT = 'a value can leave the integers that are exact (2^53)';

/** Is division by zero the reason why an operator has no value? Otherwise its result is not exact. */
export const isDivisionByZero = (op: BinaryOperator, b: number): boolean =>
  b === 0 && isDivision(op);

/** Has an operator no value where its right operand is 0? */
export const isDivision = (op: BinaryOperator): boolean => op === '/' || op === '%';

function binary(op: BinaryOperator, a: number, b: number): number | undefined {
  switch (op) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return b === 0 ? undefined : Math.trunc(a / b);
    case '%':
      return b === 0 ? undefined : a % b;
    case '=':
      return Number(a === b);
    case '!=':
      return Number(a !== b);
    case '<':
      return Number(a < b);
    case '<=':
      return Number(a <= b);
    case '>':
      return Number(a > b);
    case '>=':
      return Number(a >= b);
    case '&&':
      return Number(a !== 0 && b !== 0);
    case '||':
      return Number(a !== 0 || b !== 0);
  }
}

export function applyUnary(op: UnaryOperator, a: number): number;
export function applyUnary(op: UnaryOperator, a: number | undefined): number | undefined;
export function applyUnary(op: UnaryOperator, a: number | undefined): number | undefined {
  if (a === undefined) return undefined;
  return op === '-' ? 0 - a : Number(a === 0);
}
