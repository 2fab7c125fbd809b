import type { Model } from '../../model/term.js';
import type { Instruction, Program } from '../../program/program.js';
import type { Addition, Costs } from '../../rdma/additions.js';
import type { RepairOffer, Trial } from './trial.js';

/** What a repair must achieve. */
export interface Goal {
  /** The model that the program is under. */
  readonly model: Model;
  /**
   * Something that says what can still happen with which additions, or why the program cannot be treated. It should
   * give up at the deadline, as `performance.now()` counts.
   */
  readonly try: (offer: RepairOffer, deadline: number) => Trial | { readonly reason: string };
  /** Checks whether a program is as it should be, independently of the search. */
  readonly accept: (program: Program) => Acceptance;
}

/**
 * - `met`: the program is as it should be; with `upTo`, in runs with at most so many iterations of each loop
 * - `missed`: it is not, and some run within the loop bound shows it
 * - `beyond`: it is not, and only runs beyond the loop bound show it
 * - `vacuous`: it does not do any more what it did before, for example because of a poll too many
 */
export type Acceptance =
  | ({ readonly kind: 'met' } & Limited)
  | { readonly kind: 'missed' | 'beyond' | 'vacuous' }
  | { readonly kind: 'unknown'; readonly reason: string };

/** How far a repair was tried. */
export interface Limited {
  /** The program is as it should be in runs with at most so many iterations of each loop. */
  readonly upTo?: number;
  /** The same, with room for so many unfinished calls: of these there were more. */
  readonly full?: { readonly room: number; readonly calls: readonly string[] };
}

/**
 * Sets that cost so much or more may have been passed over. The search takes it that additions make nothing possible. An
 * addition that changes which status a poll gives may do so.
 */
export type Unsure = number;

export type Repair =
  | ({
      readonly kind: 'found';
      readonly cost: number;
      readonly additions: readonly Addition[];
      readonly program: Program;
      readonly added: ReadonlySet<Instruction>;
      /** There was no time to find out whether cheaper ones would do. */
      readonly perhapsDear?: true;
      readonly unsure?: Unsure;
    } & Limited)
  /** No set of additions helps. */
  | { readonly kind: 'none'; readonly unsure?: Unsure }
  /** `beyond`: more iterations of loops have to be looked at; `late`: there was no more time. */
  | {
      readonly kind: 'unknown';
      readonly reason: string;
      readonly beyond?: true;
      readonly late?: true;
    };

export interface RepairOptions {
  readonly costs: Costs;
  /** When to give up, as `performance.now()` counts. */
  readonly deadline: number;
  /** Only repairs that cost less are of interest. */
  readonly most?: number;
}
