import type { AnalysisJob, DecideJob, OutcomesJob } from '../analyses/workers.js';
import type { Model } from '../model/term.js';
import type { BridgeEnd } from './bridge.js';
import type { Answer, Outcomes } from '../check/result.js';
import type { FinalState } from '../program/final.js';
import type { Analyses, AnalysisName } from '../analyses/registry.js';
import type { Engine } from '../rdma/engines.js';
import type { SourceFile } from '../parse/diagnostics/index.js';
import type { Test } from '../program/program.js';
import type { Findings, PageSite } from '../report/site/site.js';

/** What a worker is given when it starts. */
export interface WorkerData {
  /** Whether to load Z3 at once. */
  readonly preload: boolean;
  /** Flags of V8 to set before. */
  readonly flags: readonly string[];
  /** Where the user's own solver is, if there is one. */
  readonly bridge?: BridgeEnd;
}

/** A page of a report, which is drawn in a worker: the calling thread has to keep all of them busy. */
export interface PageJob extends Page {
  readonly kind: 'page';
  readonly engine: Engine;
  readonly models: readonly [];
}

/** A page of a report: its site, and what was found out about its test. */
export interface Page {
  readonly site: PageSite;
  readonly findings: Findings;
}

/** A script for another tool, which is made in a worker: it may take more time than there is. */
export type ScriptJob = Script & { readonly kind: 'script'; readonly engine: Engine };

/** What a script is made of: queries under the one model, or a program. */
export type Script =
  | {
      readonly format: 'smtlib';
      readonly models: readonly [Model];
      readonly test: Test;
      /** Which query. */
      readonly index: number;
      readonly options: { readonly bound?: number; readonly note?: string };
    }
  | {
      /** Queries about runs, on the machine of the one model. */
      readonly format: 'runs';
      readonly models: readonly [Model];
      readonly test: Test;
      readonly source: SourceFile;
      /** Which queries. */
      readonly queries: readonly number[];
      readonly options: { readonly room?: number | undefined; readonly note?: string | undefined };
    }
  | {
      readonly format: 'promela';
      readonly models: readonly [];
      readonly test: Test;
      readonly source: SourceFile;
      readonly options: { readonly counterBound: number; readonly note?: string };
    };

/** The text of a script, or why there is none. */
export type ScriptText = { readonly text: string } | { readonly reason: string };

/** Without its models. */
type Unmodelled<T> = T extends unknown ? Omit<T, 'models'> : never;

/** A job as it is posted: a model goes to a worker once, and is then known by its number. */
export interface Posted {
  readonly job:
    | Omit<DecideJob, 'models'>
    | Omit<OutcomesJob, 'models'>
    | Omit<AnalysisJob, 'models'>
    | Omit<PageJob, 'models'>
    | Unmodelled<ScriptJob>;
  /** Seconds that an engine should give each model, where it can watch the time itself. */
  readonly timeLimit: number;
  /** MiB that the states of a machine may take. */
  readonly memory?: number | undefined;
  readonly numbers: readonly number[];
  /** The models that the worker has not seen, in order of their numbers. */
  readonly unseen: readonly Model[];
}

/**
 * What a worker says: that it begins; states found so far, or how many of a machine were reached, now and then; all it found out; then
 * that it is done, and whether it has loaded Z3, or that it failed.
 */
export type Message =
  | { readonly kind: 'started' }
  | { readonly kind: 'explored'; readonly states: number }
  | { readonly kind: 'answers'; readonly answers: readonly (readonly Answer[])[] }
  | { readonly kind: 'states'; readonly states: readonly FinalState[] }
  | { readonly kind: 'outcomes'; readonly outcomes: Outcomes }
  | { readonly kind: 'analysed'; readonly output: Analyses[AnalysisName]['output'] }
  | { readonly kind: 'page'; readonly text: string }
  | { readonly kind: 'script'; readonly script: ScriptText }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'done'; readonly solver: boolean };
