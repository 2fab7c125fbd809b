/**
 * The solver as the rest of Remora sees it: clauses in, a solution out. It knows nothing of
 * memory models.
 */
export interface Solver {
  /** Adds a clause over variables 1, 2, …; `-v` is the negation of `v`. No literals: false. */
  addClause(clause: readonly number[]): void;
  /**
   * Requires that one of the integers 0, 1, … is less than another; with a literal, only where that
   * is true. For solvers that were made with integers.
   */
  addLess(smaller: number, larger: number, where?: number): void;
  /** Is there a solution in which all assumptions are true? `unknown` comes with a reason. */
  check(assumptions: readonly number[]): SolverAnswer;
  /** The value of a variable in the solution that the last `check` found. */
  value(variable: number): boolean;
  /** Frees everything; the solver is not used again. */
  dispose(): void;
}

export type SolverAnswer =
  | { readonly kind: 'sat' }
  | {
      readonly kind: 'unsat';
      /** Assumptions that are not true together in any solution; undefined: it cannot tell which. */
      readonly core?: readonly number[];
    }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface SolverOptions {
  /** Whether `addLess` will be used, which takes a slower kind of solver. */
  readonly integers?: boolean;
  /**
   * The part of its usual effort after which a search may give up, for what is worth no more. A solver that comes after a
   * search does not begin then.
   */
  readonly effort?: number;
}

/** Makes solvers; one at a time is in use. */
export type SolverFactory = (options?: SolverOptions) => Solver;

/** The logic, by its name in SMT-LIB, of solvers with integers: differences of two, compared. */
export const INTEGER_LOGIC = 'QF_IDL';
