import type { Core } from './core.js';
import { pointed } from './memory.js';
import { COMPARED } from './numbers.js';
import { keyOfPath } from './paths.js';
import type { Typed, Value } from './state.js';
import { isSame } from './state.js';
import type { Type } from './types.js';
import { UNKNOWN } from './types.js';

/** What is known of two pointers together: which is first, and how far they are from each other. */

/** A comparison of two pointers, or of one and a null pointer. */
export function comparedPointers(
  core: Core,
  operator: string,
  left: Typed,
  right: Typed,
): boolean | undefined {
  const compared = COMPARED.get(operator);
  if (compared === undefined) return undefined;
  const [a, b] = [left.value, right.value];
  const isEquality = operator === '==' || operator === '!=';
  if (a.kind === 'address' && b.kind === 'address') {
    if (isOneRegion(a, b)) return compared(a.offset, b.offset);
    const [one, other] = [a, b].map(wordAt);
    if (isEquality && one !== undefined && other !== undefined) {
      return compared(one === other ? 0 : 1, 0);
    }
    return undefined;
  }
  const [first, second] = [a, b].map(variableAt);
  if (first !== undefined && second !== undefined && first.of === second.of) {
    return compared(first.at, second.at);
  }
  const distance = elementsBetween(core, left, right);
  if (distance !== undefined) return compared(distance, 0);
  if (!isEquality) return undefined;
  const isPlace = (v: Value): boolean => v.kind === 'address' || v.kind === 'pointer';
  const isNull = (v: Value): boolean => v.kind === 'int' && v.value === 0;
  if ((isPlace(a) && isNull(b)) || (isNull(a) && isPlace(b))) return operator === '!=';
  if (a.kind === 'pointer' && b.kind === 'pointer') return compared(a.key === b.key ? 0 : 1, 0);
  return undefined;
}

/** How far a pointer is behind another one, in elements of one array; in bytes, if both are numbers. */
export function distance(core: Core, left: Typed, right: Typed): number | undefined {
  const [a, b] = [left.value, right.value];
  if (a.kind !== 'address' || b.kind !== 'address') return elementsBetween(core, left, right);
  if (!isOneRegion(a, b)) return undefined;
  const [size, other] = [left, right].map(({ type }) =>
    type.kind === 'int' ? 1 : core.around.code.types.sizeOf(pointed(type)),
  );
  const bytes = a.offset - b.offset;
  return size === undefined || size !== other || bytes % size !== 0 ? undefined : bytes / size;
}

type Address = Extract<Value, { kind: 'address' }>;

const isOneRegion = (a: Address, b: Address): boolean =>
  a.region.places[0].location === b.region.places[0].location;

const wordAt = ({ region, offset }: Address): string | undefined =>
  region.places.find(({ at }) => at === offset)?.location;

interface Element {
  /** The key of the array. */
  readonly of: string;
  readonly at: number;
}

function elementAt(key: string): Element | undefined {
  const [, of, at] = /^(.*)\[(\d+)\]$/.exec(key) ?? [];
  return of === undefined ? undefined : { of, at: Number(at) };
}

/** The element of an array of the thread that a pointer leads to. */
function variableAt(value: Value): Element | undefined {
  if (value.kind === 'parts') return { of: value.key, at: 0 };
  return value.kind === 'pointer' ? elementAt(value.key) : undefined;
}

/** The same of an array that a path leads to. */
function pathAt(value: Value): Element | undefined {
  if (value.kind !== 'path' || value.isNew) return undefined;
  const { text } = value;
  return text.startsWith('&')
    ? elementAt(keyOfPath(text.slice(1)))
    : { of: keyOfPath(text), at: 0 };
}

/** The number of elements between two pointers, if both are to what the array has: a cast to bytes counts them otherwise. */
function elementsBetween(core: Core, left: Typed, right: Typed): number | undefined {
  const [one, other] = [left, right].map(({ value }) => variableAt(value) ?? pathAt(value));
  if (one === undefined || other === undefined || one.of !== other.of) return undefined;
  const declared = typeOfKey(core, one.of);
  const element = pointed(declared);
  const isOfArray = ({ type }: Typed): boolean => isSame(pointed(type), element);
  return element.kind !== 'unknown' && [left, right].every(isOfArray)
    ? one.at - other.at
    : undefined;
}

/** The type that the code gives something, by its key; unknown, where it is not plain. */
function typeOfKey(core: Core, key: string): Type {
  const [, root, rest] =
    /^(path [A-Za-z_]\w*|global \w+|\d+:\w+#\d+)((?:\.\w+|\[\d+\])*)$/.exec(key) ?? [];
  if (root === undefined) return UNKNOWN;
  return (rest.match(/\.\w+|\[\d+\]/g) ?? []).reduce<Type>(
    (type, part) =>
      part.startsWith('.') ? core.around.code.types.fieldType(type, part.slice(1)) : pointed(type),
    typeOfRoot(core, root),
  );
}

function typeOfRoot({ around, thread, frames }: Core, root: string): Type {
  const [, name] = /^(?:path|global) (.*)$/.exec(root) ?? [];
  if (name === undefined) {
    const all = frames.flatMap(({ scopes }) => scopes.flatMap((scope) => [...scope.values()]));
    return all.find((one) => one.kind === 'variable' && one.key === root)?.type ?? UNKNOWN;
  }
  const functions = [thread, ...(thread.before ?? [])].map((one) => one.function.text);
  const parameters = functions.flatMap((one) => around.code.functions.get(one)?.parameters ?? []);
  const types = parameters.filter((one) => one.name === name).map(({ type }) => type);
  const [first = around.code.globals.get(name)?.type ?? UNKNOWN] = types;
  return types.every((one) => isSame(one, first)) ? first : UNKNOWN;
}
