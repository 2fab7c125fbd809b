import type { Settings } from '../../../libraries/inline.js';
import { askFix } from '../../../analyses/ask/fix.js';
import { askWhy } from '../../../analyses/ask/explain.js';
import type { Explanation } from '../../../analyses/explain/explanation.js';
import { checkShown } from '../../../analyses/explain/shown-relations.js';
import type { Fix } from '../../../analyses/repair/fix.js';
import { INTERRUPTION } from '../../../check/result.js';
import { groupBy } from '../../../model/relation/groups.js';
import type { Model } from '../../../model/term.js';
import type { SourceFile } from '../../../parse/diagnostics/index.js';
import { renderDiagnostic } from '../../../parse/diagnostics/index.js';
import type { Test } from '../../../program/program.js';
import type { Costs } from '../../../rdma/additions.js';
import { DEFAULT_COSTS } from '../../../rdma/additions.js';
import { prepare } from '../../../rdma/prepare.js';
import { COLOURS } from '../../../report/colours.js';
import type { Elsewhere } from '../../../report/elsewhere.js';
import { explanationMarkdown } from '../../../report/explain-markdown.js';
import { explanationText } from '../../../report/explain.js';
import type { ExplainedTest } from '../../../report/explained-tests.js';
import { fixJson, fixLines, fixPatchLines } from '../../../report/fix.js';
import { interruptedAfter } from '../../../report/interruption.js';
import { jsonLine } from '../../../report/json.js';
import { AS_EXPECTED, UNDECIDED } from '../../command/exit.js';
import { UsageError } from '../../command/usage.js';
import { eachOf, modelsOf, notAsked } from '../../inputs/clients.js';
import type { Corpus, CorpusTest } from '../../inputs/corpus.js';
import { renderFor } from '../../inputs/messages.js';
import type { PictureFiles } from '../../outputs/pictures.js';
import {
  NO_PICTURE,
  drawInto,
  drawingOf,
  picturesOf,
  printsPicture,
  wantsPicture,
} from '../../outputs/pictures.js';
import type { Output } from '../../outputs/plan.js';
import type { Reporters } from '../../print/formats.js';
import { lines } from '../../print/print.js';
import type { CommandWork, CommandRefusal } from '../../run/answer.js';
import { answer } from '../../run/answer.js';
import type { LitmusInputs } from '../../run/begin.js';
import { readInputs } from '../../run/begin.js';
import { DEFAULT_MODEL } from '../../run/options.js';
import { fixInC, ruledOut, withLines } from '../../run/in-c.js';
import type { CommandTask } from '../../run/tasks.js';
import { askOthers } from './other-models.js';
import { explainProofs } from './proof.js';

type Format = 'text' | 'json' | 'markdown';

/** Pictures are of one query. */
export interface ExplainCommandOptions extends PictureFiles {
  readonly model?: readonly string[];
  /** Library files that replace those that clients name. */
  readonly library?: readonly string[];
  /** Implementations that replace clients' calls, and their parameters. */
  readonly implementation?: readonly string[];
  readonly set?: Settings;
  /** Just one query of each test, counted from 1. */
  readonly query?: number;
  /** Pictures are timelines. */
  readonly timeline?: boolean;
  /** Relations to show. */
  readonly show?: readonly string[];
  /** Whether to find what would change the answer. */
  readonly fix?: boolean;
  readonly cost?: Costs;
  /** Proofs to put into words, instead of explaining answers. */
  readonly proof?: readonly string[];
  readonly reporter?: Format;
  readonly force?: boolean;
  readonly bound?: number;
  readonly timeLimit?: number;
  readonly jobs?: number;
}

/** A query that has been explained. */
interface ExplainedQuery {
  readonly test: Test;
  readonly source: SourceFile;
  readonly query: number;
  readonly explanation: Explanation;
  /** One for each model, if they were asked for. */
  readonly fixes: readonly Fix[];
  /** For `--markdown`: what the other models say, under which the query is not explained. */
  readonly elsewhere: readonly Elsewhere[];
}

/** The engine that explanations are found with. */
const ENGINE = 'auto';

/**
 * `remora explain`: why the queries of the files have their answers under the models. Mistakes in inputs are reported;
 * the other inputs are explained.
 */
