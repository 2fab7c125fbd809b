import type { CorpusOptions } from '../inputs/corpus.js';
import type { RunOptions } from './tasks.js';

/** The default model. */
export const DEFAULT_MODEL: readonly string[] = ['rdma-tso'];

/** The engine that runs the machines that models are: it refuses model files that are none. */
export const MACHINES = 'operational';

/** Options that the commands over litmus files share. */
export interface CommonOptions extends RunOptions, CorpusOptions {
  readonly bound?: number;
  /** How many candidates or states an engine tries that goes through them one by one. */
  readonly limit?: number;
  /** Read the corpus that comes with Remora. */
  readonly shipped?: boolean;
  /** A file for the results, line by line. */
  readonly out?: string;
  /** The same, but results that the file has are not computed again. */
  readonly resume?: string;
  /** Whether outputs may replace inputs and files that Remora did not write. */
  readonly force?: boolean;
}
