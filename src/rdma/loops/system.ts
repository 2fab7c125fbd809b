import type { RdmaLabel } from '../instructions.js';
import type { Span } from '../../parse/diagnostics/index.js';
import type { ExpressionOver } from '../../program/expression.js';
import type { OpId } from './flow.js';

/**
 * A finite-state program that runs under SC: processes that make guarded steps over variables. It is plain data.
 * explore.ts explores it, and promela.ts prints it for SPIN.
 */
export interface System {
  readonly variables: readonly Variable[];
  readonly processes: readonly Process[];
  /** One of these is chosen at the start. */
  readonly starts: readonly Start[];
  /** The goal of the search: a state in which both hold. */
  readonly goal: {
    /** The guessed cycle is complete. */
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
  /** It is used only within one step. */
  readonly scratch?: boolean;
  /** Its meaning, in a few words. */
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
  /** The step that is made here. Empty at the places where a process ends. */
  readonly phases: readonly Phase[];
  /**
   * Whether the process goes on at once, as part of the step that led here. This does not concern other processes, and
   * is always possible.
   */
  readonly urgent: boolean;
  /** Why the process ends here although its thread could go on. */
  readonly stop?: 'cut' | 'undefined';
  readonly span?: Span;
}

/** A step has several phases. No other process does anything between them. */
export interface Phase {
  readonly about: string;
  /** One choice is taken whose guard holds. */
  readonly choices: readonly GuardedChoice[];
}

export interface GuardedChoice {
  readonly guard: StateFormula;
  /** Done one after the other. */
  readonly effects: readonly Effect[];
  /** Where the process goes, so that the step ends. Every choice of a last phase has it. */
  readonly to?: PlaceId;
  readonly told?: ThreadAction;
  /** What the choice means, where that is not plain. */
  readonly about?: string;
}

/** What a thread of the program does in a step. */
export interface ThreadAction {
  readonly op: OpId;
  /** The part of the run that its event is in. 0: the part that the CPU of the thread is in. */
  readonly part: 0 | 1 | 2;
  /** For a CAS: the label that says whether it succeeds. */
  readonly label?: RdmaLabel;
}
