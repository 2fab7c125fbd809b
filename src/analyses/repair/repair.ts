import { instructionsOf } from '../../program/instructions.js';
import { knownPosting, operationNotKnown } from '../../rdma/postings.js';
import type { Program } from '../../program/program.js';
import type { AdditionKind, Costs } from '../../rdma/additions.js';
import { kindsByCost } from '../../rdma/additions.js';
import { changesStatuses, mayFail } from '../../rdma/statuses.js';
import type { ChosenAdditions } from './chooser.js';
import { createChooser } from './chooser.js';
import type { Goal, Repair, RepairOptions } from './goal.js';
import { foundRepair, fallbackRepair } from './fallback.js';
import type { RepairOffer, Trial } from './trial.js';
import { repairOffer } from './trial.js';

const NONE = { kind: 'none' } as const;

/** The share of the time for the search for the cheapest repair. */
const EXACT = 0.6;

export const LATE = {
  kind: 'unknown',
  reason: 'the time limit was reached while searching for a repair',
  late: true,
} as const;

/** The search gives up after so many sets of additions that cannot be decided. */
const DOUBTS = 10;

/**
 * The cheapest additions that make a program as it should be. If it is so already, none are needed.
 *
 * The search is guided by counterexamples. It works on a program in which all additions are optional, and tries the
 * cheapest set that is not ruled out yet. If something bad can still happen, it puts in more additions, as many as
 * possible so that the bad thing can still happen. Then one of those that are left out is needed. A set that works is
 * checked on the program itself. Sets with which some poll might have nothing to poll are not tried: a thread that waits
 * for ever does nothing bad, but this is no repair.
 *
 * The result is the cheapest if additions never make new executions possible. This holds for the shipped models, but for
 * polls of statuses: then it is `unsure`. For other models the result is still correct, but perhaps not the cheapest.
 */
export function repair(program: Program, goal: Goal, options: RepairOptions): Repair {
  const { costs, deadline, most = Infinity } = options;
  const unknown = operationNotKnown(program);
  if (unknown !== undefined) {
    const reason = `additions to programs with the operation \`${unknown}\` are not known`;
    return { kind: 'unknown', reason };
  }
  const now = performance.now();
  const exact = { ...options, deadline: now + (deadline - now) * EXACT };
  const kinds = kindsByCost(program, goal.model, costs);
  let result: Exclude<Repair, { kind: 'unknown' }> = NONE;
  let unsure = Infinity;
  const levels = kinds.map((_, n) => ({
    kinds: new Set(kinds.slice(0, n + 1)),
    several: false,
    least: costs[kinds[n]],
  }));
  // Several gets at one place are useful if the program has polls that can take their completions.
  if (polls(program)) {
    levels.push({ kinds: new Set(kinds), several: true, least: 2 * costs['get-and-poll'] });
  }
  // Costly additions make the program larger. They are tried only if they could give a cheaper repair.
  for (const level of levels) {
    if (level.least >= most || (result.kind === 'found' && result.cost <= level.least)) break;
    const found = repairWith(program, level.kinds, level.several, goal, exact);
    if (found.kind === 'unknown') {
      if (result.kind === 'found') return { ...result, perhapsDear: true };
      return found.late === true ? (fallbackRepair(program, goal, options) ?? found) : found;
    }
    unsure = Math.min(unsure, found.unsure ?? Infinity);
    if (found.kind === 'found' && (result.kind === 'none' || found.cost < result.cost)) {
      result = found;
    }
  }
  return withDoubt(result, unsure);
}

const polls = (program: Program): boolean =>
  program.threads.some(({ body }) =>
    [...instructionsOf(body)].some((i) => knownPosting(program, i).kind === 'poll'),
  );

function repairWith(
  program: Program,
  kinds: ReadonlySet<AdditionKind>,
  several: boolean,
  goal: Goal,
  options: RepairOptions,
): Repair {
  const offer = repairOffer(program, kinds, several, goal.model, options.deadline);
  if (offer === undefined) return LATE;
  const trial = goal.try(offer, options.deadline);
  if ('reason' in trial) return { kind: 'unknown', reason: trial.reason };
  try {
    const found = search(offer, trial, goal, options);
    return found.kind === 'unknown' ? found : withDoubt(found, passedOver(offer, options.costs));
  } finally {
    trial.dispose();
  }
}

/** What sets cost at least that may be passed over, as one of their additions may change what statuses are. */
const passedOver = ({ program, additions }: RepairOffer, costs: Costs): number =>
  Math.min(
    ...(mayFail(program) ? additions : [])
      .filter((one) => changesStatuses(program, one))
      .map(({ kind }) => costs[kind]),
  );

