// Whole commands, as people run them.
import { readdirSync } from 'node:fs';
import type { Spread } from './process.js';
import { range, spread, timeCommand } from './process.js';

const MODELS = ['-m', 'sc,rdma-sc,rdma-tso,rdma-tso-nopcie,rdma-wait'];
const PUBLISHED = ['tso', 'robustness', 'decidability', 'loco'].map((name) => `corpus/${name}`);
const SMT = ['--engine', 'smt'];

/** The corpus as it was before remote atomics, locks and C, which have folders of their own. */
const OLDER = readdirSync(new URL('../corpus', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['rmw', 'locks', 'c'].includes(entry.name))
  .map(({ name }) => `corpus/${name}`);

const C_FILES = readdirSync(new URL('../corpus/c', import.meta.url), { recursive: true }).filter(
  (file) => String(file).endsWith('.c'),
).length;

/** Name, arguments, and the seconds in which it should be done. */
type Command = readonly [name: string, args: readonly string[], goal?: number];

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
  ['one C file, a function of 150 lines', ['check', 'corpus/c/functions/rc-pingpong.c'], 0.3],
  [
    `the ${C_FILES} C files of the corpus, five models`,
    ['test', 'corpus/c', ...MODELS],
    C_FILES / 50,
  ],
  ['all final states of one file', ['outcomes', 'corpus/tso/IRIW1.litmus']],
];

/** What the TSO paper's programs are made of. */
const SIMPLE = ['--operations', 'read,write,put,get,poll,rfence,mfence', '--calls', '4'];
const TOLD_APART: readonly Command[] = ['rdma-ro', 'rdma-sc', 'rdma-tso-nopcie'].map((other) => [
  `\`rdma-tso\` and \`${other}\` are told apart`,
  ['distinguish', 'rdma-tso', other, ...SIMPLE],
  5,
]);

export interface CommandTime {
  readonly name: string;
  readonly args: readonly string[];
  readonly goal?: number;
  readonly seconds: Spread;
}

export function measureCommands(runs: number): readonly CommandTime[] {
  return [...COMMANDS, ...TOLD_APART].map(([name, args, goal]) => ({
    name,
    args,
    goal,
    seconds: spread(range(runs).map(() => timeCommand(args))),
  }));
}
