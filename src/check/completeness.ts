import type { Bounds } from '../bounds/bounds.js';
import { createFormula } from '../encode/formula.js';
import { createValues } from '../encode/values.js';
import type { Cut, EventStructure } from '../events/structure.js';
import type { SolverFactory } from '../solve/solver.js';

/**
 * A place where some run may get beyond the loop bound, of several the one with the least bound;
 * undefined: the unrolling is complete.
 *
 * Every read is free to read any value that it may read at all, whatever the model says, so a run
 * that gets beyond the bound first does so here too: "complete" is never wrong.
 */
export function reachableCut(
  structure: EventStructure,
  bounds: Bounds,
  newSolver: SolverFactory,
): Cut | undefined {
  if (structure.cuts.length === 0) return undefined;
  const solver = newSolver();
  try {
    const formula = createFormula((clause) => solver.addClause(clause));
    const values = createValues(structure, bounds.values, formula);
    for (const { path, condition } of structure.constraints) {
      formula.assert(-values.path(path), values.truth(condition));
    }
    const cuts = [...structure.cuts].sort((a, b) => a.bound - b.bound);
    return cuts.find(
      (cut) => solver.check([formula.assumption(values.path(cut.path))]).kind !== 'unsat',
    );
  } finally {
    solver.dispose();
  }
}
