import type { CheckSession, SessionOptions } from '../../check/session.js';
import { openSession } from '../../check/session.js';
import type { Lit } from '../../encode/formula.js';
import type { Model } from '../../model/term.js';
import type { SolverFactory } from '../../solve/solver.js';
import type { Additions } from '../../rdma/additions.js';
import { optionalPresence, withOptional } from './optional.js';
import type { Trial } from './trial.js';

/** What must not happen. */
export interface Badness {
  /** The model whose executions must not be bad. */
  readonly model: Model;
  /** The literal that says that an execution is bad. Without it, every execution is bad. */
  readonly bad?: (session: CheckSession) => Lit;
}

/** Tries additions by a solver: one session has the program with all of them, and a set is a list of assumptions. */
export function trySolving(
  { program, additions }: Additions,
  { model, bad }: Badness,
  newSolver: SolverFactory,
  options: SessionOptions,
): Trial | { readonly reason: string } {
  const session = openSession(withOptional(program, additions), model, newSolver, options);
  if ('reason' in session) return session;
  const literals = optionalPresence(session, additions);
  const usable = additions.flatMap((_, i) => (literals[i].length === 0 ? [] : [i]));
  const badness = bad === undefined ? [] : [bad(session)];
  return {
    usable,
    still(chosen) {
      const asked = usable.flatMap((i) => literals[i].map((lit) => (chosen.has(i) ? lit : -lit)));
      const answer = session.ask(...badness, ...asked);
      if (answer.kind === 'unknown') return { kind: 'unknown', reason: 'the solver gave up' };
      if (answer.kind === 'found' || answer.core === undefined) return { kind: answer.kind };
      const core = new Set(answer.core);
      const enough = [...chosen].filter((i) => literals[i].some((lit) => core.has(lit)));
      return { kind: 'none', enough };
    },
    stillWith: (chosen) => session.ask(...badness, ...chosen.flatMap((i) => literals[i])).kind,
    isThere: (addition) =>
      literals[addition].every((literal) => {
        const asked = session.encoding.formula.assumption(literal);
        return session.solver.value(Math.abs(asked)) === asked > 0;
      }),
    dispose: () => session.solver.dispose(),
  };
}
