import { computeBounds } from '../encode/bounds/bounds.js';
import { createFormula } from '../encode/formula.js';
import { createValueLiterals } from '../encode/values.js';
import type { Cut, EventStructure } from '../program/events/structure.js';
import type { SolverFactory } from '../solve/solver.js';
import type { CheckSession } from './session.js';

/**
 * Why "no execution" cannot be trusted, in words: some run divides by zero, and such runs are left out.
 * To be asked while the session's solver excludes nothing that the model allows.
 */
export function divisionByZero({ structure, encoding, solver }: CheckSession): string | undefined {
  if (structure.divisions.length === 0) return undefined;
  const { kind } = solver.check([encoding.formula.assumption(encoding.dividesByZero)]);
  if (kind === 'unsat') return undefined;
  return kind === 'sat' ? 'some run divides by zero' : 'some run may divide by zero';
}

/**
 * A place where some run may get beyond the loop bound, of several the one with the least bound;
 * undefined: the unrolling is complete.
 *
 * Judged for each thread alone, as far as the cut: every read is free to read any value that it may read at all,
 * whatever the model says, so whichever thread of a run gets beyond the bound first does so here too, and
 * "complete" is never wrong. What comes later in a run, in that thread or in others, says nothing: values from beyond the
 * bound may have been read before. Where the values cannot be told, a run may get anywhere.
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
