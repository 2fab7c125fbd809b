import type { Script as Making, ScriptText } from '../../../node/job.js';

/** A script to write. */
export interface ScriptFile {
  /** The name of its file, if it goes to a folder. */
  readonly file: string;
  /** The litmus file of the program. */
  readonly path: string;
  /** The job that makes it, or, where that takes no time, its text. */
  readonly of: Making | ScriptText;
}

export interface Scripts {
  readonly scripts: readonly ScriptFile[];
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
}
