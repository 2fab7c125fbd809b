// Whole commands, as people run them.
import { readdirSync } from 'node:fs';
import type { Spread } from './process.js';
import { range, spread, timeCommand } from './process.js';

const MODELS = ['-m', 'sc,rdma-sc,rdma-tso,rdma-tso-nopcie,rdma-wait'];
const PUBLISHED = ['tso', 'robustness', 'decidability', 'loco'].map((name) => `corpus/${name}`);
const SMT = ['--engine', 'smt'];

/** The corpus as it was before remote atomics and locks, which have folders of their own. */
const OLDER = readdirSync(new URL('../corpus', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['rmw', 'locks'].includes(entry.name))
  .map(({ name }) => `corpus/${name}`);

/** Name, arguments, and the seconds in which it should be done. */
type Command = readonly [name: string, args: readonly string[], goal?: number];

const COMMANDS: readonly Command[] = [
  ['corpus, five models', ['test', 'corpus', ...MODELS]],
  [
    'corpus without remote atomics and locks, five models, two cores',
    ['test', ...OLDER, ...MODELS, '--jobs', '2'],
    2,
  ],
  ['corpus, five models, `smt` only', ['test', 'corpus', ...MODELS, ...SMT]],
  ['published tests, five models', ['test', ...PUBLISHED, ...MODELS], 0.5],
  ['published tests, five models, `smt` only', ['test', ...PUBLISHED, ...MODELS, ...SMT]],
  ['remote atomics, five models, one process', ['test', 'corpus/rmw', ...MODELS, '--jobs', '1'], 3],
  ['one file', ['check', 'corpus/tso/MP3bis.litmus']],
  ['one file, `smt` only', ['check', 'corpus/tso/MP3bis.litmus', ...SMT], 0.5],
  ['all final states of one file', ['outcomes', 'corpus/tso/IRIW1.litmus']],
];

export interface CommandTime {
  readonly name: string;
  readonly args: readonly string[];
  readonly goal?: number;
  readonly seconds: Spread;
}

export function measureCommands(runs: number): readonly CommandTime[] {
  return COMMANDS.map(([name, args, goal]) => ({
    name,
    args,
    goal,
    seconds: spread(range(runs).map(() => timeCommand(args))),
  }));
}
