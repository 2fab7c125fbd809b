import type { Acyclicity } from '../encode/acyclicity/choice.js';
import type { Model } from '../model/term.js';
import type { SolverFactory } from '../solve/solver.js';

/** What an analysis has to work with. */
export interface Circumstances {
  readonly models: readonly Model[];
  readonly newSolver: SolverFactory;
  readonly acyclicity: Acyclicity;
  /** Overrides the files' loop bounds. */
  readonly bound?: number;
  /** When to end with what has been found out, as `performance.now()` counts; soon after, the worker is ended. */
  readonly deadline: number;
}
