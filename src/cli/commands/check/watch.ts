import type { Model } from '../../../model/term.js';
import type { Test } from '../../../program/program.js';
import { BAD_INPUT, INTERRUPTED } from '../../command/exit.js';
import { modelsOf } from '../../inputs/clients.js';
import type { Corpus, CorpusTest } from '../../inputs/corpus.js';
import type { ModelInputs } from '../../inputs/models.js';
import { readCorpus, unusableOf } from '../../inputs/corpus.js';
import { readModels } from '../../inputs/models.js';
import { complain } from '../../print/print.js';
import { verdictReport } from '../../print/reports.js';
import { conclude } from '../../run/answer.js';
import { openReader } from '../../inputs/reader.js';
import { contentOf, shardKey } from '../../inputs/shard.js';
import { startRun } from '../../run/tasks.js';
import type { VerdictRow } from '../../run/decide.js';
import { decideTask } from '../../run/decide.js';
import type { Judging } from './judging.js';
import { watchPlaces } from './watcher.js';

/** The models and tests as they are now. */
interface WatchedInputs {
  readonly models: ModelInputs;
  readonly corpus: Corpus;
  /** The files that were read. */
  readonly files: readonly string[];
  /** For each name a hash of the text, or the error: a difference shows that something changed. */
  readonly state: ReadonlyMap<string, string>;
}

/** Rows by hashes of the texts that decide them: those of the test and of the model. */
type DecidedRows = Map<string, VerdictRow>;

/**
 * `--watch`: decides, waits until a test or a model changes, and decides again what depends on it, until Ctrl-C. After
 * a change everything is read again and compared by its text, so that it does not matter how an editor writes files,
 * and nothing is decided twice. Mistakes in a file are reported, and the rest goes on.
 */
export async function watch(judging: Judging, paths: readonly string[]): Promise<number> {
  const watcher = watchPlaces();
  const memory: DecidedRows = new Map();
  let known: WatchedInputs['state'] | undefined;
  try {
    while (!watcher.ended) {
      const inputs = await read(judging, paths);
      // A change while files are read must not be lost: after new places are watched, everything is read again.
      if (watcher.follow([...paths, ...inputs.files])) continue;
      const changes = known === undefined ? [] : changesSince(known, inputs.state);
      if (known === undefined || changes.length > 0) {
        if (changes.length > 0) complain([`changed: ${changes.join(', ')}`]);
        const { tests, broken } = inputs.corpus;
        await decideAndReport(judging, inputs, memory);
        if (known === undefined && tests.length + broken.length === 0) return BAD_INPUT;
        known = inputs.state;
        if (!watcher.ended) complain(['watching for changes; Ctrl-C ends it']);
      }
      await watcher.change();
    }
    return INTERRUPTED;
  } finally {
    watcher.close();
  }
}

async function read(
  { models: names, options }: Judging,
  paths: readonly string[],
): Promise<WatchedInputs> {
  // The first C file may come later.
  const reader = await openReader(paths);
  const models = readModels(names, options.engine, reader);
  const corpus = readCorpus(paths, models, reader, options);
  const state = new Map<string, string>();
  models.items.forEach((model, i) => state.set(model.name, models.contents[i]));
  for (const { source } of [...corpus.tests, ...corpus.broken]) {
    state.set(source.path, source.content);
    for (const { path, text } of source.libraries ?? []) state.set(path, contentOf(text));
  }
  for (const error of [...models.errors, ...corpus.unread]) state.set(firstWord(error), error);
  return { models, corpus, files: reader.files, state };
}

/** The file that an error is about. */
const firstWord = (error: string): string => error.split(':')[0];

/** The names of files that are new, gone, or changed. */
function changesSince(
  before: WatchedInputs['state'],
  now: WatchedInputs['state'],
): readonly string[] {
  const names = new Set([...before.keys(), ...now.keys()]);
  return [...names].filter((name) => before.get(name) !== now.get(name));
}

/** A test, its models, and the keys of its rows in the memory. */
interface WatchedTest {
  readonly item: CorpusTest;
  readonly models: readonly Model[];
  key(model: Model): string;
}

/** Decides the rows that the memory lacks, and reports these, with the counts of all rows. */
async function decideAndReport(
  judging: Judging,
  inputs: WatchedInputs,
  memory: DecidedRows,
): Promise<void> {
  const started = performance.now();
  const { models, corpus } = inputs;
  complain([...corpus.warnings, ...models.errors, ...corpus.errors]);
  const tests = watchedTests(judging, inputs);
  const { fresh, interrupted } = await decideLacking(tests, judging, memory);
  const rows = tests.flatMap(({ item, models: concerned, key }) =>
    concerned.map((model) => {
      const row = memory.get(key(model))!;
      const isFresh = fresh.has(row);
      return { row: asNow(row, item.test, isFresh), isFresh };
    }),
  );
  const shown = rows.filter(({ isFresh }) => isFresh).map(({ row }) => row.record);
  const columns = models.items.map((m) => m.name);
  const { command, format, options } = judging;
  const details = {
    models: columns.filter((name) => shown.some(({ model }) => model === name)),
    unusable: unusableOf(models, corpus),
    milliseconds: performance.now() - started,
    quiet: options.quiet ?? false,
    shown,
  };
  const all = rows.map(({ row }) => row);
  await conclude(verdictReport(all, format, command === 'check', details), { interrupted });
}

function watchedTests(
  { concerns }: Judging,
  { models, corpus }: WatchedInputs,
): readonly WatchedTest[] {
  const contents = new Map(models.items.map((model, i) => [model, models.contents[i]]));
  return corpus.tests.map((item) => {
    const { source, test } = item;
    return {
      item,
      models: modelsOf(
        item,
        models.items.filter((model) => concerns(test, model)),
      ),
      key: (model) => [source.path, shardKey(source), model.name, contents.get(model)].join('\n'),
    };
  });
}

/** Decides the rows that the memory lacks, and adds them. */
async function decideLacking(
  tests: readonly WatchedTest[],
  { options }: Judging,
  memory: DecidedRows,
): Promise<{ readonly fresh: ReadonlySet<VerdictRow>; readonly interrupted: boolean }> {
  const open = tests.flatMap(({ item, models, key }) => {
    const lacking = models.filter((model) => !memory.has(key(model)));
    return lacking.length === 0 ? [] : [{ item, lacking, key }];
  });
  const fresh = new Set<VerdictRow>();
  if (open.length === 0) return { fresh, interrupted: false };
  const run = startRun(options, open.length > 1);
  const tasks = open.map(({ item, lacking }) => decideTask(item, lacking, options, undefined));
  const { results, interrupted } = await run.all(tasks);
  for (const [t, rows] of results.entries()) {
    for (const [m, row] of rows.entries()) {
      const { lacking, key } = open[t];
      memory.set(key(lacking[m]), row);
      fresh.add(row);
    }
  }
  return { fresh, interrupted };
}

/** A row from the memory for a test that was read again. Its error is only shown if it is new. */
const asNow = ({ record, error }: VerdictRow, test: Test, isFresh: boolean): VerdictRow => ({
  record: { ...record, test },
  error: isFresh ? error : undefined,
});
