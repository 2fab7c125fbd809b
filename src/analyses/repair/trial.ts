import { dependsOn } from '../../model/depends.js';
import type { Model } from '../../model/term.js';
import type { Instruction, Program } from '../../program/program.js';
import type { Addition, AdditionKind, Additions } from '../../rdma/additions.js';
import { insert } from '../../rdma/additions.js';
import { blockingPolls } from '../../rdma/blocking.js';
import { additionsOf } from '../../rdma/offering.js';
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
  /** Might a poll have nothing to poll with these additions, although it has without them? */
  blocks(choice: readonly number[]): boolean;
}

/**
 * All additions of some kinds but for those with which, even alone, some poll may have nothing to poll.
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
  const isClient = model.instructions.libraries.length > 0;
  const completion = isClient || dependsOn(model, 'wf') ? 'wait' : 'poll';
  const additions = additionsOf(program, kinds, completion, several, memoriesOf(model));
  const offer = thatLeaveEnough(additions, deadline);
  if (offer === undefined) return undefined;
  const waiting = blockingPolls(offer.program);
  // In the order of the offer: at one place, a fence is of use behind a get, and not before it.
  const make = (choice: readonly number[]) =>
    insert(
      offer.program,
      [...choice].sort((a, b) => a - b).map((i) => offer.additions[i]),
    );
  return { ...offer, make, blocks: (choice) => blocks(make(choice).program, waiting) };
}

function thatLeaveEnough(
  { program, additions }: Additions,
  deadline: number,
): Additions | undefined {
  const waiting = blockingPolls(program);
  const places: (number | undefined)[] = [];
  const kept: Addition[] = [];
  for (const addition of additions) {
    if (performance.now() > deadline) return undefined;
    const { after, ...rest } = addition;
    const before = after === undefined ? undefined : places[after];
    const blocked = blocks(insert(program, [addition]).program, waiting);
    if (blocked || (after !== undefined && before === undefined)) places.push(undefined);
    else places.push(kept.push(before === undefined ? rest : { ...rest, after: before }) - 1);
  }
  return { program, additions: kept };
}

/** Does some poll have nothing to poll, other than those that are known already? */
const blocks = (program: Program, known: ReadonlySet<Instruction>): boolean =>
  [...blockingPolls(program)].some((poll) => !known.has(poll));
