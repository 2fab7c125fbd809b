import { dependsOn } from '../../model/depends.js';
import type { Model } from '../../model/term.js';
import type { Instruction, Program } from '../../program/program.js';
import type { Addition, AdditionKind, Additions } from '../../rdma/additions.js';
import { insert } from '../../rdma/additions.js';
import { blockingPolls } from '../../rdma/blocking.js';
import { additionsOf } from '../../rdma/offering.js';
import { statusSources } from '../../rdma/statuses.js';
import { ordersLittle } from '../../rdma/hosts.js';
import { memoriesOf } from '../../rdma/retags.js';

/** A program with optional additions, and something that says what can happen with a set of them. */
export interface Trial {
  /** The indices of the additions that some run reaches. */
  readonly usable: readonly number[];
  /** Can something bad happen with exactly these additions? If not, it may tell which of them are enough. */
  still(chosen: ReadonlySet<number>): Still;
  /** Can something bad happen with these additions and perhaps others? If `found`, `isThere` says which are there. */
  stillWith(chosen: readonly number[]): Still['kind'];
  isThere(addition: number): boolean;
  dispose(): void;
}

export type Still =
  | { readonly kind: 'found' }
  | { readonly kind: 'none'; readonly enough?: readonly number[] }
  | { readonly kind: 'unknown'; readonly reason: string; readonly late?: true };

/** Additions from which some are to be chosen. */
export interface RepairOffer extends Additions {
  /** The program with some of them, and the instructions that are new. */
  make(choice: readonly number[]): ReturnType<typeof insert>;
  /** With these additions, might a poll have nothing to poll, or a status be of other work, other than without them? */
  blocks(choice: readonly number[]): boolean;
}

/**
 * All additions of some kinds but for those with which, even alone, some poll may have nothing to poll, or polls the status
 * of other work.
 *
 * @param deadline when to give up, as `performance.now()` counts
 * @returns undefined: there was not enough time to look at each
 */
export function repairOffer(
  program: Program,
  kinds: ReadonlySet<AdditionKind>,
  several: boolean,
  model: Model,
  deadline: number,
): RepairOffer | undefined {
  const completion = completionUnder(model);
  const additions = additionsOf(program, kinds, completion, several, memoriesOf(model));
  const offer = thatHelp(additions, model, deadline);
  if (offer === undefined) return undefined;
  const polls = knownPolls(offer.program);
  // In the order of the offer: at one place, a fence is of use behind a get, and not before it.
  const make = (choice: readonly number[]) =>
    insert(
      offer.program,
      [...choice].sort((a, b) => a - b).map((i) => offer.additions[i]),
    );
  return { ...offer, make, blocks: (choice) => isSpoilt(make(choice).program, polls) };
}

/** How a model waits for operations. */
export function completionUnder(model: Model): 'poll' | 'wait' {
  const isClient = model.instructions.libraries.length > 0;
  return isClient || dependsOn(model, 'wf') ? 'wait' : 'poll';
}

/** Additions that leave each poll what it polls, and mean something on the CPU of their threads. */
function thatHelp(
  { program, additions }: Additions,
  model: Model,
  deadline: number,
): Additions | undefined {
  const polls = knownPolls(program);
  const places: (number | undefined)[] = [];
  const kept: Addition[] = [];
  for (const addition of additions) {
    if (performance.now() > deadline) return undefined;
    const { after, ...rest } = addition;
    const before = after === undefined ? undefined : places[after];
    const isIdle =
      rest.kind === 'barrier' &&
      rest.parts.every(({ thread }) => !ordersLittle(model, program.threads[thread]));
    const blocked = isIdle || isSpoilt(insert(program, [addition]).program, polls);
    if (blocked || (after !== undefined && before === undefined)) places.push(undefined);
    else places.push(kept.push(before === undefined ? rest : { ...rest, after: before }) - 1);
  }
  return { program, additions: kept };
}

/** What is known of the polls of a program: which may have nothing to poll, and of what work the statuses are. */
export interface KnownPolls {
  readonly blocking: ReadonlySet<Instruction>;
  readonly statuses: ReturnType<typeof statusSources>;
}

export const knownPolls = (program: Program): KnownPolls => ({
  blocking: blockingPolls(program),
  statuses: statusSources(program),
});

/** Does some poll have nothing to poll, or the status of other work, in a program that had something added? */
export function isSpoilt(program: Program, before: KnownPolls): boolean {
  const { blocking, statuses } = knownPolls(program);
  return (
    [...blocking].some((poll) => !before.blocking.has(poll)) ||
    [...before.statuses].some(([poll, work]) => statuses.get(poll) !== work)
  );
}
