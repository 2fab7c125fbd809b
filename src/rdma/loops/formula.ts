import type { BinaryOperator } from '../../parse/litmus-ast.js';
import { binary, int, named, unary } from '../../program/expression.js';
import type { Effect, StateFormula, VariableId } from './system.js';

/** Formulas over the variables of a system. They are simplified when they are built. */

export const TRUE_FORMULA: StateFormula = int(1);
export const FALSE_FORMULA: StateFormula = int(0);

export const variable = (id: VariableId): StateFormula => named(id);

export const assignment = (variable: VariableId, value: StateFormula | number): Effect => ({
  variable,
  value: typeof value === 'number' ? int(value) : value,
});

export function and(...parts: readonly StateFormula[]): StateFormula {
  const open = parts.flatMap((p) => operands('&&', p)).filter((p) => !isTrue(p));
  if (open.some(isFalse)) return FALSE_FORMULA;
  return open.length === 0 ? TRUE_FORMULA : open.reduce((a, b) => binary('&&', a, b));
}

export function or(...parts: readonly StateFormula[]): StateFormula {
  const open = parts.flatMap((p) => operands('||', p)).filter((p) => !isFalse(p));
  if (open.some(isTrue)) return TRUE_FORMULA;
  return open.length === 0 ? FALSE_FORMULA : open.reduce((a, b) => binary('||', a, b));
}

/** All operands of a chain of one operator. */
const operands = (op: '&&' | '||', f: StateFormula): readonly StateFormula[] =>
  f.kind === 'binary' && f.op === op ? [...operands(op, f.left), ...operands(op, f.right)] : [f];

/** The negation of a formula that is true or false. */
export function not(f: StateFormula): StateFormula {
  if (f.kind === 'unary' && f.op === '!') return f.arg;
  if (f.kind !== 'binary') return unary('!', f);
  const opposite = OPPOSITES[f.op];
  if (opposite !== undefined) return binary(opposite, f.left, f.right);
  if (f.op === '&&') return or(not(f.left), not(f.right));
  return f.op === '||' ? and(not(f.left), not(f.right)) : unary('!', f);
}

/** One of two values, by a condition that is 0 or 1. */
export function ifThenElse(
  condition: StateFormula,
  yes: StateFormula,
  no: StateFormula,
): StateFormula {
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

export const equals = (a: StateFormula, b: StateFormula | number): StateFormula =>
  compare('=', a, b);
export const differs = (a: StateFormula, b: StateFormula | number): StateFormula =>
  compare('!=', a, b);
export const below = (a: StateFormula, b: StateFormula | number): StateFormula =>
  compare('<', a, b);
export const atLeast = (a: StateFormula, b: StateFormula | number): StateFormula =>
  compare('>=', a, b);
export const sumOf = (a: StateFormula, b: StateFormula | number): StateFormula => {
  const right = typeof b === 'number' ? int(b) : b;
  if (right.kind === 'int' && right.value === 0) return a;
  return a.kind === 'int' && a.value === 0 ? right : binary('+', a, right);
};

function compare(
  op: '=' | '!=' | '<' | '>=',
  a: StateFormula,
  b: StateFormula | number,
): StateFormula {
  return binary(op, a, typeof b === 'number' ? int(b) : b);
}

export const isTrue = (f: StateFormula): boolean => f.kind === 'int' && f.value !== 0;
export const isFalse = (f: StateFormula): boolean => f.kind === 'int' && f.value === 0;
