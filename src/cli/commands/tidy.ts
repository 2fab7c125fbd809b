import { withLines } from '../run/in-c.js';
import { Option } from 'commander';
import type { Kept } from '../../analyses/tidy/difference.js';
import { KEPT } from '../../analyses/tidy/difference.js';
import { tidy } from '../../analyses/tidy/tidy.js';
import { FABRIC_MODELS } from '../../model/fabrics.js';
import type { Model } from '../../model/term.js';
import { interruptedAfter } from '../../report/interruption.js';
import type { TidyRecord } from '../../report/tidy.js';
import { isTried, tidyJson, tidyText } from '../../report/tidy.js';
import { declare } from '../command/declare.js';
import { AS_EXPECTED, DEPARTS, UNDECIDED } from '../command/exit.js';
import { formatOption } from '../command/format-options.js';
import { buffer, grep, model, pathsArgument, search } from '../command/options.js';
import { UsageError } from '../command/usage.js';
import type { CorpusTest } from '../inputs/corpus.js';
import type { Reporters } from '../print/formats.js';
import { JSON_TEXT } from '../print/formats.js';
import { lines } from '../print/print.js';
import type { CommandRefusal, CommandWork } from '../run/answer.js';
import { answer } from '../run/answer.js';
import type { LitmusInputs } from '../run/begin.js';
import { readInputs } from '../run/begin.js';
import type { CommonOptions } from '../run/options.js';
import { DEFAULT_MODEL } from '../run/options.js';
import type { CommandTask } from '../run/tasks.js';

type Format = 'text' | 'json';

interface Options extends CommonOptions {
  readonly model?: readonly string[];
  readonly fabrics?: boolean;
  readonly keep: Kept;
  readonly buffer?: number;
  readonly reporter?: Format;
}

export const tidyCommand = () =>
  declare(
    {
      name: 'tidy',
      summary: 'which polls, fences and reads are there for nothing?',
      description:
        'Tries each poll, each fence, and each read whose data nobody uses: does something change without it? ' +
        'What is needless is so under every model that is asked.',
      arguments: [pathsArgument(true)],
      options: [
        model(),
        new Option('--fabrics', 'every fabric that Remora has a model of, in the place of --model'),
        new Option(
          '--keep <what>',
          'what must stay: the outcomes that the queries see, or only the answers to the queries',
        )
          .choices(KEPT)
          .default('outcomes'),
        grep(),
        formatOption('json', '--json', JSON_TEXT),
        buffer(),
        ...search(),
      ],
      examples: [
        ['remora tidy corpus/c/put-then-flag.c', 'under rdma-tso'],
        ['remora tidy corpus/fabrics/ro-poll.litmus --fabrics', 'on all fabrics'],
      ],
      codes: {
        asExpected: 'nothing is needless',
        departs: 'something is needless',
        undecided: 'nothing is known to be needless, and something is undecided',
      },
    },
    tidyFiles,
  );

/** What of the programs of the files is there for nothing. */
async function tidyFiles(paths: readonly string[], options: Options): Promise<number> {
  if (options.fabrics === true && options.model !== undefined)
    throw new UsageError('--fabrics and --model exclude each other');
  const inputs = await readInputs({
    names: options.fabrics === true ? FABRIC_MODELS : (options.model ?? DEFAULT_MODEL),
    paths,
    options,
    takesNoClients: ['tidy', 'what their calls order is up to the libraries'],
  });
  return answer(inputs.run, questions(inputs, options));
}

function questions(
  { models, corpus, leftOut }: LitmusInputs,
  options: Options,
): CommandWork<TidyRecord> | CommandRefusal {
  if (models.errors.length > 0) return { refused: models.errors };
  const errors = [...corpus.errors, ...leftOut];
  return {
    said: [...corpus.warnings, ...errors],
    bad: errors.length > 0,
    tasks: corpus.tests.map((item) => tidyTask(item, models.items, options)),
    report(records) {
      const done = records.filter(isTried);
      const interruption = interruptedAfter(done.length, corpus.tests.length, 'programs');
      const format = options.reporter ?? 'text';
      return {
        format,
        text: REPORTERS[format]({ records, done, interruption }),
        interruption,
        code: codeOf(done),
      };
    },
  };
}

function codeOf(records: readonly TidyRecord[]): number {
  const verdicts = new Set(
    records.flatMap(({ tidied }) => tidied.judged.map(({ verdict }) => verdict)),
  );
  if (verdicts.has('needless')) return DEPARTS;
  return verdicts.has('unknown') ? UNDECIDED : AS_EXPECTED;
}

interface Report {
  readonly records: readonly TidyRecord[];
  readonly done: readonly TidyRecord[];
  readonly interruption: readonly string[];
}

const REPORTERS: Reporters<Format, Report> = {
  text: ({ done, interruption }) => done.map(tidyText).join('\n') + lines(interruption),
  json: ({ records }) => lines(records.map(tidyJson)),
};

function tidyTask(
  { test, source }: CorpusTest,
  models: readonly Model[],
  { keep: kept, engine, bound, limit, buffer: room }: Options,
): CommandTask<TidyRecord> {
  return {
    name: test.name,
    async do(pool) {
      const tidied = await tidy(pool, test, models, { kept, engine, bound, limit, room });
      return { test: await withLines(test, source, models), source, kept, tidied };
    },
  };
}
