import { Option } from 'commander';
import { askFix } from '../../analyses/ask/fix.js';
import { INTERRUPTION } from '../../check/result.js';
import { USUAL_CPU, withCpus } from '../../model/cpus.js';
import { FABRIC_MODELS } from '../../model/fabrics.js';
import { cpuProblem } from '../../model/shipped.js';
import type { Model } from '../../model/term.js';
import type { Costs } from '../../rdma/additions.js';
import { DEFAULT_COSTS } from '../../rdma/additions.js';
import type { FabricRow, OnFabric } from '../../report/fabric-rows.js';
import { fabricRow, goesWrong, onFabric } from '../../report/fabric-rows.js';
import { fabricsJson, fabricsMarkdown, fabricsText } from '../../report/fabrics.js';
import { DISK } from '../../node/models.js';
import { interruptedAfter } from '../../report/interruption.js';
import { names } from '../command/values.js';
import { ANSWER_CODES } from '../command/codes.js';
import { declare } from '../command/declare.js';
import { AS_EXPECTED, UNDECIDED } from '../command/exit.js';
import { formatOption } from '../command/format-options.js';
import { bound, cost, jobs, memory, model, pathsArgument, timeLimit } from '../command/options.js';
import { UsageError } from '../command/usage.js';
import type { CorpusTest } from '../inputs/corpus.js';
import type { Reporters } from '../print/formats.js';
import { lines } from '../print/print.js';
import type { CommandWork, CommandRefusal } from '../run/answer.js';
import { answer } from '../run/answer.js';
import type { LitmusInputs } from '../run/begin.js';
import { readInputs } from '../run/begin.js';
import { decideTask } from '../run/decide.js';
import { fixInC, ruledOut, withLines } from '../run/in-c.js';
import type { CommandTask, RunOptions } from '../run/tasks.js';

type Format = 'text' | 'json' | 'markdown';

interface Options extends Omit<RunOptions, 'engine'> {
  readonly model?: readonly string[];
  readonly cpu?: readonly string[];
  readonly fix?: boolean;
  readonly cost?: Costs;
  readonly bound?: number;
  readonly reporter?: Format;
}

const ONE_FORMAT = '--markdown and --json exclude each other';

export const fabricsCommand = () =>
  declare(
    {
      name: 'fabrics',
      summary: 'on which hardware and settings is a program safe?',
      description:
        'Decides every query of the files on every fabric that Remora has a model of, and names the ' +
        'weakest on which what a query asks about cannot happen.',
      arguments: [pathsArgument(true)],
      options: [
        model(FABRIC_MODELS.join(', ')),
        new Option(
          '--cpu <cpu>',
          `with these CPUs, as models are named (default: ${USUAL_CPU})`,
        ).argParser(names('a CPU')),
        new Option('--fix', 'also what would rule it out on each fabric where it can go wrong'),
        cost(),
        bound(),
        timeLimit(),
        memory(),
        jobs(),
        formatOption('json', '--json', 'one JSON object a line, one a query', ONE_FORMAT),
        formatOption('markdown', '--markdown', 'a table, as Markdown', ONE_FORMAT),
      ],
      examples: [
        ['remora fabrics corpus/field/put-signal-two-nodes.litmus', 'on each fabric'],
        [
          'remora fabrics corpus/field/put-signal-two-nodes.litmus -m rdma-ro --fix',
          'and what helps there',
        ],
        [
          'remora fabrics corpus/field/put-signal-same-node.litmus --cpu x86,arm',
          'with each of two CPUs',
        ],
      ],
      codes: ANSWER_CODES,
    },
    fabrics,
  );

/** On which fabrics the queries of the files are safe. */
async function fabrics(paths: readonly string[], options: Options): Promise<number> {
  if (options.cost !== undefined && options.fix !== true)
    throw new UsageError('--cost is for --fix');
  const { cpu: cpus = [USUAL_CPU] } = options;
  for (const one of cpus) checkCpu(one);
  const inputs = await readInputs({
    names: withCpus(options.model ?? FABRIC_MODELS, cpus),
    paths,
    options: { ...options, engine: 'auto' },
    takesNoClients: ['fabrics', 'their libraries decide them, whatever the fabric'],
  });
  return answer(inputs.run, questions(inputs, options));
}

