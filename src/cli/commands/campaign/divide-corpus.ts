import pLimit from 'p-limit';
import type { Pool } from '../../../analyses/workers.js';
import type { Model } from '../../../model/term.js';
import { compared, modelsOf, notAsked, notCompared } from '../../inputs/clients.js';
import { findTests } from '../../inputs/find.js';
import type { Corpus, CorpusTest } from '../../inputs/corpus.js';
import { corpusPaths, readCorpus } from '../../inputs/corpus.js';
import { readModels } from '../../inputs/models.js';
import type { VerdictOptions } from '../check/judging.js';
import { DEFAULT_MODEL } from '../../run/options.js';
import { openReader } from '../../inputs/reader.js';
import type { CorpusCommand } from '../../results/format.js';
import { headerOf } from '../../results/format.js';
import type { CommandTask } from '../../run/tasks.js';
import type { ResultStore } from '../../results/store.js';
import { decideTask, entryFor, outcomesTasks } from '../../run/decide.js';
import { judgingOf } from '../check/verdicts.js';
import type { Block } from './blocks.js';
import { wrongBlocks } from './blocks.js';
import type { DividedCommand } from './division.js';

/** Litmus files a job: few, since some take long, and a job that a worker loses starts again. */
const SIZE = 4;

type Options = VerdictOptions & { readonly all?: boolean };

/** `check`, `test`, `compare` and `outcomes`: slices of a corpus. */
export async function divideCorpus(
  command: CorpusCommand,
  operands: readonly string[],
  options: Options,
  found?: readonly string[],
): Promise<DividedCommand> {
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
  const asked = askedBy(command, models.items, judging?.concerns ?? (() => true));
  return {
    header: { ...headerOf(command, models, corpus, options) },
    unit: 'litmus file',
    count: corpus.tests.length,
    size: SIZE,
    paths,
    files: reader.files,
    run: options,
    warnings: [...corpus.warnings, ...noticesOf(command, models.items, corpus, options)],
    work: ({ from, to }, pool, lanes) =>
      blocksOf(command, corpus.tests.slice(from, to), asked, options, pool, lanes),
    wrong({ from, to }, results) {
      const items = corpus.tests.slice(from, to);
      const entries = items.map((item) => entryFor(item, asked(item), options));
      return wrongBlocks(command, entries, results);
    },
  };
}

/** The results for some tests, as text. */
async function blocksOf(
  command: CorpusCommand,
  items: readonly CorpusTest[],
  asked: (item: CorpusTest) => readonly Model[],
  options: Options,
  pool: Pool,
  lanes: number,
): Promise<string> {
  const blocks: Block[] = [];
  const store: ResultStore = {
    has: () => false,
    add: (entry, results) => void blocks.push({ entry, results }),
    close: () => true,
  };
  const tasks = items.flatMap((item): readonly CommandTask<unknown, Pool>[] =>
    command === 'outcomes'
      ? outcomesTasks(item, asked(item), options, store)
      : [decideTask(item, asked(item), options, store)],
  );
  const lane = pLimit(lanes);
  await Promise.all(tasks.map((task) => lane(() => task.do(pool))));
  return JSON.stringify(blocks);
}

/** The models that a command asks a test under. */
function askedBy(
  command: CorpusCommand,
  models: readonly Model[],
  concerns: (test: CorpusTest['test'], model: Model) => boolean,
): (item: CorpusTest) => readonly Model[] {
  if (command === 'compare') return (item) => compared(item, models) ?? [];
  return (item) =>
    modelsOf(
      item,
      models.filter((model) => concerns(item.test, model)),
    );
}

/** Notices about tests that are not asked under the models of the command line. */
function noticesOf(
  command: CorpusCommand,
  models: readonly Model[],
  corpus: Corpus,
  { model }: Options,
): readonly string[] {
  if (command !== 'compare') return model === undefined ? [] : notAsked(models, corpus);
  const others = corpus.tests.filter((item) => compared(item, models) === undefined);
  return notCompared(others, [models[0], models[1]]);
}
