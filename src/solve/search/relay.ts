import type { Solver, SolverFactory } from '../solver.js';
import { ClauseSearch } from './search.js';

/**
 * A solver that is asked in two stages: first a quick search, whose "yes" is as good as any, since
 * solutions are checked, and whose "no" only says where it is not worth looking further at first. Then
 * the solver proper, which has the last word.
 */
export interface Relay {
  /** Makes the solver; to be called once. */
  readonly newSolver: SolverFactory;
  /** From now on the solver proper is asked. */
  readonly handOver: () => void;
}

/** What the quick search is given between two solutions, in clauses looked at: about half a second. */
const EFFORT = 4_000_000;

export function createRelay(newSolver: SolverFactory): Relay {
  const quick = new ClauseSearch(EFFORT);
  /** Clauses that the solver proper has not been given yet. It gets them when it is first asked, which may never be. */
  let waiting: (readonly number[])[] = [];
  let proper: Solver | undefined;
  let isQuick = true;
  const asked = (): Solver => {
    if (isQuick) return quick;
    proper ??= newSolver();
    for (const clause of waiting) proper.addClause(clause);
    waiting = [];
    return proper;
  };
  return {
    handOver: () => (isQuick = false),
    newSolver: () => ({
      addClause(clause) {
        if (isQuick) quick.addClause(clause);
        waiting.push(clause);
      },
      addLess() {
        throw new Error('a relay takes clauses alone');
      },
      check: (assumptions) => asked().check(assumptions),
      value: (variable) => asked().value(variable),
      dispose: () => proper?.dispose(),
    }),
  };
}
