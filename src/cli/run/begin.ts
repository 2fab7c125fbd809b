/** How commands over litmus files begin: models and files are read, and workers started. */
import { UsageError } from '../command/usage.js';
import { notAsked, withoutClients } from '../inputs/clients.js';
import type { Corpus, CorpusOptions } from '../inputs/corpus.js';
import { corpusPaths, readCorpus } from '../inputs/corpus.js';
import type { ModelInputs } from '../inputs/models.js';
import { readModels } from '../inputs/models.js';
import { openReader } from '../inputs/reader.js';
import { showShard } from '../inputs/shard.js';
import { isFolder } from '../outputs/folders.js';
import type { OutputPlan, WantedOutput } from '../outputs/plan.js';
import { planOutputs } from '../outputs/plan.js';
import { complain } from '../print/print.js';
import type { CorpusCommand } from '../results/format.js';
import { headerOf } from '../results/format.js';
import type { ResultStore } from '../results/store.js';
import { storeMisuse, openStore } from '../results/store.js';
import type { CommandRefusal } from './answer.js';
import { brokenEntry } from './decide.js';
import type { CommonOptions } from './options.js';
import type { RunOptions, TaskRunner } from './tasks.js';
import { startRun } from './tasks.js';

/** The inputs that a command asks for. */
interface AskedInputs {
  /** The models, by name or path. */
  readonly names: readonly string[];
  readonly paths: readonly string[];
  readonly options: RunOptions & CorpusOptions & { readonly force?: boolean };
  /** For a command that takes no clients of libraries: its name in messages, and what it is about. */
  readonly takesNoClients?: readonly [command: string, why: string];
}

/** The inputs of a command, and workers. */
export interface LitmusInputs {
  /** The workers. */
  readonly run: TaskRunner;
  readonly models: ModelInputs;
  readonly corpus: Corpus;
  /** The paths of all files that were read. */
  readonly files: readonly string[];
  /** The notice that clients are left out, for a command that takes none. */
  readonly leftOut: readonly string[];
  /** Finds out whether files may be written. `-` is standard output. */
  plan(wanted: readonly WantedOutput[]): OutputPlan;
}

/** Reads models and litmus files. Mistakes are in the result; nothing is printed yet. */
export async function readInputs({
  names,
  paths,
  options,
  takesNoClients,
}: AskedInputs): Promise<LitmusInputs> {
  const reader = await openReader([...names, ...paths]);
  const run = startRun(options, paths.some(isFolder));
  const models = readModels(names, options.engine, reader);
  const read = readCorpus(paths, models, reader, options);
  const { corpus, refused: leftOut } =
    takesNoClients === undefined
      ? { corpus: read, refused: [] }
      : withoutClients(read, ...takesNoClients);
  const plan = (wanted: readonly WantedOutput[]): OutputPlan =>
    planOutputs(wanted, { inputs: reader.files, force: options.force, toStdout: true });
  return { run, models, corpus, files: reader.files, leftOut, plan };
}

/** Inputs, and the file for their results, if there is one. */
export interface Work extends LitmusInputs {
  readonly store: ResultStore | undefined;
  /** Is something wrong with an input? */
  readonly bad: boolean;
}

type Options = CommonOptions & {
  readonly all?: boolean;
  /** The models, if they are named. */
  readonly model?: readonly string[];
};

/**
 * Reads models and tests, prints mistakes in them, and opens the file of results. If the command cannot run, prints
 * why.
 */
export async function begin(
  command: CorpusCommand,
  names: readonly string[],
  given: readonly string[],
  options: Options,
): Promise<Work | (CommandRefusal & Pick<Work, 'run'>)> {
  const misused = storeMisuse(options);
  if (misused !== undefined) throw new UsageError(misused);
  const paths = corpusPaths(given, options.shipped);
  const inputs = await readInputs({ names, paths, options });
  const { run, models, corpus, files } = inputs;
  const notices = options.model === undefined ? [] : notAsked(models.items, corpus);
  const errors = [...models.errors, ...corpus.errors];
  const few = command === 'compare' && models.items.length < 2;
  if (few && errors.length === 0) errors.push('compare needs two models');
  complain([...corpus.warnings, ...notices, ...errors]);
  const header = headerOf(command, models, corpus, options);
  const rule = { inputs: files, force: options.force };
  const opened = few ? undefined : openStore(options, header, rule, (error) => complain([error]));
  const store = opened !== undefined && 'error' in opened ? undefined : opened;
  const refused = [
    ...(opened !== undefined && 'error' in opened ? [opened.error] : []),
    ...(header.files === 0 ? unmatchedBy(options, corpus) : []),
  ];
  if (few || refused.length > 0) return { run, refused };
  if (header.files === 0 && corpus.files > 0) {
    complain([`shard ${showShard(corpus.shard)} has none of the ${corpus.files} files`]);
  }
  for (const entry of corpus.broken.map(brokenEntry)) {
    if (store?.has(entry) === false) store.add(entry, []);
  }
  return { ...inputs, store, bad: errors.length > 0 };
}

/** The message that no test matches a pattern. With several shards this is not known, as other shards may have some. */
function unmatchedBy({ grep }: Options, { files, shard }: Corpus): readonly string[] {
  if (grep === undefined || files === 0 || shard.of > 1) return [];
  return [`none of the ${files} tests matches --grep '${grep}'`];
}
