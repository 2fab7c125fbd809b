import { BAD_INPUT } from '../command/exit.js';
import type { FormatOf } from '../print/formats.js';
import { chosen } from '../print/formats.js';
import type { Corpus } from '../inputs/corpus.js';
import type { ModelInputs } from '../inputs/models.js';
import { compared, modelsOf, notAsked, notCompared } from '../inputs/clients.js';
import { isFolder } from '../outputs/folders.js';
import { corpusPaths, readCorpus } from '../inputs/corpus.js';
import { readModels } from '../inputs/models.js';
import type { CommonOptions } from './options.js';
import { DEFAULT_MODEL } from './options.js';
import type { Incidents } from '../print/print.js';
import { complain, reportCompare, reportOutcomes } from '../print/print.js';
import type { CommandName } from '../results/format.js';
import { openReader } from '../inputs/reader.js';
import { headerOf } from '../results/format.js';
import type { TaskRunner, CommandTask } from './tasks.js';
import { startRun } from './tasks.js';
import { showShard } from '../inputs/shard.js';
import type { Store } from '../results/store.js';
import { misuse, openStore } from '../results/store.js';
import { brokenEntry, decideTask, outcomesTasks } from './decide.js';
import { UsageError } from '../command/usage.js';

type Options = CommonOptions & {
  readonly all?: boolean;
  /** The models, where they are named. */
  readonly model?: readonly string[];
};

/** A command that has read everything and can begin. */
interface Work {
  readonly run: TaskRunner;
  readonly models: ModelInputs;
  readonly corpus: Corpus;
  readonly store: Store | undefined;
  /** The files that were read. */
  readonly inputs: readonly string[];
}

/** Reads models and tests and opens the file of results; undefined if that keeps it from running. */
export async function begin(
  command: CommandName,
  names: readonly string[],
  given: readonly string[],
  options: Options,
): Promise<Work | undefined> {
  const misused = misuse(options);
  if (misused !== undefined) throw new UsageError(misused);
  const paths = corpusPaths(given, options.shipped);
  const reader = await openReader([...names, ...paths]);
  const run = startRun(options, paths.some(isFolder));
  const models = readModels(names, options.engine, reader);
  const corpus = readCorpus(paths, models, reader, options);
  const notices = options.model === undefined ? [] : notAsked(models.items, corpus);
  const errors = [...models.errors, ...corpus.errors];
  const few = command === 'compare' && models.items.length < 2;
  if (few && errors.length === 0) errors.push('compare needs two models');
  complain([...corpus.warnings, ...notices, ...errors]);
  const header = headerOf(command, models, corpus, options);
  const rule = { inputs: reader.files, force: options.force };
  const store = few ? undefined : openStore(options, header, rule, (error) => complain([error]));
  const unusable = store !== undefined && 'error' in store;
  if (unusable) complain([store.error]);
  const unmatched = header.files === 0 ? unmatchedBy(options, corpus) : undefined;
  if (unmatched !== undefined) complain([unmatched]);
  if (few || unusable || unmatched !== undefined) {
    await run.all([]);
    return undefined;
  }
  if (header.files === 0 && corpus.files > 0) {
    complain([`shard ${showShard(corpus.shard)} has none of the ${corpus.files} files`]);
  }
  for (const entry of corpus.broken.map(brokenEntry)) {
    if (store?.has(entry) === false) store.add(entry, []);
  }
  return { run, models, corpus, store, inputs: reader.files };
}

/** Says that no test matches a pattern, where that is for sure: other shards may have some. */
function unmatchedBy({ grep }: Options, { files, shard }: Corpus): string | undefined {
  if (grep === undefined || files === 0 || shard.of > 1) return undefined;
  return `none of the ${files} tests matches --grep '${grep}'`;
}

/** Does all the work, or what comes up to the first result that is to be the `last`. */
export async function finish<T>(
  { run, models, corpus, store }: Work,
  tasks: readonly CommandTask<T>[],
  last?: (result: T) => boolean,
): Promise<{ readonly results: readonly T[]; readonly how: Incidents }> {
  const { results, interrupted } = await run.all(tasks, last);
  const finished = !interrupted && results.length === tasks.length;
  const written = store?.close(finished) ?? true;
  const bad = models.errors.length + corpus.errors.length > 0 || !written;
  return { results, how: { bad, interrupted } };
}

/** `remora compare`: which verdicts differ between two models. */
export async function compare(
  first: string,
  second: string,
  paths: readonly string[],
  options: Options & { readonly reporter?: FormatOf<'compare'> },
): Promise<number> {
  const work = await begin('compare', [first, second], paths, options);
  if (work === undefined) return BAD_INPUT;
  const { models, corpus, store } = work;
  const [a, b] = models.items;
  const sides = corpus.tests.map((item) => compared(item, models.items));
  const others = corpus.tests.filter((_, i) => sides[i] === undefined);
  complain(notCompared(others, [a, b]));
  const tasks = corpus.tests.map((item, i) => decideTask(item, sides[i] ?? [], options, store));
  const { results, how } = await finish(work, tasks);
  const format = chosen('compare', options.reporter);
  const some = others.length === 0 || others.length < sides.length;
  return reportCompare(results.flat(), [a.name, b.name], format, how, some);
}

/**
 * `remora outcomes`, and herd7's log of every command: every final state.
 *
 * @param names the models, by name or path
 */
export async function outcomes(
  paths: readonly string[],
  options: Options & { readonly reporter?: FormatOf<'outcomes'> },
  names = options.model ?? DEFAULT_MODEL,
): Promise<number> {
  const format = chosen('outcomes', options.reporter);
  if (format === 'herd' && names.length !== 1) {
    throw new UsageError('--herd prints the log of one model: give just one');
  }
  const work = await begin('outcomes', names, paths, options);
  if (work === undefined) return BAD_INPUT;
  const { models, corpus, store } = work;
  const tasks = corpus.tests.flatMap((item) => {
    const asked = modelsOf(item, models.items);
    // A log has no place for the name of a model.
    return outcomesTasks(item, format === 'herd' ? asked.slice(0, 1) : asked, options, store);
  });
  const { results, how } = await finish(work, tasks);
  return reportOutcomes(results, options.all, format, how);
}
