import type { Value } from './state.js';
import type { Type } from './types.js';
import { INT, UNSIGNED, WORD } from './types.js';

/**
 * Numbers of C, as far as they are known. Those that a program can have are numbers; larger ones, as in hexadecimal patterns, are kept as
 * texts, and may be computed with as long as no word of the program gets them. Each stands for 64 bits: the largest number without a
 * sign is -1.
 */

export const TOO_LARGE = 'numbers go up to 2^53';

/** What a number of C is: decimal, octal, binary or hexadecimal. Undefined: it is not whole. */
function digitsOf(literal: string): bigint | undefined {
  if (literal.startsWith('-')) {
    const digits = digitsOf(literal.slice(1));
    return digits === undefined ? undefined : -digits;
  }
  const text = literal.replaceAll("'", '').replace(/[uUlLzZ]+$/, '');
  const plain = /^0[0-7]+$/.test(text) ? `0o${text.slice(1)}` : text;
  return /^(0[xX][\da-fA-F]+|0[bB][01]+|0o[0-7]+|\d+)$/.test(plain) ? BigInt(plain) : undefined;
}

/** A literal as a number of the program; undefined: it is none. */
export function numberOf(literal: string): number | undefined {
  const value = Number(digitsOf(literal) ?? NaN);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** A literal, with its type. */
export function literalOf(
  literal: string,
): { readonly value: Value; readonly type: Type } | undefined {
  const digits = digitsOf(literal);
  if (digits === undefined) return undefined;
  const [suffix] = /[uUlLzZ]*$/.exec(literal.replace(/^0[xX].*?(?=[uUlL]*$)/, '0'))!;
  const isUnsigned = /u/i.test(suffix) || digits >= 2n ** 63n;
  const isLong = /l/i.test(suffix) || digits >= 2n ** 31n;
  const type = isLong
    ? isUnsigned
      ? UNSIGNED
      : WORD
    : { ...INT, ...(isUnsigned && { isUnsigned }) };
  return { value: numberValue(digits), type };
}

export function numberValue(digits: bigint): Known {
  const value = Number(BigInt.asIntN(64, digits));
  return Number.isSafeInteger(value)
    ? { kind: 'int', value }
    : { kind: 'large', digits: String(BigInt.asUintN(64, digits)) };
}

export type Known = Extract<Value, { kind: 'int' | 'large' }>;

export const isKnown = (value: Value): value is Known =>
  value.kind === 'int' || value.kind === 'large';

const bitsOf = (value: Known): bigint =>
  value.kind === 'int' ? BigInt(value.value) : BigInt(value.digits);

/** What a number is in a variable without a sign: one that is negative begins at the other end. */
export function converted(value: Known, type: Type): Known {
  const isNegative = value.kind === 'int' && value.value < 0;
  return isNegative ? wrapped(value, type) : value;
}

/** What is left of a number in a type without a sign. */
export function wrapped(value: Known, type: Type): Known {
  if (type.kind !== 'int' || type.isUnsigned !== true || type.size >= 8) return value;
  return numberValue(BigInt.asUintN(8 * type.size, bitsOf(value)));
}

/** What a cast makes of a number. */
export function cast(value: Known, type: Type): Known {
  if (type.kind !== 'int' || type.size >= 8 || fits(value, type.size)) return wrapped(value, type);
  const cut = type.isUnsigned === true ? BigInt.asUintN : BigInt.asIntN;
  return numberValue(cut(8 * type.size, bitsOf(value)));
}

/** Whether a number fits, as a signed or an unsigned one. */
export function fits(value: Known, bytes: number): boolean {
  const bits = bitsOf(value);
  return bits >= -(2n ** BigInt(8 * bytes - 1)) && bits < 2n ** BigInt(8 * bytes);
}

export const COMPARED: ReadonlyMap<string, <Of extends number | bigint>(a: Of, b: Of) => boolean> =
  new Map([
    ['==', <Of>(a: Of, b: Of) => a === b],
    ['!=', <Of>(a: Of, b: Of) => a !== b],
    ['<', <Of>(a: Of, b: Of) => a < b],
    ['<=', <Of>(a: Of, b: Of) => a <= b],
    ['>', <Of>(a: Of, b: Of) => a > b],
    ['>=', <Of>(a: Of, b: Of) => a >= b],
  ]);

const COMPUTED: ReadonlyMap<string, (a: bigint, b: bigint) => bigint> = new Map([
  ['+', (a: bigint, b: bigint) => a + b],
  ['-', (a: bigint, b: bigint) => a - b],
  ['*', (a: bigint, b: bigint) => a * b],
  ['/', (a: bigint, b: bigint) => a / b],
  ['%', (a: bigint, b: bigint) => a % b],
  ['&', (a: bigint, b: bigint) => a & b],
  ['|', (a: bigint, b: bigint) => a | b],
  ['^', (a: bigint, b: bigint) => a ^ b],
  ['<<', (a: bigint, b: bigint) => a << b],
  ['>>', (a: bigint, b: bigint) => a >> b],
]);

/** The result of an operator for two numbers of a type, or why there is none. */
export function folded(
  operator: string,
  a: Known,
  b: Known,
  type: Type,
): Known | { readonly not: string } {
  const isLong = isWide(type) || a.kind === 'large' || b.kind === 'large';
  const [x, y] = [a, b].map((one) => (isLong ? BigInt.asUintN(64, bitsOf(one)) : bitsOf(one)));
  const compared = COMPARED.get(operator);
  if (compared !== undefined) return { kind: 'int', value: compared(x, y) ? 1 : 0 };
  const computed = COMPUTED.get(operator);
  if (computed === undefined) return { not: `${operator} is not understood` };
  if ((operator === '/' || operator === '%') && y === 0n) return { not: 'this divides by zero' };
  if ((operator === '<<' || operator === '>>') && (y < 0n || y > 63n)) {
    return { not: 'this shifts by more than there is' };
  }
  const value = numberValue(computed(x, y));
  return type.kind === 'int' && type.size === 4 ? wrapped(value, type) : value;
}

/** Of a unary operator and a number. */
export function foldedUnary(operator: string, value: Known): Value | undefined {
  const bits = bitsOf(value);
  if (operator === '+') return value;
  if (operator === '-') return numberValue(-bits);
  return operator === '~' ? numberValue(-bits - 1n) : undefined;
}

/** The type that two numbers are computed in, as far as it matters. */
export const commonType = (a: Type, b: Type): Type => (isWide(b) && a.kind === 'int' ? b : a);

/** 64 bits without a sign. */
export const isWide = (type: Type): boolean =>
  type.kind === 'int' && type.size === 8 && type.isUnsigned === true;
