import type { SessionOptions } from '../check/session.js';
import type { Model } from '../model/term.js';
import type { Test } from '../program/program.js';
import type { Costs } from '../repair/additions.js';
import type { PrintedRepair } from '../repair/print.js';
import { printRepair } from '../repair/print.js';
import type { Acceptance } from '../repair/repair.js';
import { repair } from '../repair/repair.js';
import type { SolverFactory } from '../solve/solver.js';
import type { Finding } from './exact.js';
import { compareExecutions } from './exact.js';
import { violating } from './violating.js';

/** A test that is to be made robust, its program in the instructions of the model. */
export interface RobustFixInput {
  readonly test: Test;
  /** Whether executions in which threads stop anywhere count, too. */
  readonly prefixes: boolean;
  readonly costs: Costs;
}

/** What workers are given beside; of the models, the second one is the reference. */
interface Given extends Pick<SessionOptions, 'bound' | 'acyclicity'> {
  readonly models: readonly Model[];
  readonly newSolver: SolverFactory;
  readonly deadline: number;
}

/** The cheapest additions with which every execution of a test is one of the reference, too. */
export function fixRobustness(
  { test, prefixes, costs }: RobustFixInput,
  { models: [model, reference], newSolver, deadline, bound, acyclicity }: Given,
): PrintedRepair {
  const options = {
    prefixes,
    ...(bound !== undefined && { bound }),
    ...(acyclicity !== undefined && { acyclicity }),
  };
  const [question, ...others] = violating(model, reference);
  if (others.length > 0) throw new Error(`${reference.name} has several axioms`);
  const found = repair(
    test.program,
    {
      model: question.model,
      accept: (program) =>
        acceptance(compareExecutions(program, model, reference, newSolver, options)),
    },
    newSolver,
    { ...options, costs, deadline },
  );
  return printRepair(test, found);
}

function acceptance({ verdict, reason }: Finding): Acceptance {
  switch (verdict) {
    case 'robust':
      return { kind: 'met' };
    case 'not robust':
      return { kind: 'missed' };
    case 'vacuous':
      return { kind: 'vacuous' };
    case 'unknown':
      return { kind: 'unknown', reason: reason ?? 'undecided' };
  }
}
