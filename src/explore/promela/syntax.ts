import { foldExpression } from '../../parse/fold.js';
import type { BinaryOperator } from '../../parse/litmus-ast.js';
import type { ExpressionOver } from '../../program/expression.js';

/** How tightly operators bind in Promela, as in C. */
const STRENGTH: Readonly<Record<string, number>> = {
  '||': 1,
  '&&': 2,
  '=': 3,
  '!=': 3,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
};

const UNARY = 7;

/** An expression as Promela has it. */
export function expressionText<Name>(
  e: ExpressionOver<Name>,
  nameOf: (name: Name) => string,
): string {
  const visit = (x: ExpressionOver<Name>, around: number): string => {
    switch (x.kind) {
      case 'int':
        return x.value < 0 ? `(${x.value})` : `${x.value}`;
      case 'name':
        return nameOf(x.name);
      case 'unary':
        // Two signs would be a decrement.
        return around > UNARY ? `(${visit(x, 0)})` : `${x.op}${visit(x.arg, UNARY + 1)}`;
      case 'binary': {
        const own = STRENGTH[x.op];
        const op = x.op === '=' ? '==' : x.op;
        const text = `${visit(x.left, own)} ${op} ${visit(x.right, own + 1)}`;
        return own < around ? `(${text})` : text;
      }
    }
  };
  return visit(e, 0);
}

/** The greatest number that SPIN's `int` holds. */
export const LARGEST_INT = 2 ** 31 - 1;

/**
 * How large a number can be that comes up in an expression.
 *
 * @param most how large names can be, positive or negative
 */
export function largestIn<Name>(e: ExpressionOver<Name>, most: number): number {
  let largest = 0;
  const seen = (size: number): number => {
    largest = Math.max(largest, size);
    return size;
  };
  foldExpression<{ readonly kind: 'name' }, number>(e, {
    int: ({ value }) => seen(Math.abs(value)),
    leaf: () => seen(most),
    unary: ({ op }, arg) => (op === '-' ? arg : 1),
    binary: ({ op }, left, right) => seen(sizeOf(op, left, right)),
  });
  return largest;
}

function sizeOf(op: BinaryOperator, left: number, right: number): number {
  if (op === '+' || op === '-') return left + right;
  if (op === '*') return left * right;
  return op === '/' || op === '%' ? left : 1;
}

/** A comment. Text of the user must not be able to end it. */
export function comment(text: string): string {
  const safe = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ').replaceAll('*/', '* /');
  return `/* ${safe.replaceAll('/*', '/ *')} */`;
}
