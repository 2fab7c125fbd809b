import type { Index } from './theory.js';

/**
 * Hears of the steps of a search, in their order, so that somebody can follow them: each clause that is learnt has a
 * contradiction with its negation by unit propagation alone, from the clauses and lemmas before it that are not forgotten. The
 * last is empty, if there is no solution.
 */
export interface Log {
  /** A clause that the theory says. It is told where the search goes by it for the first time. */
  lemma(clause: readonly Index[]): void;
  learnt(clause: readonly Index[]): void;
  /** A learnt clause that is used no more; its literals may stand in another order. */
  forgotten(clause: readonly Index[]): void;
}
