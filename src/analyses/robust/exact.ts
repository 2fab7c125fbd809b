import { divisionByZero, reachableCut } from '../../check/completeness.js';
import type { CheckSession, SessionOptions } from '../../check/session.js';
import { DisagreementError, openSession } from '../../check/session.js';
import { emptinessOf } from '../../check/vacuity.js';
import type { Model } from '../../model/term.js';
import type { Program } from '../../program/program.js';
import type { SolverFactory } from '../../solve/solver.js';
import type { Robustness, Violation } from './result.js';
import { describeViolation } from './violation.js';
import { violating } from './violating.js';

/** A verdict and what it rests on. */
export type RobustFinding = Omit<Robustness, 'comparison' | 'milliseconds'>;

/**
 * Is every execution of a program that a model admits one of the reference too (robustness paper,
 * Defs. 5 and 11; decidability paper, Def. 3)? The program must be in the model's instructions.
 */
export function compareExecutions(
  program: Program,
  model: Model,
  reference: Model,
  newSolver: SolverFactory,
  options: SessionOptions,
): RobustFinding {
  try {
    for (const question of violating(model, reference)) {
      const found = withSession(program, question.model, newSolver, options, (session) => {
        const search = session.find();
        if (search.kind === 'unknown') return unknown(search.reason);
        if (search.kind === 'none') return undefined;
        const { verified, witness } = search;
        const { axiom } = question;
        const violation = describeViolation(session.structure, verified, model, reference, axiom);
        if (violation !== undefined) return notRobust(violation);
        throw new DisagreementError(`${axiom.name} of ${reference.name} holds`, witness);
      });
      if (found !== undefined) return found;
    }
    return withSession(program, model, newSolver, options, (session) =>
      allWithin(session, model, newSolver),
    );
  } catch (error) {
    return disagreement(error);
  }
}

const notRobust = (violation: Violation): RobustFinding => ({ verdict: 'not robust', violation });

export const unknown = (reason: string): RobustFinding => ({ verdict: 'unknown', reason });

/** An internal error: never a verdict, but a reproducer. Other errors are thrown again. */
export function disagreement(error: unknown): RobustFinding {
  if (!(error instanceof DisagreementError)) throw error;
  const execution = JSON.stringify(error.witness);
  return unknown(`internal error, please report it: ${error.message}; execution: ${execution}`);
}

/** Opens a session, works with it, and closes it. If it cannot be opened, the verdict is unknown. */
export function withSession<T>(
  program: Program,
  model: Model,
  newSolver: SolverFactory,
  options: SessionOptions,
  work: (session: CheckSession) => T,
): T | RobustFinding {
  const session = openSession(program, model, newSolver, options);
  if ('reason' in session) return unknown(session.reason);
  try {
    return work(session);
  } finally {
    session.solver.dispose();
  }
}

/** The verdict if there is no violation: robust, unless there is no execution at all, or something is undecided. */
export function allWithin(
  session: CheckSession,
  model: Model,
  newSolver: SolverFactory,
): RobustFinding {
  const { structure } = session;
  const doubt = divisionByZero(session);
  if (doubt !== undefined) return unknown(doubt);
  const upTo = reachableCut(structure, newSolver)?.bound;
  const any = session.find();
  if (any.kind === 'unknown') return unknown('whether there is any execution is undecided');
  if (any.kind === 'found') return { verdict: 'robust', upTo };
  return emptinessOf(structure, model, newSolver, upTo);
}
