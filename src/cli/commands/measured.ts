import { join } from 'node:path';
import { Argument } from 'commander';
import { addUp } from '../../analyses/measured/add-up.js';
import type { TestBeside } from '../../analyses/measured/ask.js';
import { askMeasured } from '../../analyses/measured/ask.js';
import { columnsOn } from '../../analyses/measured/columns.js';
import { INTERRUPTION } from '../../check/result.js';
import { FABRIC_MODELS } from '../../model/fabrics.js';
import { interruptedAfter } from '../../report/interruption.js';
import { measuredText } from '../../report/measured.js';
import { measuredJson } from '../../report/measured-json.js';
import { measuredMarkdown } from '../../report/measured-markdown.js';
import type { MeasuredReport } from '../../report/measured-words.js';
import { leftOn } from '../../report/measured-words.js';
import { declare } from '../command/declare.js';
import { AS_EXPECTED, DEPARTS, UNDECIDED } from '../command/exit.js';
import { formatOption } from '../command/format-options.js';
import { bound, jobs, memory, model, timeLimit } from '../command/options.js';
import { readCorpus } from '../inputs/corpus.js';
import { readModels } from '../inputs/models.js';
import { openReader } from '../inputs/reader.js';
import { readAllResults } from '../inputs/results.js';
import { SHIPPED_CORPUS } from '../package.js';
import type { Reporters } from '../print/formats.js';
import { lines } from '../print/print.js';
import { terminalColumns } from '../print/terminal.js';
import { answer } from '../run/answer.js';
import type { RunOptions } from '../run/tasks.js';
import { startRun } from '../run/tasks.js';

interface Options extends Omit<RunOptions, 'engine'> {
  readonly model?: readonly string[];
  readonly bound?: number;
  readonly reporter?: Format;
}

type Format = 'text' | 'json' | 'markdown';

const ONE_FORMAT = '--markdown and --json exclude each other';

/** The models of all fabrics, and the one that the weak card can be besides. */
const MODELS: readonly string[] = [...FABRIC_MODELS, 'rdma-tso-nopcie'];

/** The questions that tell fabrics apart. */
const COLUMNS = join(SHIPPED_CORPUS, 'columns');

export const measuredCommand = () =>
  declare(
    {
      name: 'measured',
      summary: 'what cards showed, beside what models allow',
      description:
        'Holds what the programs of remora emit saw on cards against models: which final states are allowed and seen, allowed and never ' +
        'seen, forbidden and seen, and which fabrics each card can still be. What a model forbids that was seen is explained.',
      arguments: [new Argument('<path...>', 'files of results, or folders of .jsonl files')],
      options: [
        model(MODELS.join(', ')),
        bound(),
        timeLimit('one list of final states'),
        memory(),
        jobs(),
        formatOption(
          'json',
          '--json',
          'one JSON object a line: cards, tests, what is forbidden and seen',
          ONE_FORMAT,
        ),
        formatOption('markdown', '--markdown', 'tables, as Markdown', ONE_FORMAT),
      ],
      examples: [
        ['remora measured results.jsonl', 'which fabrics can this card be?'],
        ['remora measured results.jsonl -m rdma-manpage', 'and why is it not this one?'],
      ],
      codes: {
        asExpected: 'each card can be one of the models',
        departs:
          'a card showed what a model forbids that -m names; or it can be none of the models',
        undecided: 'something that was seen is undecided under a model, or a list is incomplete',
      },
    },
    measured,
  );

/** Holds results of cards against models. */
async function measured(paths: readonly string[], options: Options): Promise<number> {
  const { bound: most } = options;
  const names = options.model ?? MODELS;
  const reader = await openReader([...names, ...paths]);
  const run = startRun({ ...options, engine: 'auto' }, true);
  const models = readModels(names, 'auto', reader);
  const results = readAllResults(paths, reader);
  const said = [...results.notices, ...models.errors, ...results.errors];
  if (models.errors.length > 0 || results.items.length === 0) return answer(run, { refused: said });
  const { cards, tests } = addUp(results.items);
  const asked = models.items.map(({ name }) => name);
  const rest = MODELS.filter((name) => !asked.includes(name));
  const question = {
    models: models.items,
    areNamed: options.model !== undefined,
    others: readModels(rest, 'auto', reader).items,
    bound: most,
  };
  const questions = readCorpus([COLUMNS], models, reader).tests.map(({ test }) => test);
  return answer(run, {
    said,
    bad: results.errors.length > 0,
    tasks: tests.map((item) => ({
      name: item.name,
      do: (pool) => askMeasured(pool, item, question),
    })),
    report(found) {
      const done = found.filter(isDone);
      const columns = cards.map((card, i) => columnsOn(questions, done, i, card));
      const report: MeasuredReport = { cards, models: asked, tests: done, columns };
      const format = options.reporter ?? 'text';
      const interruption = interruptedAfter(done.length, tests.length, 'tests');
      return {
        format,
        text: REPORTERS[format]({ report, interruption }),
        interruption,
        code: codeOf(report),
      };
    },
  });
}

interface Printed {
  readonly report: MeasuredReport;
  readonly interruption: readonly string[];
}

const REPORTERS: Reporters<Format, Printed> = {
  text: ({ report, interruption }) => measuredText(report, terminalColumns()) + lines(interruption),
  json: ({ report }) => lines(measuredJson(report)),
  markdown: ({ report }) => measuredMarkdown(report),
};

const isDone = ({ under }: TestBeside): boolean =>
  under.every(({ outcomes }) => outcomes?.incomplete !== INTERRUPTION);

function codeOf(report: MeasuredReport): number {
  const judged = report.cards.map((_, card) => leftOn(report, card));
  const isRefuted = judged.some(({ left }) => left.length === 0);
  if (isRefuted || report.tests.some(({ alarms }) => alarms.length > 0)) return DEPARTS;
  const isOpen = judged.some((one) =>
    one.judged.some(({ open, incomplete }) => open + incomplete > 0),
  );
  return isOpen ? UNDECIDED : AS_EXPECTED;
}
