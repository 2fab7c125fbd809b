/** Options of commands that go through all programs by size. */
import { Option } from 'commander';
import { formatOption } from '../command/format-options.js';
import { force, jobs, memory, resumeShares, timeLimit } from '../command/options.js';
import { names, positive } from '../command/values.js';
import { OPERATIONS_TEXT } from '../inputs/alphabet.js';
import { JSON_TEXT } from '../print/formats.js';
import type { RunOptions } from '../run/tasks.js';

export type Format = 'text' | 'json';

export interface SizeOptions extends RunOptions {
  readonly calls?: number;
  readonly operations?: readonly string[];
  /** Whether threads may have several queue pairs to one node. */
  readonly namedPairs: boolean;
  readonly out?: string;
  readonly force?: boolean;
  /** The file that keeps what is found. */
  readonly resume?: string;
  readonly reporter?: Format;
}

/** Which programs. @param calls how many calls they have at most by default */
export const programOptions = (calls: string): readonly Option[] => [
  new Option('--calls <n>', `the most calls of a program (default: ${calls})`).argParser(positive),
  new Option('--operations <list>', OPERATIONS_TEXT).argParser(names('an operation')),
  new Option('--no-named-pairs', 'a thread has one queue pair to each node at most'),
];

/** What is written, and how workers go through them. */
export const searchOptions = (): readonly Option[] => [
  force(),
  resumeShares(),
  formatOption('json', '--json', JSON_TEXT),
  timeLimit('a share of the programs'),
  memory(),
  jobs(),
];
