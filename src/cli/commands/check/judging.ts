import type { ProofFormat } from '../../../analyses/prove/formats.js';
import type { Model } from '../../../model/term.js';
import type { Test } from '../../../program/program.js';
import type { CommonOptions } from '../../run/options.js';
import type { VerdictFormat } from '../../print/reports.js';

/** Options of the commands that compare verdicts with the expectations of files. */
export interface VerdictOptions extends CommonOptions {
  readonly model?: readonly string[];
  readonly reporter?: VerdictFormat | 'herd';
  /** Shows only verdicts that depart or are unknown, and the summary. */
  readonly quiet?: boolean;
  /** The first departure ends the run. */
  readonly bail?: boolean;
  /** When files change, the queries that depend on them are decided again. */
  readonly watch?: boolean;
  /** The folder for proofs. */
  readonly proof?: string;
  readonly proofFormat?: ProofFormat;
  /** `computed` lines are rewritten. */
  readonly update?: boolean;
}

/** One of these commands, with its models and options. */
export interface Judging {
  readonly command: 'check' | 'test';
  /** The models, by name or path. */
  readonly models: readonly string[];
  /** Is this test to be decided under this model? */
  readonly concerns: (test: Test, model: Model) => boolean;
  readonly format: VerdictFormat;
  readonly options: VerdictOptions;
}
