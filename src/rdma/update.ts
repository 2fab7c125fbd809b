import { applyBinary } from '../program/arithmetic.js';

/**
 * What an atomic does to the value that it finds, whoever performs it; `V` is the type of its operands. Everything
 * about a kind of atomic is here, in `written`, and in `operandsOf`.
 */
export type Update<V = number> =
  | { readonly kind: 'cas'; readonly expected: V; readonly desired: V }
  | { readonly kind: 'faa' | 'xchg'; readonly value: V };

export type UpdateKind = Update['kind'];

/** The operands of an atomic, in the order in which programs write them. */
export const operandsOfUpdate = <V>(update: Update<V>): readonly V[] =>
  update.kind === 'cas' ? [update.expected, update.desired] : [update.value];

/** The same atomic with other operands. */
export const withOperands = <V>(kind: UpdateKind, [first, second]: readonly V[]): Update<V> =>
  kind === 'cas' ? { kind, expected: first, desired: second } : { kind, value: first };

/**
 * The value that an atomic with these operands writes for the value that it finds; undefined if a compare-and-swap
 * fails.
 */
export function written(
  kind: UpdateKind,
  found: number,
  first: number,
  second: number,
): number | undefined {
  switch (kind) {
    case 'cas':
      return found === first ? second : undefined;
    case 'faa':
      return applyBinary('+', found, first) ?? INEXACT;
    case 'xchg':
      return first;
  }
}

/** The same for an atomic with its own operands. */
export function updated(update: Update, found: number): number | undefined {
  const [first, second] = operandsOfUpdate(update);
  return written(update.kind, found, first, second);
}

/** Stands for a sum that is too large to be exact. A run that writes it has no meaning. */
export const INEXACT = Infinity;

/**
 * Other ways to perform remote atomics than that of RDMA^TSO (docs/atomics.md):
 * - `glob`: read and write in memory at one moment
 * - `late`: the response is sent when the write is in memory
 * - `loclock`: an atomic waits only for the writes of atomics to its own location
 * - `getfirst`: an atomic waits for the earlier gets of its queue pair
 * - `failwrite`: a compare-and-swap that fails writes back what it read
 * - `out`: as gets are read: in any order, and overtaken by later puts and gets
 */
export type AtomicVariant = 'glob' | 'late' | 'loclock' | 'getfirst' | 'failwrite' | 'out';
