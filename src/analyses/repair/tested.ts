import type { Program } from '../../program/program.js';
import { withoutFailures } from '../../rdma/statuses.js';
import type { TestedProgram } from '../../rdma/tested.js';
import type { Goal, Repair, RepairOptions } from './goal.js';
import { LATE, withDoubt } from './repair.js';
import type { TaggedRepair } from './retag.js';
import { costOf, repairOrRetag } from './retag.js';
import type { TestSet } from './test-sets.js';
import { testSets } from './test-sets.js';
import type { Open } from './usefulness.js';

/** A repair, and the tests of statuses that it makes besides what it adds. */
export interface TestedRepair extends TaggedRepair {
  readonly tested?: TestedProgram;
}

/** The shares of the time that is left: for tests alone, for additions alone, for each set of tests with additions. */
const ALONE = 0.25;
const WITHOUT = 0.5;
const EACH = 0.25;

/** A set is begun if so many times the time of the slowest is left: larger sets take longer, and a solver cannot be stopped. */
const REST = 3;

/**
 * The cheapest repair that may test statuses, too, where queue pairs may break. A test makes new executions possible, in
 * which what it guards is left out. So it is not optional as additions are: each set of tests is a program of its own,
 * which is tried alone and then, if that can be cheaper, with additions.
 *
 * @param open opens a session in which it is seen whether tests are of use
 */
export function repairOrTest(
  program: Program,
  goal: Goal,
  { costs, deadline }: RepairOptions,
  open: Open,
): TestedRepair {
  const { sets, larger } = testSets(program, goal, costs, open);
  if (sets.length === 0) return repairOrRetag(program, goal, { costs, deadline });
  const until = (share: number): number =>
    performance.now() + share * (deadline - performance.now());
  const alone = testsAlone(sets, until(ALONE));
  const options = { costs, deadline: until(WITHOUT), most: costOf(alone.best) };
  const without = repairOrRetag(program, goal, options);
  let best: TestedRepair = cheaper(without, alone.best);
  // Without failures all tests hold, and additions change no status. What is not repaired there is not repaired at all.
  if (best.repaired.kind === 'none') {
    const unfailing = repairOrRetag(withoutFailures(program), goal, options);
    if (unfailing.repaired.kind === 'none') return unfailing;
  }
  /** What sets cost at least that may have been passed over. */
  let unsure = Math.min(larger, doubtOf(without.repaired));
  let isLate = !alone.finished || isOutOfTime(without.repaired);
  let slowest = 0;
  for (const { price, make, accept } of sets) {
    const most = costOf(best) - price;
    if (most <= 0) break;
    const begin = performance.now();
    const isOver = begin + REST * slowest > deadline;
    isLate ||= isOver;
    if (isOver) break;
    const tested = make();
    if (tested === undefined) continue;
    const own: Goal = { ...goal, accept: (changed) => accept(changed, tested) };
    const found = repairOrRetag(tested.program, own, { costs, deadline: until(EACH), most });
    unsure = Math.min(unsure, price + doubtOf(found.repaired));
    isLate ||= isOutOfTime(found.repaired);
    slowest = Math.max(slowest, performance.now() - begin);
    best = cheaper(dearer({ ...found, tested }, price), best);
  }
  return { ...best, repaired: told(best.repaired, unsure, isLate) };
}

/** The cheapest tests that are enough by themselves, of those for which there was time. */
function testsAlone(
  sets: readonly TestSet[],
  deadline: number,
): { readonly best?: TestedRepair; readonly finished: boolean } {
  for (const { price, make, accept } of sets) {
    if (performance.now() > deadline) return { finished: false };
    const tested = make();
    const accepted = tested && accept(tested.program, tested);
    if (accepted?.kind !== 'met') continue;
    const { program } = tested!;
    const { upTo, full } = accepted;
    const nothing = { additions: [], program, added: new Set<never>() };
    const repaired = { kind: 'found', cost: price, ...nothing, upTo, full } as const;
    return { best: { repaired, retags: [], tested }, finished: true };
  }
  return { finished: true };
}

/** The first of two repairs if it is cheaper, or if there is no second one. */
const cheaper = (one: TestedRepair, other: TestedRepair | undefined): TestedRepair =>
  other === undefined || costOf(one) < costOf(other) ? one : other;

/** A repair that costs more. */
const dearer = (one: TestedRepair, price: number): TestedRepair =>
  one.repaired.kind === 'found'
    ? { ...one, repaired: { ...one.repaired, cost: one.repaired.cost + price } }
    : one;

const isOutOfTime = (one: Repair): boolean => one.kind === 'unknown' && one.late === true;

const doubtOf = (one: Repair): number => (one.kind === 'unknown' ? 0 : (one.unsure ?? Infinity));

/** The best repair, and what is not known of others. */
function told(best: Repair, unsure: number, isLate: boolean): Repair {
  if (best.kind === 'unknown') return best;
  if (!isLate) return withDoubt(best, unsure);
  return best.kind === 'none' ? LATE : { ...best, perhapsDear: true };
}
