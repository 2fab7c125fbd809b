import type { ProofFormat } from '../../../analyses/prove/formats.js';
import type { Model } from '../../../model/term.js';
import type { Test } from '../../../program/program.js';
import type { CommonOptions } from '../../run/options.js';
import type { VerdictFormat } from '../../print/reports.js';

/** Options of the commands that hold verdicts against what files expect. */
export interface VerdictOptions extends CommonOptions {
  readonly model?: readonly string[];
  readonly reporter?: VerdictFormat | 'herd';
  /** Only what departs or is unknown, and the summary. */
  readonly quiet?: boolean;
  /** The first departure ends the run. */
  readonly bail?: boolean;
  /** When files change, what they change is decided again. */
  readonly watch?: boolean;
  /** The folder that proofs of what cannot happen go to. */
  readonly proof?: string;
  readonly proofFormat?: ProofFormat;
  /** `computed` lines are rewritten. */
  readonly update?: boolean;
}

/** One of these commands. */
export interface Judging {
  readonly command: 'check' | 'test';
  /** The models, by name or path. */
  readonly models: readonly string[];
  /** Is a test to be asked under a model? */
  readonly concerns: (test: Test, model: Model) => boolean;
  readonly format: VerdictFormat;
  readonly options: VerdictOptions;
}
