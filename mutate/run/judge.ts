import { decide } from '../../src/check/decide.js';
import type { Answer } from '../../src/check/result.js';
import { programOrder } from '../../src/program/events/relations.js';
import type { Model } from '../../src/model/term.js';
import { inInstructionsOf } from '../../src/program/in-model.js';
import type { Test } from '../../src/program/program.js';
import type { SolverFactory } from '../../src/solve/solver.js';
import type { Witness } from '../../src/check/witness/witness.js';
import { verifyWitness } from '../../src/check/witness/verify.js';
import type { Mutant } from '../models/mutant.js';
import type { Prepared } from './prepared.js';

/**
 * Does a mutant change the verdict of a query? Decided by the solver, but where it cannot or need not be:
 * a test without a pair of events of the cell that is changed is the same test; an execution that
 * answers the query under the model, and that the mutant allows, answers it under the mutant; and
 * what a model forbids, a stronger one forbids, as long as it allows anything.
 */
export function isCaughtBy(
  { test, structure, answers }: Prepared,
  { cell, direction }: Mutant,
  mutated: Model,
  newSolver: SolverFactory,
): boolean {
  if (cell !== undefined && !hasPair()) return false;
  if (mutated.instructions !== test.program.instructions) return isCaughtAnew();
  const open = answers.filter((answer) => !isSettled(answer)).map(({ query }) => query);
  if (open.length === 0) return false;
  return differs(test, open);

  /** With other instructions, a program has other events: what is known of its executions says nothing. */
  function isCaughtAnew(): boolean {
    const meant = inInstructionsOf(test.program, mutated);
    if (!meant.ok) throw new Error(meant.errors[0].message);
    const queries = answers.map(({ query }) => query);
    return differs({ ...test, program: meant.value }, queries);
  }

  function differs(asked: Test, queries: readonly number[]): boolean {
    const found: Answer[] = [];
    decide(asked, mutated, newSolver, { queries }, (answer) => found.push(answer));
    return found.some((answer) => {
      const original = answers.find(({ query }) => query === answer.query)!;
      return answer.verdict !== original.verdict && answer.verdict !== 'unknown';
    });
  }

  function hasPair(): boolean {
    const { events } = structure;
    const [row, column] = cell!;
    return events.some(
      (a) => a.label === row && events.some((b) => b.label === column && programOrder(a, b)),
    );
  }

  /** Is it clear, without the solver, that the mutant gives the same answer? */
  function isSettled({ verdict, witness }: Answer): boolean {
    if (witness !== undefined) return direction === 'weaker' || allowed(witness);
    if (direction !== 'stronger' || verdict === 'unknown') return false;
    return (
      verdict === 'vacuous' || answers.some((a) => a.witness !== undefined && allowed(a.witness))
    );
  }

  function allowed(witness: Witness): boolean {
    const verified = verifyWitness(structure, mutated, witness);
    return !('wrong' in verified) && verified.judgement.consistent;
  }
}
