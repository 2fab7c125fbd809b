import { DEFAULT_BOUND } from '../../program/events/unroll.js';
import type { Test } from '../../program/program.js';
import type { Costs } from '../../rdma/additions.js';
import type { PrintedRepair } from '../repair/print.js';
import { printRepair } from '../repair/print.js';
import type { Acceptance, Goal } from '../repair/goal.js';
import { repairOrRetag } from '../repair/retag.js';
import { trySolving } from '../repair/solved.js';
import type { RobustGiven, Approach } from './analysis.js';
import { analyse } from './analysis.js';
import type { Comparison, Robustness } from './result.js';
import { violating } from './violating.js';

/** A test that is to be made robust, its program in the instructions of the model. */
export interface RobustFixInput extends Approach {
  readonly test: Test;
  /** What is compared: executions. */
  readonly comparison: Exclude<Comparison, 'outcomes'>;
  readonly costs: Costs;
}

/** The loop bound is raised so many times if a violation needs more iterations. */
const MORE = 4;

/** The cheapest additions with which every execution of a test is one of the reference, too. */
export function fixRobustness(
  { test, comparison, costs, ...ways }: RobustFixInput,
  given: RobustGiven,
): PrintedRepair {
  const { models, newSolver, deadline, acyclicity } = given;
  const [model, reference] = models;
  const [question, ...others] = violating(model, reference);
  if (others.length > 0) throw new Error(`${reference.name} has several axioms`);
  const options = { prefixes: comparison === 'prefixes', everyIteration: true, acyclicity };
  const goalWithin = (bound: number): Goal => ({
    model: question.model,
    try: (offer) => trySolving(offer, question, newSolver, { ...options, bound }),
    accept: (program) =>
      acceptance(analyse({ program, comparisons: [comparison], ...ways }, given)[0]),
  });
  const first = given.bound ?? test.program.bound ?? DEFAULT_BOUND;
  // The exploration has no loop bound, so that a violation which it finds may need more iterations.
  for (let bound = first; ; bound++) {
    const options = { costs, deadline };
    const { repaired: found, retags } = repairOrRetag(test.program, goalWithin(bound), options);
    const beyond = found.kind === 'unknown' && found.beyond === true;
    if (!beyond || bound === first + MORE) return printRepair(test, found, { retags });
  }
}

function acceptance({ verdict, reason, upTo, explored }: Robustness): Acceptance {
  switch (verdict) {
    case 'robust':
      return { kind: 'met', upTo };
    case 'not robust':
      return { kind: explored === undefined ? 'missed' : 'beyond' };
    case 'vacuous':
      return { kind: 'vacuous' };
    case 'unknown':
      return { kind: 'unknown', reason: reason ?? 'undecided' };
  }
}