export async function explain(
  paths: readonly string[],
  options: ExplainCommandOptions,
): Promise<number> {
  const problem = misuse(options);
  if (problem !== undefined) throw new UsageError(problem);
  if (options.proof !== undefined) return explainProofs(paths, options.proof, options);
  const inputs = await readInputs({
    names: options.model ?? DEFAULT_MODEL,
    paths,
    options: { ...options, engine: ENGINE },
    takesNoClients:
      options.fix === true
        ? ['explain --fix', 'it adds instructions of plain programs']
        : undefined,
  });
  return answer(inputs.run, questionsAbout(inputs, options));
}

function questionsAbout(
  { models, corpus, leftOut, plan }: LitmusInputs,
  options: ExplainCommandOptions,
): CommandWork<ExplainedQuery> | CommandRefusal {
  const { show, reporter: format = 'text' } = options;
  if (models.errors.length > 0) return { refused: models.errors };
  const shown = show && checkShown(modelsAsked(corpus, models.items), show);
  if (shown?.ok === false) {
    return { refused: shown.errors.map((error) => renderDiagnostic(error, new Map())) };
  }
  const pictures = plan(picturesOf(options));
  if (pictures.errors.length > 0) return { refused: [...corpus.errors, ...pictures.errors] };
  const errors = [...corpus.errors, ...leftOut];
  const empty: string[] = [];
  const tasks = eachOf(corpus).flatMap((item) => {
    const asked = askedAbout(item, models.items, options);
    if (options.query === undefined && item.test.queries.length === 0) {
      empty.push(`${item.source.path}: ${ASKS_NOTHING}`);
    }
    errors.push(...asked.errors);
    return asked.queries.map((query) => explainTask(item, query, asked, options));
  });
  const notices = options.model === undefined ? [] : notAsked(models.items, corpus);
  return {
    said: [...empty, ...corpus.warnings, ...notices, ...errors],
    bad: errors.length > 0,
    tasks,
    report(results) {
      const done = results.filter(({ explanation }) => explanation.unfinished !== INTERRUPTION);
      const interruption = interruptedAfter(done.length, results.length, 'explanations');
      const isDecided = results.every(({ explanation }) => isFinished(explanation));
      return {
        format,
        text: printsPicture(options) ? '' : REPORTERS[format]({ results, done, interruption }),
        interruption,
        write: () => draw(results, pictures.outputs),
        filesFirst: true,
        code: isDecided ? AS_EXPECTED : UNDECIDED,
      };
    },
  };
}

const ASKS_NOTHING = 'this file asks nothing: there is nothing to explain';

/** A test, its queries to explain, and models. */
interface AskedTest {
  readonly queries: readonly number[];
  /** The models under which it is explained. */
  readonly models: readonly Model[];
  /** For `--markdown`: the models that are only asked whether they agree. */
  readonly others: readonly Model[];
  readonly errors: readonly string[];
}

function askedAbout(
  { test, source }: Pick<CorpusTest, 'test' | 'source'>,
  models: readonly Model[],
  { query: only, reporter }: ExplainCommandOptions,
): AskedTest {
  const nothing = { queries: [], models: [], others: [] };
  const { length } = test.queries;
  if (only !== undefined && only > length) {
    const error = `${source.path}: there is no query ${only}: the test has ${length}`;
    return { ...nothing, errors: [error] };
  }
  const refused: string[] = [];
  const asked = modelsOf({ test }, models);
  const willing = asked.filter((model) => {
    const prepared = prepare(test.program, model, ENGINE);
    if (!prepared.ok) refused.push(renderFor(source, prepared.errors));
    return prepared.ok;
  });
  // For `--markdown`, a test is explained once, under the first model that takes it. The other models are only asked
  // whether they agree.
  const inWords = reporter === 'markdown';
  const able = inWords ? willing.slice(0, 1) : willing;
  if (able.length === 0) return { ...nothing, errors: refused };
  return {
    queries: only === undefined ? [...test.queries.keys()] : [only - 1],
    models: able,
    others: inWords ? asked.filter((model) => model !== able[0]) : [],
    errors: inWords ? [] : refused,
  };
}

