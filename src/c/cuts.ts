import type { BinaryOperator, LitmusExpr, LitmusLeaf } from '../parse/litmus-ast.js';
import { bitsIn } from './numbers.js';
import type { Range } from './ranges.js';
import { ANY, TRUTH, computed, exactly, isWithin } from './ranges.js';
import type { Integer } from './types.js';

/**
 * What types of C make of numbers that are computed when the program runs: they keep as many bits as they have. A number without a sign is
 * `(e % m + m) % m`, one with a sign is the same of a number that is half of `m` further on. As most numbers fit, most cuts are
 * taken out again, once it is known which numbers the words of the program may have.
 */

/** Cuts of more bits are not exact: their numbers go beyond 2^53. */
const MOST_BITS = 52;

/** Numbers of 64 bits without a sign are compared as if they had fewer: the order of those below 2^51, and just below 2^64, stays. */
const ORDERED = 2 ** MOST_BITS;
export const IN_ORDER: Range = { least: -ORDERED / 2, most: ORDERED / 2 - 1 };

/** The numbers of a type. Undefined: those of programs have a place in it. */
export function limitsOf(type: Integer): Range | undefined {
  const bits = bitsIn(type);
  if (bits >= 64) return undefined;
  const count = 2 ** bits;
  const least = type.isUnsigned === true ? 0 : -count / 2;
  return { least, most: least + count - 1 };
}

/** Whether numbers of a type are not cut, though they have fewer bits than words. */
export const isTooWide = (type: Integer): boolean => bitsIn(type) > MOST_BITS && bitsIn(type) < 64;

/** What a type makes of a number. */
export function cut(expr: LitmusExpr, type: Integer): LitmusExpr {
  const limits = limitsOf(type);
  const bits = bitsIn(type);
  if (limits === undefined || isTooWide(type)) return expr;
  // What was cut as a wider type does loses the same bits without that.
  const found = cutIn(expr);
  if (found !== undefined && found.modulus % 2 ** bits === 0) return cut(found.of, type);
  return isWithin(rangeOf(expr, anything), limits) ? expr : written(expr, 2 ** bits, -limits.least);
}

/** A number without a sign, for a comparison with another one: those just below 2^64 come behind the others. */
export function ordered(expr: LitmusExpr): LitmusExpr {
  if (rangeOf(expr, anything).least >= 0) return expr;
  return expr.kind === 'int' ? { ...expr, value: expr.value + ORDERED } : written(expr, ORDERED, 0);
}

const anything = (): Range => ANY;

function written(expr: LitmusExpr, modulus: number, offset: number, range = ANY): LitmusExpr {
  const { span } = expr;
  const number = (value: number): LitmusExpr => ({ kind: 'int', value, span });
  const of = (op: BinaryOperator, left: LitmusExpr, value: number): LitmusExpr =>
    value === 0 ? left : { kind: 'binary', op, left, right: number(value), span };
  const least = range.least + offset;
  const rest = (from: LitmusExpr): LitmusExpr => of('%', from, modulus);
  if (least >= 0) return of('-', rest(of('+', expr, offset)), offset);
  if (least >= -modulus) return of('-', rest(of('+', expr, offset + modulus)), offset);
  return of('-', rest(of('+', rest(of('+', expr, offset)), modulus)), offset);
}

/** What is cut, and how. */
interface Cut {
  readonly of: LitmusExpr;
  readonly modulus: number;
  readonly offset: number;
}

/** An expression as a cut, if it is one. */
function cutIn(expr: LitmusExpr): Cut | undefined {
  const moved = withNumber('-', expr);
  if (moved !== undefined) {
    const [inner, offset] = moved;
    const found = cutIn(inner);
    const before = found && withNumber('+', found.of);
    const isSigned = found?.modulus === 2 * offset && before?.[1] === offset;
    return isSigned ? { of: before[0], modulus: found.modulus, offset } : undefined;
  }
  const [sum, modulus] = withNumber('%', expr) ?? [];
  const [rest, added] = (sum && withNumber('+', sum)) ?? [];
  const [of, same] = (rest && withNumber('%', rest)) ?? [];
  if (of === undefined || modulus === undefined || modulus <= 0) return undefined;
  return modulus === added && modulus === same ? { of, modulus, offset: 0 } : undefined;
}

/** The left side of an operator whose right side is a number. */
function withNumber(
  op: BinaryOperator,
  expr: LitmusExpr,
): readonly [LitmusExpr, number] | undefined {
  if (expr.kind !== 'binary' || expr.op !== op || expr.right.kind !== 'int') return undefined;
  return [expr.left, expr.right.value];
}

/** The range of an expression, from those of its names. */
export function rangeOf(expr: LitmusExpr, ofLeaf: (leaf: LitmusLeaf) => Range): Range {
  const found = cutIn(expr);
  if (found !== undefined) {
    const [range, limits] = [rangeOf(found.of, ofLeaf), limitsIn(found)];
    return isWithin(range, limits) ? range : limits;
  }
  if (expr.kind === 'int') return exactly(expr.value);
  if (expr.kind === 'unary') {
    const { least, most } = rangeOf(expr.arg, ofLeaf);
    return expr.op === '-' ? { least: -most, most: -least } : TRUTH;
  }
  if (expr.kind !== 'binary') return ofLeaf(expr);
  return computed(expr.op, rangeOf(expr.left, ofLeaf), rangeOf(expr.right, ofLeaf));
}

const limitsIn = ({ modulus, offset }: Cut): Range => ({
  least: -offset,
  most: modulus - offset - 1,
});

/** An expression with as much of its cuts as its names need. */
export function trimmed(expr: LitmusExpr, ofLeaf: (leaf: LitmusLeaf) => Range): LitmusExpr {
  const found = cutIn(expr);
  if (found !== undefined) {
    const { modulus, offset } = found;
    const of = trimmed(found.of, ofLeaf);
    const range = rangeOf(of, ofLeaf);
    return isWithin(range, limitsIn(found)) ? of : written(of, modulus, offset, range);
  }
  if (expr.kind === 'unary') return { ...expr, arg: trimmed(expr.arg, ofLeaf) };
  if (expr.kind !== 'binary') return expr;
  return { ...expr, left: trimmed(expr.left, ofLeaf), right: trimmed(expr.right, ofLeaf) };
}
