import { computeBounds } from '../bounds/bounds.js';
import { createFormula } from '../encode/formula.js';
import { createValues } from '../encode/values.js';
import type { Cut, EventStructure } from '../events/structure.js';
import type { SolverFactory } from '../solve/solver.js';
import type { Session } from './session.js';

/**
 * Why "no execution" cannot be trusted, in words: some run divides by zero, and such runs are left out.
 * To be asked while the session's solver excludes nothing that the model allows.
 */
export function divisionByZero({ structure, encoding, solver }: Session): string | undefined {
  if (structure.divisions.length === 0) return undefined;
  const { kind } = solver.check([encoding.formula.assumption(encoding.dividesByZero)]);
  if (kind === 'unsat') return undefined;
  return kind === 'sat' ? 'some run divides by zero' : 'some run may divide by zero';
}

/**
 * A place where some run may get beyond the loop bound, of several the one with the least bound;
 * undefined: the unrolling is complete.
 *
 * Every read is free to read any value that it may read at all, whatever the model says, so a run
 * that gets beyond the bound first does so here too: "complete" is never wrong. Where the values cannot be
 * told, a run may get anywhere.
 */
export function reachableCut(structure: EventStructure, newSolver: SolverFactory): Cut | undefined {
  const cuts = [...structure.cuts].sort((a, b) => a.bound - b.bound);
  if (cuts.length === 0) return undefined;
  // Bounds under a model are about runs within the bound.
  const result = computeBounds(structure, undefined);
  if (!result.ok) return cuts[0];
  const solver = newSolver();
  try {
    const formula = createFormula((clause) => solver.addClause(clause));
    const values = createValues(structure, result.bounds.values, formula);
    for (const { path, condition } of structure.constraints) {
      formula.assert(-values.path(path), values.truth(condition));
    }
    return cuts.find(
      (cut) => solver.check([formula.assumption(values.path(cut.path))]).kind !== 'unsat',
    );
  } finally {
    solver.dispose();
  }
}
