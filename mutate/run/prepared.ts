import { decide } from '../../src/check/decide.js';
import { expectedOf } from '../../src/check/expectation.js';
import type { Answer } from '../../src/check/result.js';
import type { EventStructure } from '../../src/program/events/structure.js';
import { unroll } from '../../src/program/events/unroll.js';
import { CPU_MODEL } from '../../src/model/shipped.js';
import type { Model } from '../../src/model/term.js';
import { isRemote } from '../../src/program/instructions.js';
import type { Test } from '../../src/program/program.js';
import { isStateQuery } from '../../src/program/program.js';
import { adapt } from '../../src/rdma/translate.js';
import type { SolverFactory } from '../../src/solve/solver.js';
import type { Guard } from '../guards.js';
import { guardsOf } from '../guards.js';

/** A test of the corpus in the instructions of a model, and what the model answers. */
export interface Prepared {
  /** In the instructions of the model. */
  readonly test: Test;
  readonly structure: EventStructure;
  /** What the model answers to the queries that mutants are judged by. */
  readonly answers: readonly Answer[];
  readonly guards: readonly Guard[];
}

/** Other definitions of a model, which has the same verdicts (mutate/equivalent.md). */
const OTHER_FORMS: Readonly<Record<string, string>> = {
  'rdma-sc-no-ib': 'rdma-sc',
  'rdma-tso-4.4': 'rdma-tso',
  'rdma-tso-rec': 'rdma-tso',
};

/**
 * The queries of a test that mutants of a model have to get right: those with an expectation for the
 * model, whichever of its definitions is named; in a file that guards mutants of it, all. Questions about runs are not
 * asked of models.
 */
export function askedOf(test: Test, model: string): readonly number[] {
  // A model of CPUs has no executions of programs with remote operations.
  const isGuard = guardsOf(test.file).some(({ models }) => models.includes(model));
  if (!isGuard && model === CPU_MODEL && isRemote(test.program)) return [];
  const names = [model, OTHER_FORMS[model] ?? model];
  return test.queries.flatMap((query, i) =>
    isStateQuery(query) && (isGuard || names.some((name) => expectedOf(query, name) !== undefined))
      ? [i]
      : [],
  );
}

/** A test as mutants of a model have to get it right; undefined if it asks nothing of them. */
export function prepare(test: Test, model: Model, newSolver: SolverFactory): Prepared | undefined {
  const adapted = adapt(test.program, model);
  if (!adapted.ok) return undefined;
  const guards = guardsOf(test.file);
  const queries = askedOf(test, model.name);
  if (queries.length === 0) return undefined;
  const inModel = { ...test, program: adapted.value.program };
  const answers: Answer[] = [];
  decide(inModel, model, newSolver, { queries }, (answer) => answers.push(answer));
  return { test: inModel, structure: unroll(inModel.program), answers, guards };
}
