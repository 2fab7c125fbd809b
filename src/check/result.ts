import type { Witness } from '../witness/witness.js';

/**
 * - `allowed`, `forbidden`: answers `exists` and `~exists`: can the condition hold at the end?
 * - `holds`, `fails`: answers `forall`: does it hold in every final state?
 * - `unknown`: undecided, for the reason given
 * - `vacuous`: the program has no consistent execution at all, so that the question is empty
 */
export type Verdict = 'allowed' | 'forbidden' | 'holds' | 'fails' | 'unknown' | 'vacuous';

/** Final values by name, in the order in which the queries mention the names. */
export type FinalState = Readonly<Record<string, number>>;

/** The answer to one query under one model. */
export interface Answer {
  /** Index of the query in its test. */
  readonly query: number;
  readonly verdict: Verdict;
  /** Why `unknown`, or the likely cause of `vacuous`. */
  readonly reason?: string;
  /** The verdict holds for runs whose loops end within this many iterations; others were not tried. */
  readonly upTo?: number;
  /** The final state that shows `allowed` or `fails`. */
  readonly state?: FinalState;
  /** The execution that ends in it. */
  readonly witness?: Witness;
  /** Flags of the model that this execution raises. */
  readonly flags: readonly string[];
  /** Time to decide it, in milliseconds. */
  readonly milliseconds: number;
}

/** All final states of a program under a model. */
export interface Outcomes {
  /** In ascending order of values. */
  readonly states: readonly FinalState[];
  /** Flags of the model that one of the executions found raises. */
  readonly flags: readonly string[];
  /** Why the list may be incomplete. */
  readonly incomplete?: string;
  readonly upTo?: number;
  readonly milliseconds: number;
}
