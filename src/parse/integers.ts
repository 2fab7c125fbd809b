import type { BinaryOperator, UnaryOperator } from './litmus-ast.js';

/**
 * Applies an operator to integers, as docs/litmus.md defines it: comparisons and logic give 1 or
 * 0, division truncates. Undefined where there is no value: division by zero, or a result beyond
 * the integers that are exact.
 */
export function applyBinary(op: BinaryOperator, a: number, b: number): number | undefined {
  const value = binary(op, a, b);
  return value !== undefined && Number.isSafeInteger(value) ? value + 0 : undefined;
}

/** The reason of an `unknown` where a number may not be exact. */
export const BEYOND_EXACT = 'a value can leave the integers that are exact (2^53)';

/** Tells why an operator has no value: division by zero, or else a result that is not exact. */
export const isDivisionByZero = (op: BinaryOperator, b: number): boolean =>
  b === 0 && (op === '/' || op === '%');

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

export function applyUnary(op: UnaryOperator, a: number): number {
  return op === '-' ? 0 - a : Number(a === 0);
}
