import type { Program } from '../../program/program.js';
import type { Retag } from '../../rdma/retags.js';
import { retagged, retagsOf, sameThing } from '../../rdma/retags.js';
import type { Goal, Repair, RepairOptions } from './goal.js';
import { repair, withDoubt } from './repair.js';

/** A repair, and what it changes besides what it adds: tags, and accesses that get more order. */
export interface TaggedRepair {
  readonly repaired: Repair;
  readonly retags: readonly Retag[];
}

/** At most so many tags are changed. */
const MOST = 3;

/** The shares of the time until which tags alone are tried, and then additions alone. */
const TAGS = 0.25;
const ADDITIONS = 0.6;

/**
 * The cheapest repair that may change tags and accesses, too, where the model gives them a meaning. A change is not optional as
 * additions are: each choice of tags is a program of its own, which is tried alone and then, if that can be cheaper, with
 * additions.
 *
 * @param accept checks a program with other tags, of which nothing is known yet
 */
export function repairOrRetag(
  program: Program,
  goal: Goal,
  { costs, deadline, most: below = Infinity }: RepairOptions,
  accept = goal.accept,
): TaggedRepair {
  const choices = choicesOf(retagsOf(program, goal.model));
  if (choices.length === 1) {
    return { repaired: repair(program, goal, { costs, deadline, most: below }), retags: [] };
  }
  const now = performance.now();
  const until = (share: number): number => now + share * (deadline - now);
  let best = tagsAlone(program, accept, choices, { costs, deadline: until(TAGS) });
  let isLate = false;
  let unsure = Infinity;
  for (const retags of choices) {
    const price = priceOf(retags, costs);
    const most = Math.min(costOf(best), below) - price;
    if (most <= 0) break;
    const isPlain = retags.length === 0;
    const options = { costs, deadline: isPlain ? until(ADDITIONS) : deadline, most };
    const found = repair(retagged(program, retags), goal, options);
    if (found.kind !== 'unknown') unsure = Math.min(unsure, price + (found.unsure ?? Infinity));
    isLate ||= found.kind === 'unknown' && found.late === true;
    if (found.kind === 'found' && found.cost < most) {
      best = { repaired: { ...found, cost: found.cost + price }, retags };
    } else if (isPlain) best ??= { repaired: found, retags };
    if (performance.now() > deadline) break;
  }
  const { repaired, retags } = best ?? NOTHING;
  if (repaired.kind === 'unknown') return { repaired, retags };
  const told = withDoubt(repaired, unsure);
  const isDear = told.kind === 'found' && isLate;
  return { repaired: isDear ? { ...told, perhapsDear: true } : told, retags };
}

const priceOf = (retags: readonly Retag[], costs: RepairOptions['costs']): number =>
  retags.reduce((sum, { kind }) => sum + costs[kind], 0);

/** If nothing is cheap enough to be tried. */
const NOTHING: TaggedRepair = { repaired: { kind: 'none' }, retags: [] };

export const costOf = (best: Pick<TaggedRepair, 'repaired'> | undefined): number =>
  best?.repaired.kind === 'found' ? best.repaired.cost : Infinity;

/** Sets of changes, small ones first. None has two changes of one location, or of one call. */
function choicesOf(retags: readonly Retag[]): readonly (readonly Retag[])[] {
  let last: readonly (readonly Retag[])[] = [[]];
  const all = [...last];
  for (let size = 1; size <= MOST; size++) {
    last = last.flatMap((some) => {
      const next = some.length === 0 ? 0 : retags.indexOf(some.at(-1)!) + 1;
      return retags
        .slice(next)
        .filter((retag) => some.every((one) => !sameThing(one, retag)))
        .map((retag) => [...some, retag]);
    });
    all.push(...last);
  }
  return all;
}

/** The fewest changes of tags that are enough by themselves. */
function tagsAlone(
  program: Program,
  accept: Goal['accept'],
  choices: readonly (readonly Retag[])[],
  { costs, deadline }: RepairOptions,
): TaggedRepair | undefined {
  for (const retags of choices) {
    if (retags.length === 0) continue;
    if (performance.now() > deadline) return undefined;
    const changed = retagged(program, retags);
    const accepted = accept(changed);
    if (accepted.kind !== 'met') continue;
    const { upTo, full } = accepted;
    const cost = priceOf(retags, costs);
    const nothing = { additions: [], program: changed, added: new Set<never>() };
    return { repaired: { kind: 'found', cost, ...nothing, upTo, full }, retags };
  }
  return undefined;
}
