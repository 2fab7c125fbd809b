import { foldExpression, leavesIn, numberOf } from '../parse/fold.js';
import type { Arithmetic, BinaryOperator, UnaryOperator } from '../parse/litmus-ast.js';
import { applyBinary, applyUnary } from './arithmetic.js';

/** Integer expressions over names of some kind: slots of a thread, variables of a system. */
export type ExpressionOver<Name> = Arithmetic<Named<Name>>;

interface Named<Name> {
  readonly kind: 'name';
  readonly name: Name;
}

export const int = (value: number): ExpressionOver<never> => ({ kind: 'int', value });

export const nameExpression = <Name>(name: Name): ExpressionOver<Name> => ({ kind: 'name', name });

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

/** Replaces the leaves of an expression by expressions, and computes what consists of numbers then. */
export const computed = <Leaf, Name>(
  e: Arithmetic<Leaf>,
  by: (leaf: Leaf) => ExpressionOver<Name>,
): ExpressionOver<Name> =>
  foldExpression<Leaf, ExpressionOver<Name>>(e, {
    int: ({ value }) => int(value),
    leaf: by,
    unary: ({ op }, arg) => unary(op, arg),
    binary: ({ op }, left, right) => binary(op, left, right),
  });

/** Replaces the names of an expression by other expressions, and computes what consists of numbers then. */
export const substitute = <A, B>(
  e: ExpressionOver<A>,
  by: (name: A) => ExpressionOver<B>,
): ExpressionOver<B> => computed<Named<A>, B>(e, ({ name }) => by(name));

/** The names of an expression, each as often as it occurs, from left to right. */
export const namesOf = <Name>(e: ExpressionOver<Name>): readonly Name[] =>
  leavesIn<Named<Name>>(e).map(({ name }) => name);

/** The divisors that must not be 0, so that the expression has a value. Numbers other than 0 are left out. */
export function divisorsOf<Name>(e: ExpressionOver<Name>): readonly ExpressionOver<Name>[] {
  if (e.kind === 'unary') return divisorsOf(e.arg);
  if (e.kind !== 'binary') return [];
  const inner = [...divisorsOf(e.left), ...divisorsOf(e.right)];
  const safe = (e.op !== '/' && e.op !== '%') || (e.right.kind === 'int' && e.right.value !== 0);
  return safe ? inner : [...inner, e.right];
}

/** The value of an expression; undefined where it divides by zero or leaves the exact integers. */
export const valueOf = <Name>(
  e: ExpressionOver<Name>,
  of: (name: Name) => number | undefined,
): number | undefined => numberOf<Named<Name>>(e, ({ name }) => of(name));
