import type { Program } from '../../program/program.js';
import type { Costs } from '../../rdma/additions.js';
import { kindsByCost } from '../../rdma/additions.js';
import { additionsOf } from '../../rdma/offering.js';
import { operationNotKnown } from '../../rdma/postings.js';
import { memoriesOf } from '../../rdma/retags.js';
import type { StatusTest } from '../../rdma/statuses.js';
import { mayFail, statusTestsOf } from '../../rdma/statuses.js';
import type { TestedProgram } from '../../rdma/tested.js';
import { withTests } from '../../rdma/tested.js';
import type { Acceptance, Goal, Repair, RepairOptions } from './goal.js';
import { LATE, withDoubt } from './repair.js';
import type { TaggedRepair } from './retag.js';
import { costOf, repairOrRetag } from './retag.js';
import type { KnownPolls } from './trial.js';
import { completionUnder, isSpoilt, knownPolls } from './trial.js';
import type { Open } from './usefulness.js';
import { usefulness } from './usefulness.js';

/** A repair, and the tests of statuses that it makes besides what it adds. */
export interface TestedRepair extends TaggedRepair {
  readonly tested?: TestedProgram;
}

/** At most so many tests are made. */
const MOST = 3;

/** The share of the time for repairs without tests; and, of what is left, for each set of tests. */
const WITHOUT = 0.5;
const EACH = 0.25;

/** A set is begun if so many times the time of the slowest before is left: large sets take longer, and a solver cannot be stopped. */
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
  const isUseful = usefulness(program, open);
  const polls = knownPolls(program);
  const sets = setsOf(program, goal, costs, isUseful);
  if (sets.length === 0) return repairOrRetag(program, goal, { costs, deadline });
  const share = (of: number): number => performance.now() + of * (deadline - performance.now());
  let best: TestedRepair = repairOrRetag(program, goal, { costs, deadline: share(WITHOUT) });
  /** What sets cost at least that may have been passed over. */
  let unsure = doubtOf(best.repaired);
  let isLate = isOutOfTime(best.repaired);
  let slowest = 0;
  for (const { tests, price, isLarge, base } of sets) {
    const most = costOf(best) - price;
    if (most <= 0) break;
    const isOver = performance.now() + REST * slowest > deadline;
    if (isLarge) unsure = Math.min(unsure, price);
    isLate ||= isOver;
    if (isLarge || isOver) break;
    const begin = performance.now();
    const tested = withTests(base, tests);
    if (isSpoilt(tested.program, withNames(polls, tested.named))) continue;
    const accept = (changed: Program): Acceptance => {
      const accepted = goal.accept(changed);
      return accepted.kind === 'met' && !isUseful(changed, tested) ? { kind: 'vacuous' } : accepted;
    };
    const alone = accept(tested.program);
    const options = { costs, deadline: share(EACH), most };
    const found =
      alone.kind === 'met'
        ? nothingAdded(tested.program, alone)
        : repairOrRetag(tested.program, { ...goal, accept }, options);
    const { repaired } = found;
    unsure = Math.min(unsure, price + doubtOf(repaired));
    isLate ||= isOutOfTime(repaired);
    slowest = Math.max(slowest, performance.now() - begin);
    if (repaired.kind === 'found' && repaired.cost < most) {
      best = { ...found, repaired: { ...repaired, cost: repaired.cost + price }, tested };
    }
  }
  return { ...best, repaired: told(best.repaired, unsure, isLate) };
}

const isOutOfTime = (one: Repair): boolean => one.kind === 'unknown' && one.late === true;

const doubtOf = (one: Repair): number => (one.kind === 'unknown' ? 0 : (one.unsure ?? Infinity));

/** The best repair, and what is not known of others. */
function told(best: Repair, unsure: number, isLate: boolean): Repair {
  if (best.kind === 'unknown') return best;
  if (!isLate) return withDoubt(best, unsure);
  return best.kind === 'none' ? LATE : { ...best, perhapsDear: true };
}

const nothingAdded = (
  program: Program,
  { upTo, full }: Extract<Acceptance, { kind: 'met' }>,
): TaggedRepair => ({
  repaired: { kind: 'found', cost: 0, additions: [], program, added: new Set(), upTo, full },
  retags: [],
});

/** What is known of the polls of a program, where some of them get registers for their status. */
function withNames({ blocking, statuses }: KnownPolls, named: TestedProgram['named']): KnownPolls {
  const known = named.flatMap(({ insteadOf, instructions: [poll] }) =>
    blocking.has(insteadOf) ? [poll] : [],
  );
  return { blocking: new Set([...blocking, ...known]), statuses };
}

/** Tests that are made together. */
interface TestSet {
  readonly tests: readonly StatusTest[];
  readonly price: number;
  /** The program that has the locations for what is added with them. */
  readonly base: Program;
  /** Whether there are too many of them to be tried. */
  readonly isLarge: boolean;
}

/** Sets of tests that are each of use, cheap sets first. */
function setsOf(
  program: Program,
  { model }: Goal,
  costs: Costs,
  isUseful: ReturnType<typeof usefulness>,
): readonly TestSet[] {
  if (!mayFail(program) || operationNotKnown(program) !== undefined) return [];
  if (completionUnder(model) === 'wait') return [];
  const kinds = new Set(kindsByCost(program, costs).filter((kind) => kind.endsWith('poll')));
  const offer = additionsOf(program, kinds, 'poll', false, memoriesOf(model));
  const set = (tests: readonly StatusTest[]): TestSet => {
    const added = tests.flatMap((test) => test.kinds);
    return {
      tests,
      price: added.reduce((sum, kind) => sum + costs[kind], tests.length * costs.status),
      base: added.some((kind) => kind !== 'poll') ? offer.program : program,
      isLarge: tests.length > MOST,
    };
  };
  const polls = knownPolls(program);
  const single = statusTestsOf(program, offer.additions).filter((test) => {
    const { base } = set([test]);
    const tested = withTests(base, [test]);
    const isSound = !isSpoilt(tested.program, withNames(polls, tested.named));
    return isSound && isUseful(tested.program, tested);
  });
  let last: readonly (readonly StatusTest[])[] = [[]];
  const all: TestSet[] = [];
  for (let size = 1; size <= MOST; size++) {
    last = last.flatMap((some) =>
      single.slice(single.indexOf(some.at(-1)!) + 1).map((one) => [...some, one]),
    );
    all.push(...last.map(set));
  }
  // One set stands for all larger ones.
  const cheapest = [...single].sort((a, b) => set([a]).price - set([b]).price);
  if (single.length > MOST) all.push(set(cheapest.slice(0, MOST + 1)));
  return all.sort((a, b) => a.price - b.price);
}
