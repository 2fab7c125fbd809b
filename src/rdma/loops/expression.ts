import type { BinaryOperator, UnaryOperator } from '../../parse/litmus-ast.js';
import { applyBinary, applyUnary } from '../../program/arithmetic.js';

/** Integer expressions over names of some kind: slots of a thread, variables of a system. */
export type ExpressionOver<Name> =
  | { readonly kind: 'int'; readonly value: number }
  | { readonly kind: 'name'; readonly name: Name }
  | { readonly kind: 'unary'; readonly op: UnaryOperator; readonly arg: ExpressionOver<Name> }
  | {
      readonly kind: 'binary';
      readonly op: BinaryOperator;
      readonly left: ExpressionOver<Name>;
      readonly right: ExpressionOver<Name>;
    };

export const int = (value: number): ExpressionOver<never> => ({ kind: 'int', value });

export const named = <Name>(name: Name): ExpressionOver<Name> => ({ kind: 'name', name });

/** Applies an operator. If both operands are numbers, the result is a number. */
export function binary<Name>(
  op: BinaryOperator,
  left: ExpressionOver<Name>,
  right: ExpressionOver<Name>,
): ExpressionOver<Name> {
  if (left.kind === 'int' && right.kind === 'int') {
    const value = applyBinary(op, left.value, right.value);
    if (value !== undefined) return int(value);
  }
  return { kind: 'binary', op, left, right };
}

export function unary<Name>(op: UnaryOperator, arg: ExpressionOver<Name>): ExpressionOver<Name> {
  return arg.kind === 'int' ? int(applyUnary(op, arg.value)) : { kind: 'unary', op, arg };
}

/** Replaces the names of an expression by other expressions, and computes what consists of numbers then. */
export function substitute<A, B>(
  e: ExpressionOver<A>,
  by: (name: A) => ExpressionOver<B>,
): ExpressionOver<B> {
  switch (e.kind) {
    case 'int':
      return e;
    case 'name':
      return by(e.name);
    case 'unary':
      return unary(e.op, substitute(e.arg, by));
    case 'binary':
      return binary(e.op, substitute(e.left, by), substitute(e.right, by));
  }
}

/** The names of an expression, each as often as it occurs, from left to right. */
export function namesOf<Name>(e: ExpressionOver<Name>): readonly Name[] {
  switch (e.kind) {
    case 'int':
      return [];
    case 'name':
      return [e.name];
    case 'unary':
      return namesOf(e.arg);
    case 'binary':
      return [...namesOf(e.left), ...namesOf(e.right)];
  }
}

/** The divisors that must not be 0, so that the expression has a value. Numbers other than 0 are left out. */
export function divisorsOf<Name>(e: ExpressionOver<Name>): readonly ExpressionOver<Name>[] {
  if (e.kind === 'unary') return divisorsOf(e.arg);
  if (e.kind !== 'binary') return [];
  const inner = [...divisorsOf(e.left), ...divisorsOf(e.right)];
  const safe = (e.op !== '/' && e.op !== '%') || (e.right.kind === 'int' && e.right.value !== 0);
  return safe ? inner : [...inner, e.right];
}

/** The value of an expression; undefined where it divides by zero or leaves the exact integers. */
export function valueOf<Name>(
  e: ExpressionOver<Name>,
  of: (name: Name) => number | undefined,
): number | undefined {
  switch (e.kind) {
    case 'int':
      return e.value;
    case 'name':
      return of(e.name);
    case 'unary': {
      const arg = valueOf(e.arg, of);
      return arg === undefined ? undefined : applyUnary(e.op, arg);
    }
    case 'binary': {
      const left = valueOf(e.left, of);
      const right = valueOf(e.right, of);
      return left === undefined || right === undefined ? undefined : applyBinary(e.op, left, right);
    }
  }
}
