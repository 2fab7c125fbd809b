import { applyBinary } from '../../program/arithmetic.js';

/** What an atomic makes of the value that it finds; `V` is what its operands are. */
export type Update<V = number> =
  | { readonly kind: 'cas'; readonly expected: V; readonly desired: V }
  | { readonly kind: 'faa' | 'xchg'; readonly value: V };

/** The value that an atomic writes where it finds one; undefined: a compare-and-swap fails. */
export function updated(update: Update, found: number): number | undefined {
  switch (update.kind) {
    case 'cas':
      return found === update.expected ? update.desired : undefined;
    case 'faa':
      return applyBinary('+', found, update.value) ?? INEXACT;
    case 'xchg':
      return update.value;
  }
}

/** A sum that is too large to be exact. A run that writes it has no meaning. */
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
