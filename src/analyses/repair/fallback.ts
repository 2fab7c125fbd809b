import type { Program } from '../../program/program.js';
import type { Costs } from '../../rdma/additions.js';
import { kindsByCost } from '../../rdma/additions.js';
import type { Goal, Limited, Repair, RepairOptions } from './goal.js';
import type { RepairOffer, Trial } from './trial.js';
import { repairOffer } from './trial.js';

type FoundRepair = Extract<Repair, { kind: 'found' }>;

/** A set of additions that was accepted, as a repair. */
export function foundRepair(
  { additions, make }: RepairOffer,
  choice: readonly number[],
  costs: Costs,
  { upTo, full }: Limited,
): FoundRepair {
  return {
    kind: 'found',
    cost: choice.reduce((sum, i) => sum + costs[additions[i].kind], 0),
    additions: choice.map((i) => additions[i]),
    ...make(choice),
    upTo,
    full,
  };
}

/**
 * A repair that is found fast, if the cheapest one takes too long to find. It puts in all additions, and then takes out those
 * that are not needed, costly ones first. All that are left are needed, but other additions might cost less.
 *
 * @returns undefined: nothing was found, or there was not enough time
 */
export function fallbackRepair(
  program: Program,
  goal: Goal,
  options: RepairOptions,
): FoundRepair | undefined {
  const kinds = kindsByCost(program, goal.model, options.costs);
  for (let n = 1; n <= kinds.length && performance.now() < options.deadline; n++) {
    const offer = repairOffer(
      program,
      new Set(kinds.slice(0, n)),
      false,
      goal.model,
      options.deadline,
    );
    if (offer === undefined) return undefined;
    const trial = goal.try(offer, options.deadline);
    if ('reason' in trial) return undefined;
    try {
      const choice = leastOfAll(offer, trial, options);
      const accepted = choice && goal.accept(offer.make(choice).program);
      if (accepted?.kind === 'met') {
        return { ...foundRepair(offer, choice!, options.costs, accepted), perhapsDear: true };
      }
    } finally {
      trial.dispose();
    }
  }
  return undefined;
}

function leastOfAll(
  { additions, blocks }: RepairOffer,
  trial: Trial,
  { costs, deadline }: RepairOptions,
): readonly number[] | undefined {
  let chosen: readonly number[] = [];
  for (const i of trial.usable) {
    if (performance.now() > deadline) return undefined;
    if (!blocks([...chosen, i])) chosen = [...chosen, i];
  }
  const whole = trial.still(new Set(chosen));
  if (whole.kind !== 'none') return undefined;
  const cost = (i: number): number => costs[additions[i].kind];
  /** Takes out what is not needed: all at once if possible, and otherwise each half by itself. */
  const drop = (some: readonly number[]): void => {
    if (some.length === 0 || performance.now() > deadline) return;
    const rest = chosen.filter((i) => !some.includes(i));
    if (trial.still(new Set(rest)).kind === 'none') chosen = rest;
    else if (some.length > 1) {
      const half = Math.ceil(some.length / 2);
      drop(some.slice(0, half));
      drop(some.slice(half));
    }
  };
  const { enough = chosen } = whole;
  drop(chosen.filter((i) => !enough.includes(i)));
  drop([...chosen].sort((a, b) => cost(b) - cost(a)));
  return chosen;
}
