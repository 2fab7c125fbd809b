import type { ClassId } from './classes.js';

/** What a step of an event does to a queue. */
export interface QueueStep {
  readonly queue: number;
  /** Does it put something into the queue? If not, it takes something out of it. */
  readonly puts: boolean;
  /** What it puts there, or may take, if things in the queue are told apart. */
  readonly kinds?: QueueKinds;
}

/** Some of several kinds of things in a queue, by their numbers from 1 on. What is put is of one kind. */
export interface QueueKinds {
  readonly numbers: readonly number[];
  /** How many kinds there are. */
  readonly of: number;
}

/** The same of an event of a class. */
export type QueueStepOf = QueueStep & { readonly of: ClassId; readonly event: number };
