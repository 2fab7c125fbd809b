import type { RunOptions } from '../../run/tasks.js';

export type Format = 'text' | 'json';

/** How programs that were found are asked about, and reported. */
export interface Asking extends Pick<RunOptions, 'engine'> {
  readonly reporter?: Format;
}

export interface Options extends RunOptions, Asking {
  readonly calls?: number;
  readonly operations?: readonly string[];
  /** Whether locations may have tags. */
  readonly tags: boolean;
  /** Of libraries: others that clients use, too. */
  readonly with?: readonly string[];
  readonly all?: boolean;
  readonly both?: boolean;
  readonly out?: string;
  readonly force?: boolean;
  /** The file that keeps what is found. */
  readonly resume?: string;
}
