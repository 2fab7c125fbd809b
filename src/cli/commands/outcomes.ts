import { Option } from 'commander';
import { ANSWER_CODES } from '../command/codes.js';
import { declare } from '../command/declare.js';
import { formats } from '../command/format-options.js';
import { grep, inlining, model, pathsArgument, search, spread } from '../command/options.js';
import { UsageError } from '../command/usage.js';
import { modelsOf } from '../inputs/clients.js';
import type { FormatOf } from '../print/reports.js';
import { formatsOf, outcomesReport } from '../print/reports.js';
import { answer } from '../run/answer.js';
import { begin } from '../run/begin.js';
import { outcomesTasks } from '../run/decide.js';
import type { CommonOptions } from '../run/options.js';
import { DEFAULT_MODEL } from '../run/options.js';

type Options = CommonOptions & {
  readonly all?: boolean;
  readonly model?: readonly string[];
  readonly reporter?: FormatOf<'outcomes'>;
};

export const outcomesCommand = () =>
  declare(
    {
      name: 'outcomes',
      summary: 'list all final states',
      description: 'Lists every final state that the model allows.',
      arguments: [pathsArgument(true)],
      options: [
        model(),
        ...inlining(),
        new Option('--all', 'all final values, not only those that the queries mention'),
        grep(),
        ...formats(formatsOf('outcomes')),
        ...search(),
        ...spread(),
      ],
      examples: [
        ['remora outcomes corpus/tso/MP3bis.litmus', 'every final state under rdma-tso'],
        ['remora outcomes corpus/tso/ST4.litmus --all --herd', "all values, as herd7's log"],
      ],
      codes: ANSWER_CODES,
    },
    (paths: string[], options: Options) => outcomes(paths, options),
  );

/**
 * Lists every final state. Other commands use it to write herd7's log.
 *
 * @param names the models, by name or path
 */
export async function outcomes(
  paths: readonly string[],
  options: Options,
  names = options.model ?? DEFAULT_MODEL,
): Promise<number> {
  const { reporter: format = 'text' } = options;
  if (format === 'herd' && names.length !== 1) {
    throw new UsageError('--herd prints the log of one model: give just one');
  }
  const work = await begin('outcomes', names, paths, options);
  if ('refused' in work) return answer(work.run, work);
  const { run, models, corpus, store, bad } = work;
  const tasks = corpus.tests.flatMap((item) => {
    const asked = modelsOf(item, models.items);
    // A log of herd7 has no place for the name of a model, so only one is asked.
    return outcomesTasks(item, format === 'herd' ? asked.slice(0, 1) : asked, options, store);
  });
  const report = (results: Parameters<typeof outcomesReport>[0]) =>
    outcomesReport(results, options.all, format);
  return answer(run, { bad, store, tasks, report });
}
