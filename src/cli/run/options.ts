import type { CorpusOptions } from '../inputs/corpus.js';
import type { RunOptions } from './tasks.js';

/** The model that programs are asked under where none is named. */
export const DEFAULT_MODEL: readonly string[] = ['rdma-tso'];

/** Options that the commands over litmus files share. */
export interface CommonOptions extends RunOptions, CorpusOptions {
  readonly bound?: number;
  /** Candidates or states that an engine tries which goes through them one by one. */
  readonly limit?: number;
  /** Read the corpus that comes with Remora. */
  readonly shipped?: boolean;
  /** A file for the results, line by line. */
  readonly out?: string;
  /** The same, but what it holds already is not computed again. */
  readonly resume?: string;
  /** Whether `out` may take the place of inputs and of files that are there. */
  readonly force?: boolean;
}
