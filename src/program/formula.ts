import type { BinaryOperator } from '../parse/litmus-ast.js';
import type { ExpressionOver } from './expression.js';
import { binary, int, unary } from './expression.js';

/** Formulas: expressions that are true where they are not 0. They are simplified when they are built. */

export const TRUE_FORMULA: ExpressionOver<never> = int(1);
export const FALSE_FORMULA: ExpressionOver<never> = int(0);

export function and<Name>(...parts: readonly ExpressionOver<Name>[]): ExpressionOver<Name> {
  const open = parts.flatMap((p) => operands('&&', p)).filter((p) => !isTrue(p));
  if (open.some(isFalse)) return FALSE_FORMULA;
  return open.length === 0 ? TRUE_FORMULA : open.reduce((a, b) => binary('&&', a, b));
}

export function or<Name>(...parts: readonly ExpressionOver<Name>[]): ExpressionOver<Name> {
  const open = parts.flatMap((p) => operands('||', p)).filter((p) => !isFalse(p));
  if (open.some(isTrue)) return TRUE_FORMULA;
  return open.length === 0 ? FALSE_FORMULA : open.reduce((a, b) => binary('||', a, b));
}

/** All operands of a chain of one operator. */
const operands = <Name>(
  op: '&&' | '||',
  f: ExpressionOver<Name>,
): readonly ExpressionOver<Name>[] =>
  f.kind === 'binary' && f.op === op ? [...operands(op, f.left), ...operands(op, f.right)] : [f];

/** The negation of a formula that is true or false. */
export function not<Name>(f: ExpressionOver<Name>): ExpressionOver<Name> {
  if (f.kind === 'unary' && f.op === '!') return f.arg;
  if (f.kind !== 'binary') return unary('!', f);
  const opposite = OPPOSITES[f.op];
  if (opposite !== undefined) return binary(opposite, f.left, f.right);
  if (f.op === '&&') return or(not(f.left), not(f.right));
  return f.op === '||' ? and(not(f.left), not(f.right)) : unary('!', f);
}

/** One of two values, by a condition that is 0 or 1. */
export function ifThenElse<Name>(
  condition: ExpressionOver<Name>,
  yes: ExpressionOver<Name>,
  no: ExpressionOver<Name>,
): ExpressionOver<Name> {
  if (condition.kind === 'int') return isTrue(condition) ? yes : no;
  return binary('+', binary('*', condition, yes), binary('*', not(condition), no));
}

const OPPOSITES: Partial<Record<BinaryOperator, BinaryOperator>> = {
  '=': '!=',
  '!=': '=',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
};

export const equals = <Name>(
  a: ExpressionOver<Name>,
  b: ExpressionOver<Name> | number,
): ExpressionOver<Name> => compare('=', a, b);
export const differs = <Name>(
  a: ExpressionOver<Name>,
  b: ExpressionOver<Name> | number,
): ExpressionOver<Name> => compare('!=', a, b);
export const below = <Name>(
  a: ExpressionOver<Name>,
  b: ExpressionOver<Name> | number,
): ExpressionOver<Name> => compare('<', a, b);
export const atLeast = <Name>(
  a: ExpressionOver<Name>,
  b: ExpressionOver<Name> | number,
): ExpressionOver<Name> => compare('>=', a, b);
export const sumOf = <Name>(
  a: ExpressionOver<Name>,
  b: ExpressionOver<Name> | number,
): ExpressionOver<Name> => {
  const right = typeof b === 'number' ? int(b) : b;
  if (right.kind === 'int' && right.value === 0) return a;
  return a.kind === 'int' && a.value === 0 ? right : binary('+', a, right);
};

function compare<Name>(
  op: '=' | '!=' | '<' | '>=',
  a: ExpressionOver<Name>,
  b: ExpressionOver<Name> | number,
): ExpressionOver<Name> {
  return binary(op, a, typeof b === 'number' ? int(b) : b);
}

export const isTrue = <Name>(f: ExpressionOver<Name>): boolean => f.kind === 'int' && f.value !== 0;
export const isFalse = <Name>(f: ExpressionOver<Name>): boolean =>
  f.kind === 'int' && f.value === 0;
