import { int } from './calls.js';
import { keyOfPath, pathOfKey, partOfPath } from './paths.js';
import type { State, Value } from './state.js';

/** What is known of variables and paths, by their keys: a part of a structure or of an array has a key behind that of the whole. */
type Values = State['values'];

/** Behind the key of a whole: all of it that was not set is zero. */
export const ZEROED = ' zeroed';
const OVERWRITTEN = 'overwritten ';

/** The key under which it is noted that a member of a union is not what was written last. */
export const overwritten = (key: string): string => `${OVERWRITTEN}${key}`;

/** What was known on some way, and is not the same on the others. */
export const FORGOTTEN: Value = { kind: 'nothing', isForgotten: true };

/** What is known of something that has no parts. Undefined: nothing was written to it. */
export function knownIn(values: Values, key: string): Value | undefined {
  const known = values.get(key);
  if (known !== undefined) return known;
  for (const end of endsOf(key).toReversed()) {
    const whole = key.slice(0, end);
    const zeroed = values.get(whole + ZEROED);
    if (zeroed !== undefined) return zeroed;
    const of = values.get(whole);
    if (of?.kind === 'nothing' && of.isForgotten) return of;
    // A copy of a structure that a path leads to.
    if (of?.kind === 'path') {
      const text = partOfPath(of.text, key.slice(end));
      return { kind: 'path', text, ...(of.isNew && { isNew: true }) };
    }
  }
  return undefined;
}

/** The same where ways meet: a path to which nothing was written is what it was at the beginning. */
export function heldIn(values: Values, key: string): Value | undefined {
  if (key.endsWith(ZEROED) || key.startsWith(OVERWRITTEN)) return values.get(key);
  const known = knownIn(values, key);
  const path = known === undefined ? pathOfKey(key) : undefined;
  return path === undefined ? known : { kind: 'path', text: path };
}

/** Keeps a value by its key; a structure with all of its parts. */
export function keepIn(values: Values, key: string, given: Value): void {
  const from =
    given.kind === 'parts' ? given.key : given.kind === 'path' ? keyOfPath(given.text) : undefined;
  const parts = from === undefined ? [] : partsIn(values, from, given.kind === 'parts');
  const isZero = given.kind === 'parts' && isZeroed(values, given.key);
  const all: Value | undefined = isZero ? int(0) : given.kind === 'parts' ? undefined : given;
  const kept = all === undefined ? parts : [[isZero ? ZEROED : '', all] as const, ...parts];
  forgetIn(values, key);
  for (const [rest, value] of kept) values.set(key + rest, value);
}

/** The parts of a whole, by their keys behind its own; of an array, elements only where all is copied. */
const partsIn = (
  values: Values,
  from: string,
  isWhole: boolean,
): readonly (readonly [string, Value])[] =>
  [...values.keys()]
    .filter((one) => isPart(one, from) && (isWhole || !one.startsWith(`${from}[`)))
    .map((one) => [one.slice(from.length), values.get(one)!]);

/** Where the keys end of what has a part with this key, and of the part. */
const endsOf = (key: string): readonly number[] => [
  ...[...key.matchAll(/\.|\[/g)].map(({ index }) => index),
  key.length,
];

export const prefixesOf = (key: string): readonly string[] =>
  endsOf(key).map((end) => key.slice(0, end));

/** Whether all that was not set is zero. */
const isZeroed = (values: Values, key: string): boolean =>
  prefixesOf(key).some((one) => values.get(one + ZEROED)?.kind === 'int');

export function forgetIn(values: Values, key: string): void {
  for (const one of values.keys()) if (one === key || isPart(one, key)) values.delete(one);
}

/** Is a key that of a part of another one: a field, an element, or that all is zero? */
export const isPart = (one: string, key: string): boolean => {
  const { length } = key;
  return (
    one.length > length &&
    (one[length] === '.' || one[length] === '[' || one.startsWith(ZEROED, length)) &&
    one.startsWith(key)
  );
};
