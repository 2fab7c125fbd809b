import { computeBounds } from '../encode/bounds/bounds.js';
import { createFormula } from '../encode/formula.js';
import { createValueLiterals } from '../encode/values.js';
import type { Cut, EventStructure } from '../program/events/structure.js';
import type { SolverFactory } from '../solve/solver.js';
import type { CheckSession } from './session.js';

/**
 * Why "no execution" cannot be trusted, in words: some run divides by zero, and such runs are left out. Must be called
 * before the session's solver excludes any execution that the model allows.
 */
export function divisionByZero({ structure, encoding, solver }: CheckSession): string | undefined {
  if (structure.divisions.length === 0) return undefined;
  const { kind } = solver.check([encoding.formula.assumption(encoding.dividesByZero)]);
  if (kind === 'unsat') return undefined;
  return kind === 'sat' ? 'some run divides by zero' : 'some run may divide by zero';
}

/**
 * The place with the least bound at which some run may get beyond the loop bound; undefined if the unrolling is
 * complete.
 *
 * Each thread is judged alone, up to the cut, and every read may read any of its possible values, whatever the model
 * says. So the first thread of a run that gets beyond the bound does so here, too, and "complete" is never wrong. Later
 * parts of a run, in this thread or others, prove nothing, since they may depend on values from beyond the bound. If
 * the values cannot be computed, a run may get anywhere.
 */
export function reachableCut(structure: EventStructure, newSolver: SolverFactory): Cut | undefined {
  const cuts = [...structure.cuts].sort((a, b) => a.bound - b.bound);
  if (cuts.length === 0) return undefined;
  // No model is given, since bounds under a model only hold for runs within the loop bound.
  const result = computeBounds(structure, undefined);
  if (!result.ok) return cuts[0];
  const solver = newSolver();
  try {
    const formula = createFormula((clause) => solver.addClause(clause));
    const values = createValueLiterals(structure, result.bounds.values, formula);
    return cuts.find(({ thread, path, constraints }) => {
      const before = structure.constraints.slice(0, constraints).filter((c) => c.thread === thread);
      const met = before.map((c) => formula.or(-values.path(c.path), values.truth(c.condition)));
      const reached = formula.and(values.path(path), ...met);
      return solver.check([formula.assumption(reached)]).kind !== 'unsat';
    });
  } finally {
    solver.dispose();
  }
}
