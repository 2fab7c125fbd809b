// Whole commands, as people run them.
import { readdirSync } from 'node:fs';
import { table } from './markdown.js';
import type { Spread } from './process.js';
import { range, spread, timeCommand } from './process.js';

export const MODELS = ['-m', 'sc,rdma-sc,rdma-tso,rdma-tso-nopcie,rdma-wait'];
const PUBLISHED = ['tso', 'robustness', 'decidability', 'loco'].map((name) => `corpus/${name}`);
const SMT = ['--engine', 'smt'];

/** The corpus as it was before remote atomics, locks and C, which have folders of their own. */
const OLDER = readdirSync(new URL('../corpus', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['rmw', 'locks', 'c'].includes(entry.name))
  .map(({ name }) => `corpus/${name}`);

/** Name, arguments, and the seconds in which it should be done. */
export type Command = readonly [name: string, args: readonly string[], goal?: number];

const COMMANDS: readonly Command[] = [
  ['corpus, five models', ['test', 'corpus', ...MODELS]],
  [
    'corpus without remote atomics, locks and C, five models, two cores',
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

export const measureCommands = (runs: number): readonly CommandTime[] =>
  measureEach(COMMANDS, runs);

export const measureEach = (commands: readonly Command[], runs: number): readonly CommandTime[] =>
  commands.map(([name, args, goal]) => ({
    name,
    args,
    goal,
    seconds: spread(range(runs).map(() => timeCommand(args))),
  }));

export const commandLines = (commands: readonly CommandTime[]): readonly string[] => [
  'Whole commands, process start included, with the default engine where nothing else is said.',
  '',
  ...table(
    ['command', 'seconds', 'least – most', 'goal'],
    commands.map(({ name, seconds: s, goal }) => [
      name,
      s.median.toFixed(2),
      `${s.min.toFixed(2)} – ${s.max.toFixed(2)}`,
      goal === undefined ? '' : `< ${goal}`,
    ]),
  ),
];
