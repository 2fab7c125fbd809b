import { applyBinary, applyUnary } from './integers.js';
import type { Arithmetic, BinaryNode, IntNode, UnaryNode } from './litmus-ast.js';

/** What a fold computes for each kind of expression from the results for its operands. */
export interface Algebra<Leaf, Result, At = unknown> {
  readonly int: (e: IntNode & At) => Result;
  readonly leaf: (leaf: Leaf) => Result;
  readonly unary: (e: UnaryNode<Arithmetic<Leaf, At>> & At, arg: Result) => Result;
  readonly binary: (
    e: BinaryNode<Arithmetic<Leaf, At>> & At,
    left: Result,
    right: Result,
  ) => Result;
}

/** Folds an expression: computes a result for each part of it, from the leaves up and from left to right. */
export function foldExpression<Leaf, Result, At = unknown>(
  e: Arithmetic<Leaf, At>,
  algebra: Algebra<Leaf, Result, At>,
): Result {
  // Every part that is neither an integer nor an operator is a leaf, whatever its `kind` is.
  const part = e as Arithmetic<{ readonly kind: 'leaf' }> & At;
  const of = (operand: unknown): Result => foldExpression(operand as Arithmetic<Leaf, At>, algebra);
  switch (part.kind) {
    case 'int':
      return algebra.int(part);
    case 'unary':
      return algebra.unary(part as UnaryNode<Arithmetic<Leaf, At>> & At, of(part.arg));
    case 'binary': {
      const left = of(part.left);
      return algebra.binary(part as BinaryNode<Arithmetic<Leaf, At>> & At, left, of(part.right));
    }
    case 'leaf':
    default:
      return algebra.leaf(e as Leaf);
  }
}

/** The leaves of an expression, from left to right. */
export function leavesIn<Leaf>(e: Arithmetic<Leaf>): readonly Leaf[] {
  const found: Leaf[] = [];
  const nothing = (): void => {};
  const leaf = (one: Leaf): void => void found.push(one);
  foldExpression<Leaf, void>(e, { int: nothing, leaf, unary: nothing, binary: nothing });
  return found;
}

/** The same expression with each leaf replaced by an expression. Integers and operators keep all of their fields. */
export const mapLeaves = <Leaf, To, At = unknown>(
  e: Arithmetic<Leaf, At>,
  leaf: (leaf: Leaf) => Arithmetic<To, At>,
): Arithmetic<To, At> =>
  foldExpression<Leaf, Arithmetic<To, At>, At>(e, {
    int: (one) => one,
    leaf,
    unary: (one, arg) => ({ ...one, arg }),
    binary: (one, left, right) => ({ ...one, left, right }),
  });

/** The value of an expression. Undefined if a leaf in it has no value, or an operator has none (see `applyBinary`). */
export const numberOf = <Leaf>(
  e: Arithmetic<Leaf>,
  leaf: (leaf: Leaf) => number | undefined,
): number | undefined =>
  foldExpression<Leaf, number | undefined>(e, {
    int: ({ value }) => value,
    leaf,
    unary: ({ op }, arg) => applyUnary(op, arg),
    binary: ({ op }, left, right) => applyBinary(op, left, right),
  });

/** An expression as text. Operands that have operators are in parentheses, so that no precedence needs to be known. */
export function expressionText<Leaf>(
  e: Arithmetic<Leaf>,
  int: (value: number) => string,
  leaf: (leaf: Leaf) => string,
): string {
  const operand = ({ text, operator }: Written): string => (operator ? `(${text})` : text);
  return foldExpression<Leaf, Written>(e, {
    int: ({ value }) => ({ text: int(value), operator: false }),
    leaf: (one) => ({ text: leaf(one), operator: false }),
    unary: ({ op }, arg) => ({ text: `${op}${operand(arg)}`, operator: true }),
    binary: ({ op }, left, right) => ({
      text: `${operand(left)} ${op} ${operand(right)}`,
      operator: true,
    }),
  }).text;
}

interface Written {
  readonly text: string;
  readonly operator: boolean;
}
