import type { Model } from '../model/term.js';
import type { Subject, Test } from '../program/program.js';
import type { Answer, Outcomes } from './result.js';

/** The limits of a search through executions or states. */
export interface SearchLimits {
  /** Overrides the file's loop bound. */
  readonly bound?: number;
  /** How many candidates are judged, or states remembered, at most. */
  readonly limit?: number;
  /** When to give up, as `performance.now()` counts. */
  readonly deadline: number;
}

/**
 * Answers queries without a solver: it goes through executions, or through the states of a machine, one by one. The
 * program must be in the model's instructions.
 */
export interface Explorer {
  decide(
    test: Test,
    model: Model,
    queries: readonly number[],
    limits: SearchLimits,
  ): readonly Answer[];
  /** `counted`: whether an explorer that goes through executions tries all of them and counts them. */
  outcomes(
    test: Test,
    model: Model,
    subjects: readonly Subject[],
    counted: boolean,
    limits: SearchLimits,
  ): Outcomes;
}
