import type { SizeOptions } from '../by-size-options.js';

/** How programs that were found are asked about, and reported. */
export type Asking = Pick<SizeOptions, 'engine' | 'reporter'>;

export interface Options extends SizeOptions {
  /** Whether locations may have tags. */
  readonly tags: boolean;
  /** Of libraries: others that clients use, too. */
  readonly with?: readonly string[];
  readonly all?: boolean;
  readonly both?: boolean;
}
