import type { Event } from '../program/events/structure.js';
import type { Actor } from './actors.js';
import type { Computed } from './compute.js';
import type { Local } from './local.js';
import type { StepPlan } from './plan.js';
import type { QueueStep } from './queue-step.js';
import type { StepMask } from './relations.js';
import type { Segment } from './segments.js';

/** A call of a thread that is not finished, or may still be the partner of a later one. */
export interface Pending {
  readonly local: Local;
  /** The guesses by which it has a partner, as bits. */
  readonly partners: number;
  /** What its events have to wait for since reads have found what they write. */
  readonly promises: readonly Promised[];
}

/** A write of a call is not observed before another one of its thread, `of` a call by its place, was. */
export interface Promised {
  readonly event: number;
  readonly of: number;
  readonly other: number;
}

export const NO_PROMISES: readonly Promised[] = [];

/** Index into the controls of a thread. */
export type ControlId = number;

/**
 * The control state of a thread: its place, and how far each of its calls is. All that can be said of a thread without looking at values is said of this, once.
 */
export interface Control {
  readonly id: ControlId;
  readonly thread: number;
  readonly place: number;
  /** In program order. */
  readonly calls: readonly Pending[];
  /** By call: the steps that the calls of the thread allow. */
  readonly open: readonly StepMask[];
  /** The calls about which there are guesses between threads. */
  readonly linked: readonly number[];
  /** Does the thread wait for a step of the last call? */
  readonly waits: boolean;
  /** Where the values are that its calls need, from the start of those of the thread. */
  readonly values: readonly number[];
  /** Are all of its calls finished? */
  readonly isIdle: boolean;
  readonly known: Known;
}

/** What has been worked out of a control so far, each by the one who works it out. */
interface Known {
  kept: KeptCalls | undefined;
  readonly places: (Control | undefined)[];
  readonly begun: (Control | undefined)[];
  free: readonly StepMask[] | undefined;
  starts: readonly CallStart[] | undefined;
  readonly actions: (Action | undefined)[];
  moves: Moves | undefined;
}

/** What is left of a control when calls of which nothing matters any more are forgotten. */
export interface KeptCalls {
  readonly control: Control;
  /** By call that is left: which one it was. */
  readonly from: readonly number[];
}

/** What it means to take a step of a call in some control of its thread, whatever the values are. */
export interface Action {
  readonly plan: StepPlan;
  readonly local: Local;
  readonly event: Event;
  readonly isWhole: boolean;
  readonly actor: Actor;
  /** Which partners calls have then, as bits; undefined: a partner that it needs is not there yet. */
  readonly partners: readonly number[] | undefined;
  /** The call of the thread that is its partner by rank, if it takes one. */
  readonly partner: number | undefined;
  /** What it may read, if it reads. */
  readonly sources: readonly ReadSource[];
  /** Does it always go this way, whatever the values are? */
  readonly isSure: boolean;
  /** Where the thread is after it, if it shows of no event that it is not executed, and promises nothing; or else by these events and by its source. */
  next: After | undefined;
  readonly others: Map<number, After>;
}

/** Where a thread is after a step. */
export interface After {
  readonly control: Control;
  readonly local: Local;
  /** Does the thread go on with it? */
  readonly goesOn: boolean;
}

/**
 * A write of a call that is issued and not observed, which a read may find: the call by its place among those of the thread. Writes that the read must not read past are
 * observed before it; which of them that nothing else orders so, is promised.
 */
export interface EarlySource {
  readonly call: number;
  readonly event: number;
  readonly promises: readonly Promised[];
  readonly value: Computed;
}

/** Where a read may take its value from: memory, or such a write. */
export type ReadSource = EarlySource | undefined;

/** What it means to begin the next call of a thread in some control, in one of its alternatives, whatever the values are. */
export interface CallStart {
  readonly local: Local;
  /** The events of which the first steps are taken in the moment in which it begins, in order. */
  readonly head: readonly number[];
  /** Are there guesses between it and calls of other threads? */
  readonly isLinked: boolean;
  /** What it puts into queues. */
  readonly puts: readonly QueueStep[];
  /** Can it not begin now, whatever the values are? */
  readonly isBlocked: boolean;
  /** Does it always go this way? */
  readonly isSure: boolean;
  /** Can one of its reads find several values, or none? */
  readonly isSplit: boolean;
  /** Can it come first, as far as its own thread is concerned, and others by their text? */
  readonly isFree: boolean;
}

/** A step that is possible in a control, with all that comes of it at once. */
export interface PossibleStep {
  readonly actor: Actor;
  readonly segment: Segment;
  /** The step of a call that it is; undefined: the thread goes on. */
  readonly of: { readonly call: number; readonly step: number } | undefined;
  /** Do other threads have to allow that step? */
  readonly isLinked: boolean;
}

/** What can be done in a control. */
export interface Moves {
  readonly moves: readonly PossibleStep[];
  /** The lane in which the next call has no room, if it has none. */
  readonly full: string | undefined;
}
