import type { SessionOptions } from '../../check/session.js';
import type { Instruction, Program } from '../../program/program.js';
import type { Addition, Costs } from '../../rdma/additions.js';
import type { Badness } from './trial.js';

/** What a repair must achieve. */
export interface Goal extends Badness {
  /** Checks whether a program is as it should be, independently of the search. */
  readonly accept: (program: Program) => Acceptance;
}

/**
 * - `met`: the program is as it should be; with `upTo`, in runs with at most so many iterations of each loop
 * - `missed`: it is not, and some run within the loop bound shows it
 * - `beyond`: it is not, and only runs beyond the loop bound show it
 * - `vacuous`: it has no execution any more, for example because of a poll too many
 */
export type Acceptance =
  | { readonly kind: 'met'; readonly upTo?: number }
  | { readonly kind: 'missed' | 'beyond' | 'vacuous' }
  | { readonly kind: 'unknown'; readonly reason: string };

export type Repair =
  | {
      readonly kind: 'found';
      readonly cost: number;
      readonly additions: readonly Addition[];
      readonly program: Program;
      readonly added: ReadonlySet<Instruction>;
      /** It is as it should be in runs with at most so many iterations of each loop. */
      readonly upTo?: number;
      /** There was no time to find out whether cheaper ones would do. */
      readonly perhapsDear?: true;
    }
  /** No set of additions helps. */
  | { readonly kind: 'none' }
  /** `beyond`: more iterations of loops have to be looked at; `late`: there was no more time. */
  | {
      readonly kind: 'unknown';
      readonly reason: string;
      readonly beyond?: true;
      readonly late?: true;
    };

export interface RepairOptions extends SessionOptions {
  readonly costs: Costs;
  /** When to give up, as `performance.now()` counts. */
  readonly deadline: number;
}