/** One message for a name that would be unknown beside each fabric. */
function checkCpu(name: string): void {
  const problem = cpuProblem(name, DISK);
  if (problem === undefined) return;
  const { message, hint } = problem;
  throw new UsageError(`--cpu: ${message}${hint === undefined ? '' : `; ${hint}`}`);
}

function questions(
  { models, corpus, leftOut }: LitmusInputs,
  options: Options,
): CommandWork<readonly FabricRow[]> | CommandRefusal {
  if (models.errors.length > 0) return { refused: models.errors };
  const errors = [...corpus.errors, ...leftOut];
  const empty = corpus.tests
    .filter(({ test }) => test.queries.length === 0)
    .map(({ source }) => `${source.path}: this file asks nothing`);
  return {
    said: [...empty, ...corpus.warnings, ...errors],
    bad: errors.length > 0,
    tasks: corpus.tests.map((item) => fabricsTask(item, models.items, options)),
    report(results) {
      const isDone = ({ on }: FabricRow): boolean =>
        !on.some(({ answer }) => answer?.reason === INTERRUPTION);
      const rows = results.flat();
      const done = rows.filter(isDone);
      const interruption = interruptedAfter(done.length, rows.length, 'queries');
      const format = options.reporter ?? 'text';
      return {
        format,
        text: REPORTERS[format]({ done, rows, models: models.items, interruption }),
        interruption,
        code: rows.every(isDecided) ? AS_EXPECTED : UNDECIDED,
      };
    },
  };
}

const isDecided = ({ on }: FabricRow): boolean =>
  on.every(
    ({ answer, fix }) =>
      answer !== undefined && answer.verdict !== 'unknown' && fix?.kind !== 'undecided',
  );

interface Report {
  readonly rows: readonly FabricRow[];
  readonly done: readonly FabricRow[];
  readonly models: readonly Model[];
  readonly interruption: readonly string[];
}

const REPORTERS: Reporters<Format, Report> = {
  text: ({ done, models, interruption }) =>
    fabricsText(done, new Map(models.map(({ name, title }) => [name, title]))) +
    lines(interruption),
  json: ({ rows }) => lines(rows.map(fabricsJson)),
  markdown: ({ done, models }) =>
    fabricsMarkdown(
      done,
      models.map(({ name }) => name),
    ),
};

/** Decides all queries of a test on all fabrics, and, if asked, finds what would rule out what can go wrong. */
function fabricsTask(
  item: CorpusTest,
  models: readonly Model[],
  { bound: most, fix = false, cost: costs = DEFAULT_COSTS }: Options,
): CommandTask<readonly FabricRow[]> {
  const { test } = item;
  const decided = decideTask(item, models, { engine: 'auto', bound: most }, undefined);
  return {
    name: test.name,
    async do(pool) {
      const records = (await decided.do(pool)).map(({ record }) => record);
      const rows: FabricRow[] = [];
      for (const query of test.queries.keys()) {
        const on: OnFabric[] = [];
        for (const [i, record] of records.entries()) {
          const one = onFabric(record, query);
          const helps = fix && goesWrong(one) === true;
          if (!helps) {
            on.push(one);
            continue;
          }
          const told = await withLines(test, item.source, models);
          const found = await askFix(pool, told, models[i], query, { costs, bound: most });
          const isRight = ruledOut(pool, models[i], [query], { bound: most });
          const fix_ = await fixInC(
            found,
            { test, source: item.source, model: models[i] },
            isRight,
          );
          on.push({ ...one, fix: fix_ });
        }
        rows.push(fabricRow(item, query, on));
      }
      return rows;
    },
  };
}
