import { reachableCut } from '../../check/completeness.js';
import { enumerate } from '../../check/decide.js';
import type { SessionOptions } from '../../check/session.js';
import type { Model } from '../../model/term.js';
import type { Program } from '../../program/program.js';
import { allSubjects } from '../../program/subjects.js';
import type { SolverFactory } from '../../solve/solver.js';
import type { RobustFinding } from './exact.js';
import { allWithin, disagreement, unknown, withSession } from './exact.js';
import { describedViolation } from './violation.js';

/**
 * Does every execution that a model admits end in a final state that the reference allows, too? This asks less than a
 * comparison of executions: only final values are compared, not what was read on the way.
 *
 * The final states of the reference are listed, and the model is asked for one that is not among
 * them.
 */
export function compareFinalStates(
  program: Program,
  model: Model,
  reference: Model,
  newSolver: SolverFactory,
  { bound, acyclicity }: SessionOptions,
): RobustFinding {
  const subjects = allSubjects(program);
  const test = { file: '', name: '', notes: [], program, queries: [], warnings: [] };
  const listed = enumerate(test, reference, newSolver, subjects, bound, { acyclicity });
  if (listed.incomplete !== undefined) {
    return unknown(`final states under ${reference.name}: ${listed.incomplete}`);
  }
  const options = { acyclicity, bound };
  try {
    return withSession(program, model, newSolver, options, (session): RobustFinding => {
      const { encoding, structure } = session;
      const finals = subjects.map((s) => encoding.finalValues(s));
      const others = listed.states.map((state) =>
        Object.values(state).map((value, i) => {
          const lit = finals[i].get(value);
          return lit === undefined ? undefined : -lit;
        }),
      );
      // A state with a value that is impossible under the model need not be excluded.
      const clauses = others.map((lits) => lits.filter((lit) => lit !== undefined));
      const differs = encoding.formula.and(
        ...clauses.flatMap((lits, i) =>
          lits.length < others[i].length ? [] : [encoding.formula.or(...lits)],
        ),
      );
      const search = session.find(differs);
      if (search.kind === 'unknown') return unknown(search.reason);
      if (search.kind === 'none') return allWithin(session, model, newSolver);
      // The reference may reach this state in a run beyond the bound.
      const upTo = reachableCut(structure, newSolver)?.bound;
      const violation = describedViolation(structure, search.verified, model);
      return { verdict: 'not robust', violation, upTo };
    });
  } catch (error) {
    return disagreement(error);
  }
}
