// A solver that solves nothing: it counts what it is given.
import type { Solver } from '../dist/solve/solver.js';

export interface Counted {
  readonly clauses: number;
  readonly edges: number;
}

const unsolved = (): never => {
  throw new Error('nothing is solved here');
};

/** The solver, and what it was given so far. */
export function counting(): { readonly solver: () => Solver; readonly counted: () => Counted } {
  let [clauses, edges] = [0, 0];
  const solver: Solver = {
    addClause: () => (clauses += 1),
    addLess: () => (edges += 1),
    check: unsolved,
    value: unsolved,
    dispose: () => {},
  };
  return { solver: () => solver, counted: () => ({ clauses, edges }) };
}
