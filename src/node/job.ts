import type { Model } from '../model/term.js';
import type { Subject, Test } from '../program/program.js';
import type { BridgeEnd } from './bridge.js';
import type { Engine } from '../rdma/engines.js';
import type { Answer, Outcomes } from '../check/result.js';
import type { FinalState } from '../program/final.js';
import type { Analyses, AnalysisName } from '../analyses/registry.js';

/** A piece of work for a worker thread. Plain data; tests are in the instructions of their models. */
export type Job = DecideJob | OutcomesJob | AnalysisJob;

interface Common {
  readonly engine: Engine;
  readonly models: readonly Model[];
  /** Overrides the files' loop bounds. */
  readonly bound?: number;
  /** How many candidates or states an engine tries that goes through them one by one. */
  readonly limit?: number;
}

/** One test under several models: `tests[i]` is the test as it is for `models[i]`. */
export interface DecideJob extends Common {
  readonly kind: 'decide';
  readonly tests: readonly Test[];
  readonly queries: readonly number[];
}

/** All final states of a test under one model. */
export interface OutcomesJob extends Common {
  readonly kind: 'outcomes';
  readonly test: Test;
  readonly subjects: readonly Subject[];
  /** Whether an engine that goes through executions is to try them all, and count them. */
  readonly counted: boolean;
}

/** Anything else that is found out about programs under models, as a whole. */
export interface AnalysisJob<Name extends AnalysisName = AnalysisName> extends Common {
  readonly kind: 'analysis';
  readonly analysis: Name;
  readonly input: Analyses[Name]['input'];
}

/** What a worker is given when it starts. */
export interface WorkerData {
  /** Whether to load Z3 at once. */
  readonly preload: boolean;
  /** Flags of V8 to set before. */
  readonly flags: readonly string[];
  /** Where the user's own solver is, if there is one. */
  readonly bridge?: BridgeEnd;
}

/** A job as it is posted: a model goes to a worker once, and is then known by its number. */
export interface Posted {
  readonly job:
    Omit<DecideJob, 'models'> | Omit<OutcomesJob, 'models'> | Omit<AnalysisJob, 'models'>;
  /** Seconds that an engine should give each model, where it can watch the time itself. */
  readonly timeLimit: number;
  readonly numbers: readonly number[];
  /** The models that the worker has not seen, in order of their numbers. */
  readonly unseen: readonly Model[];
}

/**
 * What a worker says: that it begins; states found so far, now and then; all it found out; then
 * that it is done, and whether it has loaded Z3, or that it failed.
 */
export type Message =
  | { readonly kind: 'started' }
  | { readonly kind: 'answers'; readonly answers: readonly (readonly Answer[])[] }
  | { readonly kind: 'states'; readonly states: readonly FinalState[] }
  | { readonly kind: 'outcomes'; readonly outcomes: Outcomes }
  | { readonly kind: 'analysed'; readonly output: Analyses[AnalysisName]['output'] }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'done'; readonly solver: boolean };
