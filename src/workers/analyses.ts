import type { Acyclicity } from '../encode/acyclicity/choice.js';
import type { Model } from '../model/term.js';
import type { SolverFactory } from '../solve/solver.js';

/**
 * What workers can find out besides verdicts and final states: by name, what goes in and what comes
 * out, as plain data that can be posted.
 */
export interface Analyses {
  readonly [name: string]: { readonly input: unknown; readonly output: unknown };
}

export type AnalysisName = keyof Analyses;

/** What an analysis has to work with. */
export interface Circumstances {
  readonly models: readonly Model[];
  readonly newSolver: SolverFactory;
  readonly acyclicity: Acyclicity;
  /** Overrides the files' loop bounds. */
  readonly bound?: number;
  /** When to end with what has been found out, as `performance.now()` counts; soon after, the worker is ended. */
  readonly deadline: number;
}

export type Analysis<Name extends AnalysisName> = (
  input: Analyses[Name]['input'],
  circumstances: Circumstances,
) => Analyses[Name]['output'] | Promise<Analyses[Name]['output']>;

/** Where the analyses are: each is loaded when a worker is first asked for it. */
export const ANALYSES: { readonly [Name in AnalysisName]: () => Promise<Analysis<Name>> } = {};
