import type { Label } from '../../model/bases.js';
import type { Span } from '../../parse/diagnostics/index.js';
import type { ExpressionOver } from './expression.js';
import type { OpId } from './flow.js';

/**
 * A finite-state program that runs under SC: processes that make guarded steps over variables. It is
 * plain data, which is explored here (explore.ts) and printed for SPIN (promela.ts).
 */
export interface System {
  readonly variables: readonly Variable[];
  readonly processes: readonly Process[];
  /** One of these is chosen at the beginning. */
  readonly starts: readonly Start[];
  /** What the search is for: both hold in some state. */
  readonly goal: {
    /** The guessed cycle is complete; then nothing more need be done. */
    readonly cycle: StateFormula;
    /** The guessed memory is what the first part of the run has left. */
    readonly memory: StateFormula;
  };
}

/** Index into `System.variables`. */
export type VariableId = number;

export type StateFormula = ExpressionOver<VariableId>;

export interface Variable {
  readonly name: string;
  readonly initial: number;
  readonly least: number;
  readonly greatest: number;
  /** Has a meaning only during one step. */
  readonly scratch?: boolean;
  /** What it says, in a few words. */
  readonly about: string;
}

export interface Start {
  readonly effects: readonly Effect[];
  readonly about: string;
}

/** `variable := value`. */
export interface Effect {
  readonly variable: VariableId;
  readonly value: StateFormula;
}

/** A process is at one place at a time, first at place 0. */
export interface Process {
  readonly name: string;
  /** Index of the program's thread. */
  readonly thread: number;
  readonly places: readonly ProcessPlace[];
}

/** Index into `Process.places`. */
export type PlaceId = number;

export interface ProcessPlace {
  /** What is done here; nothing at the places where a process ends. */
  readonly phases: readonly Phase[];
  /**
   * Whether the process goes on at once, with the step that led here. Such a step concerns nobody
   * else and can always be made.
   */
  readonly urgent: boolean;
  /** Why the process can go no further here although its thread might. */
  readonly stop?: 'cut' | 'undefined';
  readonly span?: Span;
}

/** The phases of a step follow one another as one: nobody else does anything in between. */
export interface Phase {
  readonly about: string;
  /** One whose guard holds is taken. */
  readonly choices: readonly GuardedChoice[];
}

export interface GuardedChoice {
  readonly guard: StateFormula;
  /** Done one after the other. */
  readonly effects: readonly Effect[];
  /** Where the process goes, and the step ends. The choices of a last phase all say so. */
  readonly to?: PlaceId;
  readonly told?: ThreadAction;
  /** What the choice means, where that is not plain. */
  readonly about?: string;
}

/** What a step does in terms of the program. */
export interface ThreadAction {
  readonly op: OpId;
  /** The part of the run that its event is in; 0: where the CPU of the thread is. */
  readonly part: 0 | 1 | 2;
  /** Where the operation may be of several labels. */
  readonly label?: Label;
}
