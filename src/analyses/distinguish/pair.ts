import type { Model } from '../../model/term.js';
import { missing, statesOf } from '../by-size/states.js';
import type { Unrolled } from '../by-size/unrolled.js';

/** What two models say of one program: the final states that only one of them has, by model; or why that is open. */
export type Compared =
  | { readonly only: readonly [readonly string[], readonly string[]] }
  | { readonly open: string };

/** Compares the final states of a straight program under two models, by going through executions. */
export function compareStates(unrolled: Unrolled, pair: readonly [Model, Model]): Compared {
  const [some, others] = statesOf(unrolled, pair);
  if ('open' in some) return some;
  if ('open' in others) return others;
  return { only: [missing(some, others), missing(others, some)] };
}
