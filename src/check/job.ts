import type { Model } from '../model/term.js';
import type { Subject, Test } from '../program/program.js';
import type { Answer, FinalState, Outcomes } from './result.js';

/** A piece of work for a worker thread. Plain data; tests are in the instructions of their models. */
export type Job = DecideJob | EnumerateJob;

/** One test under several models: `tests[i]` is the test as it is for `models[i]`. */
export interface DecideJob {
  readonly kind: 'decide';
  readonly models: readonly Model[];
  readonly tests: readonly Test[];
  readonly bound?: number;
  readonly queries: readonly number[];
}

export interface EnumerateJob {
  readonly kind: 'enumerate';
  /** Just one. */
  readonly models: readonly Model[];
  readonly test: Test;
  readonly bound?: number;
  readonly subjects: readonly Subject[];
}

/** A job as it is posted: a model goes to a worker once, and is then known by its number. */
export interface Posted {
  readonly job: Omit<DecideJob, 'models'> | Omit<EnumerateJob, 'models'>;
  readonly numbers: readonly number[];
  /** The models that the worker has not seen, in order of their numbers. */
  readonly unseen: readonly Model[];
}

/**
 * What a worker says: that it begins; states found so far, now and then; all it found out; then
 * that it is done, or that it failed.
 */
export type Message =
  | { readonly kind: 'started' }
  | { readonly kind: 'answers'; readonly answers: readonly (readonly Answer[])[] }
  | { readonly kind: 'states'; readonly states: readonly FinalState[] }
  | { readonly kind: 'outcomes'; readonly outcomes: Outcomes }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'done' };
