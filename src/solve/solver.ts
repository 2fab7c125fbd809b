/**
 * The solver as the rest of Remora sees it: clauses in, a solution out. It knows nothing of
 * memory models.
 */
export interface Solver {
  /** Adds a clause over variables 1, 2, …; `-v` is the negation of `v`. No literals: false. */
  addClause(clause: readonly number[]): void;
  /** Is there a solution in which all assumptions are true? `unknown` comes with a reason. */
  check(assumptions: readonly number[]): SolverAnswer;
  /** The value of a variable in the solution that the last `check` found. */
  value(variable: number): boolean;
  /** Frees everything; the solver is not used again. */
  dispose(): void;
}

export type SolverAnswer =
  | { readonly kind: 'sat' }
  | { readonly kind: 'unsat' }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Makes solvers; one at a time is in use. */
export type SolverFactory = () => Solver;
