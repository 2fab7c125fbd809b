import type { Value } from './state.js';
import type { Integer, Type } from './types.js';
import { INT, UINT, UNSIGNED, WORD } from './types.js';

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
  const suffix = /(?<=\d|^0[xX][\da-fA-F]+)[uUlL]*$/.exec(literal)?.[0] ?? '';
  const isDecimal = /^[1-9]/.test(literal);
  const [isUnsigned, isLong] = [/u/i.test(suffix), /l/i.test(suffix)];
  // Where it is not decimal, it may lose its sign before it gets longer (C11 6.4.4.1).
  const types = [INT, UINT, WORD, UNSIGNED].filter(
    (type) =>
      !(isLong && type.size < 8) &&
      (type.isUnsigned ? isUnsigned || !isDecimal || type === UNSIGNED : !isUnsigned),
  );
  const type = types.find((one) => seenAs(numberValue(digits), one) === digits) ?? UNSIGNED;
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

/** What a type makes of a number: it keeps as many bits as it has. */
export function converted(value: Known, type: Type): Known {
  if (type.kind !== 'int') return value;
  if (type.isBool === true) return { kind: 'int', value: bitsOf(value) === 0n ? 0 : 1 };
  return numberValue(seenAs(value, type));
}

/** A number as one of a type. */
function seenAs(value: Known, type: Type): bigint {
  const bits = bitsOf(value);
  if (type.kind !== 'int') return bits;
  return (type.isUnsigned === true ? BigInt.asUintN : BigInt.asIntN)(bitsIn(type), bits);
}

/** Whether a number fits, as a signed or an unsigned one. */
export function fits(value: Known, type: Type): boolean {
  if (type.kind !== 'int' || type.isBool === true) return true;
  const size = BigInt(bitsIn(type));
  const bits = bitsOf(value);
  return bits >= -(2n ** (size - 1n)) && bits < 2n ** size;
}

/** How many bits a number of a type has. */
export const bitsIn = ({ bits, size }: Integer): number => bits ?? 8 * size;

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

/** The result of an operator for two numbers of these types, or why there is none. */
export function folded(
  operator: string,
  [a, b]: readonly [Known, Known],
  [of, by]: readonly [Type, Type],
): Known | { readonly not: string } {
  const isShift = SHIFTS.has(operator);
  const common = isShift ? promoted(of) : commonType(of, by);
  const [x, y] = [seenAs(a, common), seenAs(b, isShift ? by : common)];
  const compared = COMPARED.get(operator);
  if (compared !== undefined) return { kind: 'int', value: compared(x, y) ? 1 : 0 };
  const computed = COMPUTED.get(operator);
  if (computed === undefined) return { not: `${operator} is not understood` };
  if ((operator === '/' || operator === '%') && y === 0n) return { not: 'this divides by zero' };
  const bits = common.kind === 'int' ? BigInt(8 * common.size) : 64n;
  if (isShift && (y < 0n || y >= bits)) return { not: 'this shifts by more than there is' };
  return converted(numberValue(computed(x, y)), common);
}

/** Of a unary operator and a number. */
export function foldedUnary(operator: string, value: Known, of: Type): Known | undefined {
  const type = promoted(of);
  const bits = seenAs(value, type);
  const made = UNARY.get(operator)?.(bits);
  return made === undefined ? undefined : converted(numberValue(made), type);
}

const UNARY: ReadonlyMap<string, (of: bigint) => bigint> = new Map([
  ['+', (of: bigint) => of],
  ['-', (of: bigint) => -of],
  ['~', (of: bigint) => -of - 1n],
]);

const SHIFTS: ReadonlySet<string> = new Set(['<<', '>>']);

/** The type that a number is computed in: one that is smaller than `int` is an `int` (C11 6.3.1.1). */
export function promoted(type: Type): Type {
  if (type.kind !== 'int') return type;
  if (bitsIn(type) < bitsIn(INT)) return INT;
  return {
    ...{ kind: 'int', size: type.size },
    ...(type.isUnsigned === true && { isUnsigned: true }),
  };
}

/** The type that two numbers are computed in (C11 6.3.1.8). */
export function commonType(a: Type, b: Type): Type {
  const [one, other] = [promoted(a), promoted(b)];
  if (one.kind !== 'int' || other.kind !== 'int') {
    return isWide(other) || one.kind === 'int' ? other : one;
  }
  if (one.size !== other.size) return one.size > other.size ? one : other;
  return one.isUnsigned === true ? one : other;
}

/** The type of what an operator gives. */
export function resultType(operator: string, a: Type, b: Type): Type {
  if (COMPARED.has(operator) || operator === '&&' || operator === '||') return INT;
  return SHIFTS.has(operator) ? promoted(a) : commonType(a, b);
}

/** 64 bits without a sign. */
export const isWide = (type: Type): boolean =>
  type.kind === 'int' && type.size === 8 && type.isUnsigned === true;
