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