/** Makes the task that explains a query, and, if asked, finds what would change its answer. */
const explainTask = (
  { test, source }: Pick<CorpusTest, 'test' | 'source'>,
  query: number,
  { models, others }: AskedTest,
  { show, bound, timeline, fix = false, cost = DEFAULT_COSTS }: ExplainCommandOptions,
): CommandTask<ExplainedQuery> => ({
  name: test.name,
  async do(pool) {
    const ask = { shown: show, bound, timelines: timeline };
    const told = await withLines(test, source, models);
    const why = await askWhy(pool, told, models, query, ask);
    // Models that do not take the program were left out before.
    if (!why.ok) throw new Error(why.errors[0].message);
    const fixes: Fix[] = [];
    for (const model of fix ? models : []) {
      const found = await askFix(pool, told, model, query, { costs: cost, bound });
      const isRight = ruledOut(pool, model, [query], { bound });
      fixes.push(await fixInC(found, { test, source, model }, isRight));
    }
    const elsewhere = await askOthers(pool, test, others, query, fixes[0], { bound });
    return { test, source, query, explanation: why.value, fixes, elsewhere };
  },
});

function misuse(options: ExplainCommandOptions): string | undefined {
  const { proof, cost, fix, timeline, reporter, query, show, ...files } = options;
  const others = [cost, fix, timeline, reporter, query, show].some((one) => one !== undefined);
  if (proof !== undefined && (others || wantsPicture(files))) {
    return '--proof tells what stands in proofs, as text: it goes with --model, --library, --implementation and --set alone';
  }
  if (cost !== undefined && fix !== true) return '--cost is for --fix';
  if (timeline !== true) return undefined;
  if (files.dot !== undefined) return '--timeline has no DOT: ask for --svg or --png';
  const isShown = wantsPicture(files) || reporter !== undefined;
  return isShown ? undefined : '--timeline is for --svg FILE, --png FILE, --markdown or --json';
}

/** All models of the tests; without tests, those that were asked for. */
function modelsAsked({ tests }: Corpus, models: readonly Model[]): readonly Model[] {
  const all = new Set(tests.flatMap((item) => modelsOf(item, models)));
  return all.size > 0 ? [...all] : models;
}

/** The queries that were asked for, and those of them that were explained. */
interface ExplainReport {
  readonly results: readonly ExplainedQuery[];
  readonly done: readonly ExplainedQuery[];
  readonly interruption: readonly string[];
}

const REPORTERS: Reporters<Format, ExplainReport> = {
  text: ({ done, interruption }) => done.map(textOf).join('\n') + lines(interruption),
  json: ({ results }) => lines(results.map(jsonOf)),
  markdown: ({ done }) => explanationMarkdown(byTest(done)),
};

const textOf = ({ test, explanation, fixes, source }: ExplainedQuery): string =>
  explanationText(explanation, COLOURS, test) + fixes.map((fix) => fixText(fix, source)).join('');

function jsonOf({ explanation, fixes, source }: ExplainedQuery): string {
  const placed = fixes.length === 0 ? undefined : fixes.map((fix) => fixJson(fix, source));
  return jsonLine({ ...explanation, fixes: placed });
}

function fixText(fix: Fix, source: SourceFile): string {
  const lines = fixLines(fix, source).map((line) => (line === '' ? '' : `    ${line}`));
  const patch = fixPatchLines(fix).map((line) => `${line}\n`);
  const gap = patch.length === 0 ? '' : '\n';
  return `\n  To change that under ${fix.model}:\n${lines.join('\n')}\n${gap}${patch.join('')}`;
}

/** The answers to the queries of each test, in order. */
const byTest = (told: readonly ExplainedQuery[]): readonly ExplainedTest[] =>
  [...groupBy(told, ({ test }) => test)].map(([test, those]) => ({ test, told: those }));

/** Draws the execution or run of the only query, or says why there is no picture. */
async function draw(
  told: readonly ExplainedQuery[],
  outputs: readonly Output[],
): Promise<readonly string[]> {
  if (outputs.length === 0) return [];
  if (told.length !== 1 || told[0].explanation.models.length !== 1) {
    return [
      'a picture shows one query under one model: choose with --query, and --model or --library',
    ];
  }
  const drawing = await drawingOf(told[0]);
  return drawing === undefined ? [NO_PICTURE] : drawInto(outputs, drawing);
}

const isFinished = ({ models, unfinished }: Explanation): boolean =>
  unfinished === undefined &&
  models.every(
    (m) =>
      m.verdict !== 'unknown' &&
      m.unfinished === undefined &&
      m.refuted?.ways?.incomplete === undefined,
  );
