/** Options that several commands have, each described once. */
import { Argument, Option } from 'commander';
import { PROOF_FORMATS } from '../../analyses/prove/formats.js';
import { ENGINES } from '../../rdma/engines.js';
import {
  costs,
  engineNames,
  names,
  searchPattern,
  mebibytes,
  positive,
  seconds,
  settings,
  shard,
  workers,
} from './values.js';

export const pathsArgument = (required: boolean): Argument =>
  required
    ? new Argument('<path...>', 'litmus or C files, or folders of them')
    : new Argument('[path...]', 'litmus or C files, or folders of them');

/** Paths of a command that reads the folder `corpus` if no path is given. */
export const corpusArgument = (): Argument =>
  new Argument('[path...]', 'litmus or C files, or folders of them (default: corpus)');

/** Of commands that read a corpus. */
export const shipped = (): Option =>
  new Option('--shipped', 'the corpus that comes with Remora, in the place of paths');

/** `usual`: the default models, for help. */
export const model = (usual = 'rdma-tso'): Option =>
  new Option(
    '-m, --model <model>',
    `a model's name or .cat file; several with commas or by repeating (default: ${usual})`,
  ).argParser(names('a model'));

/** Of all commands that take models, which have it without saying so (declare.ts). */
export const modelFolders = (): Option =>
  new Option(
    '-I, --include <folder>',
    'where models and the files that they include are looked for, too; several by repeating',
  ).argParser((folder: string, earlier: readonly string[] | undefined) => [
    ...(earlier ?? []),
    folder,
  ]);

/** Of commands that decide clients of libraries. */
export const library = (): Option =>
  new Option(
    '--library <file>',
    "a library's name or .cat file, in the place of the library of that name; several as models",
  ).argParser(names('a library'));

/** The same, for commands that can also replace clients' calls by implementations. */
export const inlining = (): readonly Option[] => [
  library(),
  new Option(
    '--implementation <file>',
    "an implementation's name or .impl file, in the place of clients' calls; several as models",
  ).argParser(names('an implementation')),
  set(),
];

export const set = (): Option =>
  new Option('--set <name=n>', 'a parameter of an implementation; several as models').argParser(
    settings,
  );

export const bound = (): Option =>
  new Option('--bound <n>', "unroll loops n times (default: the file's bound, or 3)").argParser(
    positive,
  );

/** `what`: what the limit is for. */
export const timeLimit = (what = 'one query'): Option =>
  new Option('--time-limit <s>', `seconds for ${what} (default: 60)`).argParser(seconds);

export const jobs = (): Option =>
  new Option('--jobs <n>', 'worker threads (default: the number of cores)').argParser(workers);

export const memory = (): Option =>
  new Option(
    '--memory <MiB>',
    'memory that may be taken (default: nine tenths of what the container, or the machine, has)',
  ).argParser(mebibytes);

export const engine = (): Option =>
  new Option('--engine <name>', 'the way to a verdict').choices(ENGINES).default('auto');

export const engines = (): Option =>
  new Option(
    '--engine <names>',
    `engines to compare, of ${ENGINES.join(', ')} (default: smt, enumerate, operational)`,
  ).argParser(engineNames);

/** `implied`: whether the option also chooses the engine `native`. */
export const solver = (implied = true): Option => {
  const option = new Option(
    '--solver <command>',
    'an SMT-LIB 2 solver, to be run by the engine native',
  );
  return implied ? option.implies({ engine: 'native' }) : option;
};

/** A limit of candidates or states. `checkStart` refuses it for engines that count neither. */
export const ENGINE_LIMIT = new Option(
  '--limit <n>',
  'candidates or states that an engine without solver tries',
).argParser(positive);

/** How queries are decided. */
export const search = (): readonly Option[] => [
  bound(),
  timeLimit(),
  memory(),
  jobs(),
  engine(),
  ENGINE_LIMIT,
  solver(),
];

/** Which tests. */
export const grep = (): Option =>
  new Option('--grep <pattern>', 'only tests whose name, path or title matches').argParser(
    searchPattern,
  );

/** Of commands that compare verdicts with the expectations of files. */
export const judging = (): readonly Option[] => [
  new Option('--bail', 'stop at the first verdict that departs'),
  new Option(
    '--quiet',
    'only what departs or is unknown, and the summary; of test also a line a folder',
  ),
  new Option('--watch', 'when tests or models change, decide again what they change'),
];

/** Of commands that write proofs. */
export const proofs = (): readonly Option[] => [
  new Option('--proof <folder>', 'write a proof for each verdict that says no, for remora verify'),
  new Option(
    '--proof-format <format>',
    'a tree of cases, and clauses where that grows too large (the default); or clauses in any case',
  ).choices(PROOF_FORMATS),
];

/** Of commands that write files. */
export const force = (): Option =>
  new Option('--force', 'write over inputs, and over files that Remora did not write');

/** For corpora that take long or many computers. */
export const spread = (): readonly Option[] => [
  new Option('--shard <i/n>', 'only part i of n of the files, told apart by content').argParser(
    shard,
  ),
  new Option('--out <file>', 'write every result to a file as soon as it is there'),
  force(),
  new Option('--resume <file>', 'as --out, but compute only what the file does not hold yet'),
];

/** Of commands that go through all programs by size. */
export const resumeShares = (): Option =>
  new Option(
    '--resume <file>',
    'keep what is found in a file, and do not compute again what it holds',
  );

export const cost = (): Option =>
  new Option(
    '--cost <costs>',
    'what additions cost (default: rfence=1,mfence=2,pollr=2,poll=5,get-and-poll=10,rfaa-and-poll=20), a test of a status (status=2), a changed tag (tag=3), and on Arm an access with more order (acquire=1) and a barrier (barrier=2)',
  ).argParser(costs);

export const query = (): Option =>
  new Option('--query <n>', 'only query n of each test, counted from 1').argParser(positive);

export const buffer = (): Option =>
  new Option(
    '--buffer <n>',
    'calls of a thread that can be unfinished on one queue pair (default: 4)',
  ).argParser(positive);

export const counterBound = (what: string): Option =>
  new Option('--counter-bound <n>', what).argParser(positive);

/** `of`: what the picture shows. */
export const pictures = (of: string): readonly Option[] => [
  new Option('--dot <file>', `the picture of ${of}, for Graphviz`),
  new Option('--svg <file>', `the picture of ${of}`),
  new Option('--png <file>', `the picture of ${of}, as dots`),
];

export const timeline = () =>
  new Option('--timeline', 'pictures are in space and time: what happens where, and when');
