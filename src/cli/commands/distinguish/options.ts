import type { RunOptions } from '../../run/tasks.js';

export type Format = 'text' | 'json';

export interface Options extends RunOptions {
  readonly calls?: number;
  readonly operations?: readonly string[];
  /** Whether locations may have tags. */
  readonly tags: boolean;
  readonly all?: boolean;
  readonly both?: boolean;
  readonly out?: string;
  readonly force?: boolean;
  readonly reporter?: Format;
}
