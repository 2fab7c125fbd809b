/**
 * The order in which a search decides variables: those first that were in a conflict last (variable
 * move to front; Biere and Fröhlich, SAT 2015). A list, in which a variable is moved to the end when it
 * is bumped, and searched from the end.
 */
export interface DecisionQueue {
  /** Adds the next variable, 1, 2, …, to be decided after those that are there. */
  readonly add: () => void;
  /** Puts a variable, which has a value, before all others. */
  readonly bump: (variable: number) => void;
  /** To be called when a variable loses its value. */
  readonly free: (variable: number) => void;
  /** The first variable without a value; 0: all have one. */
  readonly next: () => number;
}

export function createDecisionQueue(isFree: (variable: number) => boolean): DecisionQueue {
  // Neighbours in the list, with 0 at both ends; and when a variable was put where it is.
  const before = [0];
  const after = [0];
  const stamps = [0];
  let clock = 0;
  /** Every free variable is this one or before it. */
  let start = 0;

  const link = (a: number, b: number): void => {
    after[a] = b;
    before[b] = a;
  };
  return {
    add() {
      const variable = stamps.length;
      stamps.push(-variable);
      const first = after[0];
      link(0, variable);
      link(variable, first);
      if (start === 0) start = variable;
    },
    bump(variable) {
      link(before[variable], after[variable]);
      link(before[0], variable);
      link(variable, 0);
      stamps[variable] = ++clock;
    },
    free(variable) {
      if (start === 0 || stamps[variable] > stamps[start]) start = variable;
    },
    next() {
      while (start !== 0 && !isFree(start)) start = before[start];
      return start;
    },
  };
}