/** An answer, if sets that cost at least so much may have been passed over. */
export function withDoubt<Found extends Exclude<Repair, { kind: 'unknown' }>>(
  found: Found,
  unsure: number,
): Found {
  const most = found.kind === 'found' ? found.cost : Infinity;
  return unsure < most ? { ...found, unsure } : found;
}

/** Tries sets of additions, the cheapest first, until one works or none is left. */
function search(offer: RepairOffer, trial: Trial, goal: Goal, options: RepairOptions): Repair {
  const { costs, deadline, most = Infinity } = options;
  const { additions } = offer;
  const chooser = createChooser(
    additions.map((a) => costs[a.kind]),
    additions.map((a) => a.after),
    deadline,
  );
  const witnesses = new WitnessGrower(trial, additions.length, deadline);
  /** Why sets could not be decided, one reason for each. */
  const doubts: string[] = [];
  for (;;) {
    const choice = chooser.next();
    if (performance.now() > deadline) return LATE;
    if (choice === undefined) {
      const reason = doubts.at(-1);
      return reason === undefined ? NONE : { kind: 'unknown', reason };
    }
    if (choice.reduce((sum, i) => sum + costs[additions[i].kind], 0) >= most) return NONE;
    if (offer.blocks(choice)) {
      chooser.forbids(leastBlocking(offer, choice));
      continue;
    }
    const chosen = new Set(choice);
    const still = trial.still(chosen);
    if (still.kind === 'unknown') return still;
    if (still.kind === 'found') {
      const needed = witnesses.leftOut(chosen);
      if (needed.length === 0) return NONE;
      chooser.needs(needed);
      continue;
    }
    const accepted = goal.accept(offer.make(choice).program);
    switch (accepted.kind) {
      case 'met':
        return foundRepair(offer, choice, costs, accepted);
      case 'unknown':
        doubts.push(accepted.reason);
        if (doubts.length === DOUBTS) return { kind: 'unknown', reason: accepted.reason };
        chooser.excludes(choice);
        break;
      case 'beyond': {
        const reason = 'what is left to repair happens beyond the loop bound only';
        return { kind: 'unknown', reason, beyond: true };
      }
      case 'vacuous':
        chooser.excludes(choice);
        break;
      case 'missed':
        throw new Error(
          'a repair of the program with optional additions does not repair the program',
        );
    }
  }
}

/** Of additions with which a poll may have nothing to poll, so few that each of them is needed for that. */
const leastBlocking = (offer: RepairOffer, choice: ChosenAdditions): ChosenAdditions =>
  choice.reduce((some, i) => {
    const others = some.filter((j) => j !== i);
    return offer.blocks(others) ? others : some;
  }, choice);

/** Learns from what goes wrong with some additions which others are needed. */
class WitnessGrower {
  /** For each addition, in how many learnt clauses it is. */
  private readonly needs: number[];

  constructor(
    private readonly trial: Trial,
    additions: number,
    private readonly deadline: number,
  ) {
    this.needs = new Array<number>(additions).fill(0);
  }

  /**
   * Puts in more additions, as many as possible so that the bad thing can still happen.
   *
   * @returns those that are left out: one of them is needed
   */
  leftOut(chosen: ReadonlySet<number>): readonly number[] {
    const { trial, deadline, needs } = this;
    const all = new Set(chosen);
    const others = trial.usable.filter((i) => !all.has(i));
    // Additions that are in no clause yet can probably all be put in at once.
    others.sort((a, b) => needs[a] - needs[b]);
    /** What cannot be put in beside those that are in cannot be beside more, either. */
    const failed = new Set<number>();
    const extend = (some: readonly number[], fails = false): void => {
      const more = some.filter((i) => !all.has(i) && !failed.has(i));
      if (more.length === 0 || performance.now() > deadline) return;
      if (!fails && trial.stillWith([...all, ...more]) === 'found') {
        // The solution may have further additions: these are put in, too.
        for (const i of others) if (trial.isThere(i)) all.add(i);
      } else if (more.length > 1) {
        const half = Math.ceil(more.length / 2);
        const first = more.slice(0, half);
        extend(first);
        // With all of the first half this is what has just failed.
        extend(
          more.slice(half),
          first.every((i) => all.has(i)),
        );
      } else {
        failed.add(more[0]);
      }
    };
    extend(others.filter((i) => needs[i] === 0));
    extend(others);
    for (const i of others) if (!all.has(i)) needs[i] += 1;
    return trial.usable.filter((i) => !all.has(i));
  }
}
