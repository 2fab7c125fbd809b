import type { Engine } from '../check/engine.js';
import { refusal, takesAll } from '../check/engine.js';
import { CPU_MODEL, MAIN_MODELS, loadModelNamed } from '../model/shipped.js';
import type { Model } from '../model/term.js';
import { isRemote } from '../program/instructions.js';
import type { Test } from '../program/program.js';
import { BAD_INPUT } from './exit.js';
import type { Corpus, ModelInputs } from './inputs.js';
import { isFolder } from './folders.js';
import { defaultCorpus, readCorpus, readModels } from './inputs.js';
import type { CommonOptions } from './options.js';
import type { Circumstances } from './print.js';
import { complain, reportCheck, reportCompare, reportOutcomes, reportTest } from './print.js';
import type { CommandName } from './results.js';
import { openReader } from './reader.js';
import { headerOf } from './results.js';
import type { Run, Task } from './run.js';
import { startRun } from './run.js';
import { showShard } from './shard.js';
import type { Store } from './store.js';
import { misuse, openStore } from './store.js';
import { brokenEntry, decideTask, outcomesTasks } from './tasks.js';
import { UsageError } from './usage.js';

type Options = CommonOptions & { readonly all?: boolean };

/** A command that has read everything and can begin. */
interface Work {
  readonly run: Run;
  readonly models: ModelInputs;
  readonly corpus: Corpus;
  readonly store: Store | undefined;
}

/** Reads models and tests and opens the file of results; undefined if that keeps it from running. */
async function begin(
  command: CommandName,
  names: readonly string[],
  given: readonly string[],
  options: Options,
): Promise<Work | undefined> {
  const misused = misuse(options);
  if (misused !== undefined) throw new UsageError(misused);
  const paths = given.length > 0 ? given : [orShipped()];
  const reader = await openReader([...names, ...paths]);
  const run = startRun(options, paths.some(isFolder));
  const models = readModels(names, options.engine, reader);
  const corpus = readCorpus(paths, reader, options.shard);
  const errors = [...models.errors, ...corpus.errors];
  const few = command === 'compare' && models.items.length < 2;
  if (few && errors.length === 0) errors.push('compare needs two models');
  complain(errors);
  const header = headerOf(command, models, corpus, options);
  const rule = { inputs: reader.files, force: options.force };
  const store = few ? undefined : openStore(options, header, rule, (error) => complain([error]));
  const unusable = store !== undefined && 'error' in store;
  if (unusable) complain([store.error]);
  if (few || unusable) {
    await run.all([]);
    return undefined;
  }
  if (header.files === 0 && corpus.files > 0) {
    complain([`shard ${showShard(corpus.shard)} has none of the ${corpus.files} files`]);
  }
  for (const entry of corpus.broken.map(brokenEntry)) {
    if (store?.has(entry) === false) store.add(entry, []);
  }
  return { run, models, corpus, store };
}

/** The corpus to read where no path is given; people are told if it is not their own. */
function orShipped(): string {
  const { path, notice } = defaultCorpus();
  if (notice !== undefined) complain([notice]);
  return path;
}

/** Does all the work. */
async function finish<T>(
  { run, models, corpus, store }: Work,
  tasks: readonly Task<T>[],
): Promise<{ readonly results: readonly T[]; readonly how: Circumstances }> {
  const { results, interrupted } = await run.all(tasks);
  const written = store?.close(!interrupted) ?? true;
  const bad = models.errors.length + corpus.errors.length > 0 || !written;
  return { results, how: { bad, interrupted } };
}

/** `remora check`: every query of the files under the models. */
export async function check(
  paths: readonly string[],
  options: Options & { readonly model: readonly string[]; readonly herd?: boolean },
): Promise<number> {
  if (options.herd === true) return outcomes(paths, options);
  const work = await begin('check', options.model, paths, options);
  if (work === undefined) return BAD_INPUT;
  const { models, corpus, store } = work;
  const tasks = corpus.tests.map((item) => decideTask(item, models.items, options, store));
  const { results, how } = await finish(work, tasks);
  return reportCheck(results.flat(), options, how);
}

/** The models of `test` where none are named: the main ones that the engine can treat. */
function defaultModels(engine: Engine): readonly string[] {
  return [...MAIN_MODELS, CPU_MODEL].filter((name) => {
    if (takesAll(engine)) return true;
    const { model } = loadModelNamed(name);
    return !model.ok || refusal(engine, model.value) === undefined;
  });
}

/** `remora test`: a corpus under many models, as a table, and what departs from the files. */
export async function test(
  paths: readonly string[],
  options: Options & { readonly model?: readonly string[]; readonly markdown?: boolean },
): Promise<number> {
  const started = performance.now();
  const names = options.model ?? defaultModels(options.engine);
  const work = await begin('test', names, paths, options);
  if (work === undefined) return BAD_INPUT;
  const { models, corpus, store } = work;
  // By default a CPU model is asked about CPU programs only: of others it has nothing to say.
  const concerns = (t: Test, m: Model) =>
    options.model !== undefined || m.name !== CPU_MODEL || !isRemote(t.program);
  const tasks = corpus.tests.map((item) => {
    const concerned = models.items.filter((m) => concerns(item.test, m));
    return decideTask(item, concerned, options, store);
  });
  const { results, how } = await finish(work, tasks);
  const columns = models.items.map((m) => m.name);
  return reportTest(results.flat(), columns, performance.now() - started, options, how);
}

/** `remora compare`: which verdicts differ between two models. */
export async function compare(
  first: string,
  second: string,
  paths: readonly string[],
  options: Options,
): Promise<number> {
  const work = await begin('compare', [first, second], paths, options);
  if (work === undefined) return BAD_INPUT;
  const { models, corpus, store } = work;
  const tasks = corpus.tests.map((item) => decideTask(item, models.items, options, store));
  const { results, how } = await finish(work, tasks);
  const [a, b] = models.items;
  return reportCompare(results.flat(), [a.name, b.name], options, how);
}

/**
 * `remora outcomes`: every final state. `--herd` prints the log of one model, which lists states
 * whatever the command.
 */
export async function outcomes(
  paths: readonly string[],
  options: Options & { readonly model: readonly string[]; readonly herd?: boolean },
): Promise<number> {
  if (options.herd === true && options.model.length !== 1) {
    throw new UsageError('--herd prints the log of one model: give just one');
  }
  const work = await begin('outcomes', options.model, paths, options);
  if (work === undefined) return BAD_INPUT;
  const { models, corpus, store } = work;
  const tasks = corpus.tests.flatMap((item) => outcomesTasks(item, models.items, options, store));
  const { results, how } = await finish(work, tasks);
  return reportOutcomes(results, options.all, options, how);
}
