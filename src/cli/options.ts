import type { RunOptions } from './run.js';
import type { Shard } from './shard.js';

/** Options that the commands over litmus files share. */
export interface CommonOptions extends RunOptions {
  readonly bound?: number;
  /** Candidates or states that an engine tries which goes through them one by one. */
  readonly limit?: number;
  /** Only tests whose name, path or title matches. */
  readonly grep?: string;
  /** The part of the corpus to treat. */
  readonly shard?: Shard;
  /** A file for the results, line by line. */
  readonly out?: string;
  /** The same, but what it holds already is not computed again. */
  readonly resume?: string;
  /** Whether `out` may take the place of inputs and of files that are there. */
  readonly force?: boolean;
}
