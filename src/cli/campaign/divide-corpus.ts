import pLimit from 'p-limit';
import type { Pool } from '../../analyses/workers.js';
import type { Model } from '../../model/term.js';
import { compared, modelsOf, notAsked, notCompared } from '../clients.js';
import { findTests } from '../find.js';
import type { Corpus, CorpusTest } from '../inputs.js';
import { corpusPaths, readCorpus, readModels } from '../inputs.js';
import type { VerdictOptions } from '../judging.js';
import { DEFAULT_MODEL } from '../options.js';
import { openReader } from '../reader.js';
import type { CommandName } from '../results.js';
import { blockLines, headerOf } from '../results.js';
import type { CommandTask } from '../run.js';
import type { Store } from '../store.js';
import { decideTask, outcomesTasks } from '../tasks.js';
import { judgingOf } from '../verdicts.js';
import type { Divided } from './division.js';

/** Litmus files a job: some take long, and a job that a worker loses begins anew. */
const SIZE = 4;

type Options = VerdictOptions & { readonly all?: boolean };

/** What a command does with a test. */
type TasksOf = (item: CorpusTest, store: Store) => readonly CommandTask<unknown, Pool>[];

/** `check`, `test`, `compare` and `outcomes`: slices of a corpus. */
export async function divideCorpus(
  command: CommandName,
  operands: readonly string[],
  options: Options,
  found?: readonly string[],
): Promise<Divided> {
  const isCompare = command === 'compare';
  const judging = command === 'test' ? judgingOf(command, options) : undefined;
  const names = isCompare
    ? operands.slice(0, 2)
    : (judging?.models ?? options.model ?? DEFAULT_MODEL);
  const searched = findTests(
    found ?? corpusPaths(operands.slice(isCompare ? 2 : 0), options.shipped),
  );
  const paths = searched.flatMap(({ files }) => files);
  const reader = await openReader([...names, ...paths]);
  const models = readModels(names, options.engine, reader);
  const corpus = readCorpus(paths, models, reader, options);
  const unfound = searched.flatMap((one) => one.errors);
  const errors = [...unfound, ...models.errors, ...corpus.errors];
  if (isCompare && models.items.length < 2) errors.push('compare needs two models');
  if (corpus.tests.length === 0 && errors.length === 0) errors.push('there are no tests');
  if (errors.length > 0) return { errors };
  const concerns = judging?.concerns ?? (() => true);
  const tasksOf = tasksFor(command, models.items, concerns, options);
  return {
    header: { ...headerOf(command, models, corpus, options) },
    unit: 'litmus file',
    count: corpus.tests.length,
    size: SIZE,
    paths,
    files: reader.files,
    run: options,
    warnings: [...corpus.warnings, ...noticesOf(command, models.items, corpus, options)],
    async work({ from, to }, pool, lanes) {
      let lines = '';
      const store: Store = {
        has: () => false,
        add: (entry, results) => void (lines += blockLines(entry, results)),
        close: () => true,
      };
      const lane = pLimit(lanes);
      const tasks = corpus.tests.slice(from, to).flatMap((item) => tasksOf(item, store));
      await Promise.all(tasks.map((task) => lane(() => task.do(pool))));
      return lines;
    },
  };
}

function tasksFor(
  command: CommandName,
  models: readonly Model[],
  concerns: (test: CorpusTest['test'], model: Model) => boolean,
  options: Options,
): TasksOf {
  if (command === 'outcomes') {
    return (item, store) => outcomesTasks(item, modelsOf(item, models), options, store);
  }
  if (command === 'compare') {
    return (item, store) => [decideTask(item, compared(item, models) ?? [], options, store)];
  }
  return (item, store) => {
    const concerned = models.filter((model) => concerns(item.test, model));
    return [decideTask(item, modelsOf(item, concerned), options, store)];
  };
}

/** What the command says of tests that it does not ask as one may think. */
function noticesOf(
  command: CommandName,
  models: readonly Model[],
  corpus: Corpus,
  { model }: Options,
): readonly string[] {
  if (command !== 'compare') return model === undefined ? [] : notAsked(models, corpus);
  const others = corpus.tests.filter((item) => compared(item, models) === undefined);
  return notCompared(others, [models[0], models[1]]);
}
