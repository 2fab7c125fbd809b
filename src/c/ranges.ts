import type { BinaryOperator } from '../parse/litmus-ast.js';

/** Between which numbers the value of an expression is. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

export const ANY: Range = { least: -Infinity, most: Infinity };
export const TRUTH: Range = { least: 0, most: 1 };

export const exactly = (value: number): Range => ({ least: value, most: value });

export const isWithin = (inner: Range, outer: Range): boolean =>
  inner.least >= outer.least && inner.most <= outer.most;

export const union = (a: Range, b: Range): Range => ({
  least: Math.min(a.least, b.least),
  most: Math.max(a.most, b.most),
});

/** The range of what an operator gives. */
export function computed(op: BinaryOperator, a: Range, b: Range): Range {
  switch (op) {
    case '+':
      return { least: a.least + b.least, most: a.most + b.most };
    case '-':
      return { least: a.least - b.most, most: a.most - b.least };
    case '*': {
      const corners = [a.least, a.most].flatMap((x) => [times(x, b.least), times(x, b.most)]);
      return { least: Math.min(...corners), most: Math.max(...corners) };
    }
    case '/':
      return divided(a);
    case '%':
      return remainder(a, b);
    case '=':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
    case '&&':
    case '||':
      return TRUTH;
  }
}

const times = (x: number, y: number): number => (x === 0 || y === 0 ? 0 : x * y);

/** A quotient is no larger than what is divided, and has its sign or the other one. */
function divided(a: Range): Range {
  const most = Math.max(Math.abs(a.least), Math.abs(a.most));
  return { least: -most, most };
}

/** A remainder has the sign of what is divided. */
function remainder(a: Range, b: Range): Range {
  const size = Math.max(Math.abs(b.least), Math.abs(b.most)) - 1;
  const isSmaller = b.least > 0 && isWithin(a, { least: 1 - b.least, most: b.least - 1 });
  if (isSmaller) return a;
  return {
    least: a.least >= 0 ? 0 : Math.max(a.least, -size),
    most: a.most <= 0 ? 0 : Math.min(a.most, size),
  };
}
