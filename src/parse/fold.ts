import { applyBinary, applyUnary } from './integers.js';
import type { Arithmetic, BinaryNode, IntNode, UnaryNode } from './litmus-ast.js';

/** What a fold makes of each kind of part, from what it made of the operands. */
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

/** Goes through an expression from the leaves up, and from left to right. */
export function foldExpression<Leaf, Result, At = unknown>(
  e: Arithmetic<Leaf, At>,
  algebra: Algebra<Leaf, Result, At>,
): Result {
  // What is neither an integer nor made by an operator is a leaf, whatever it calls itself.
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

/** An expression with others in the place of its leaves. All else of its parts stays. */
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

/** The number that an expression is. Undefined where a leaf that it takes has none, or an operator (`applyBinary`). */
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

/** An expression as a program would write it: operands that have operators are in parentheses. */
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
