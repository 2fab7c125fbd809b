import type { Answer, Outcomes } from '../check/result.js';
import type { Model } from '../model/term.js';
import type { Subject, Test } from '../program/program.js';
import type { Engine } from '../rdma/engines.js';
import type { Analyses, AnalysisName } from './registry.js';

/** A piece of work for a worker thread. Plain data; tests are in the instructions of their models. */
export type Job = DecideJob | OutcomesJob | AnalysisJob;

interface JobCircumstances {
  readonly engine: Engine;
  readonly models: readonly Model[];
  /** Overrides the files' loop bounds. */
  readonly bound?: number;
  /** How many candidates or states an engine tries that goes through them one by one. */
  readonly limit?: number;
}

/** One test under several models: `tests[i]` is the test as it is for `models[i]`. */
export interface DecideJob extends JobCircumstances {
  readonly kind: 'decide';
  readonly tests: readonly Test[];
  readonly queries: readonly number[];
  /** How many calls of a thread can be unfinished on one queue pair, in an exploration without a bound of loops. */
  readonly room?: number;
}

/** All final states of a test under one model. */
export interface OutcomesJob extends JobCircumstances {
  readonly kind: 'outcomes';
  readonly test: Test;
  readonly subjects: readonly Subject[];
  /** Whether an engine that goes through executions is to try them all, and count them. */
  readonly counted: boolean;
}

/** An analysis of the registry, as one job. */
export interface AnalysisJob<Name extends AnalysisName = AnalysisName> extends JobCircumstances {
  readonly kind: 'analysis';
  readonly analysis: Name;
  readonly input: Analyses[Name]['input'];
}

/**
 * A pool that does jobs: in threads, each with a solver of its own, or in the calling thread. It must be closed, or the
 * process does not end.
 */
export interface Pool {
  /** Decides a job's queries under each model; every one gets an answer, if only `unknown`. */
  decide(job: DecideJob): Promise<readonly (readonly Answer[])[]>;
  outcomes(job: OutcomesJob): Promise<Outcomes>;
  analyse<Name extends AnalysisName>(job: AnalysisJob<Name>): Promise<Analysed<Name>>;
  /** Ends all threads at once; whatever still runs is answered `unknown`. */
  close(): Promise<void>;
  /** Why it cannot be used: it is closed, or its options were wrong. */
  readonly problem?: string | undefined;
}

/** What an analysis found out, or why it did not come to an end. */
export type Analysed<Name extends AnalysisName> =
  | { readonly output: Analyses[Name]['output'] }
  | { readonly unfinished: string };
