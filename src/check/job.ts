import type { Model } from '../model/term.js';
import type { Subject, Test } from '../program/program.js';
import type { Answer, FinalState, Outcomes } from './result.js';

/** A piece of work for a worker thread. Plain data; the test is in the model's instructions. */
export type Job =
  | {
      readonly kind: 'decide';
      readonly test: Test;
      readonly model: Model;
      readonly bound?: number;
      readonly queries: readonly number[];
    }
  | {
      readonly kind: 'enumerate';
      readonly test: Test;
      readonly model: Model;
      readonly bound?: number;
      readonly subjects: readonly Subject[];
    };

/**
 * What a worker says: that it begins; states found so far, now and then; all it found out; then
 * that it is done, or that it failed.
 */
export type Message =
  | { readonly kind: 'started' }
  | { readonly kind: 'answers'; readonly answers: readonly Answer[] }
  | { readonly kind: 'states'; readonly states: readonly FinalState[] }
  | { readonly kind: 'outcomes'; readonly outcomes: Outcomes }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'done' };
