import { prepare } from '../../../rdma/prepare.js';
import { INTERRUPTION } from '../../../check/result.js';
import type { Result, SourceFile } from '../../../parse/diagnostics/index.js';
import { renderDiagnostic } from '../../../parse/diagnostics/index.js';
import { askWhy } from '../../../analyses/ask/explain.js';
import type { Explanation } from '../../../analyses/explain/explanation.js';
import { checkShown } from '../../../analyses/explain/shown.js';
import type { Model } from '../../../model/term.js';
import type { Test } from '../../../program/program.js';
import { groupBy } from '../../../model/relation/groups.js';
import type { Costs } from '../../../rdma/additions.js';
import { DEFAULT_COSTS } from '../../../rdma/additions.js';
import { askFix } from '../../../analyses/ask/fix.js';
import type { Fix } from '../../../analyses/repair/fix.js';
import { COLOURS } from '../../../report/colours.js';
import { explanationText } from '../../../report/explain.js';
import type { Elsewhere } from '../../../report/elsewhere.js';
import type { ExplainedTest } from '../../../report/explained-tests.js';
import { explanationMarkdown } from '../../../report/explain-markdown.js';
import { fixJson, fixLines } from '../../../report/fix.js';
import { interruptedAfter } from '../../../report/interruption.js';
import { jsonLine } from '../../../report/json.js';
import type { Pool } from '../../../analyses/workers.js';
import { askElsewhere } from './other-models.js';
import { AS_EXPECTED, BAD_INPUT, INTERRUPTED, UNDECIDED } from '../../command/exit.js';
import { eachOf, modelsOf, notAsked, withoutClients } from '../../inputs/clients.js';
import { explainProofs } from './proof.js';
import { isFolder } from '../../outputs/folders.js';
import type { FormatOf, Reporters } from '../../print/formats.js';
import { chosen } from '../../print/formats.js';
import type { Corpus } from '../../inputs/corpus.js';
import { readCorpus } from '../../inputs/corpus.js';
import { renderFor } from '../../inputs/messages.js';
import { readModels } from '../../inputs/models.js';
import { DEFAULT_MODEL } from '../../run/options.js';
import type { Settings } from '../../../libraries/inline.js';
import type { Output } from '../../outputs/plan.js';
import { planOutputs } from '../../outputs/plan.js';
import type { PictureFiles } from '../../outputs/pictures.js';
import {
  NO_PICTURE,
  drawInto,
  drawingOf,
  picturesOf,
  printsPicture,
  wantsPicture,
} from '../../outputs/pictures.js';
import { complain, print } from '../../print/print.js';
import { openReader } from '../../inputs/reader.js';
import { lines } from '../../print/reporters.js';
import type { CommandTask } from '../../run/tasks.js';
import { startRun } from '../../run/tasks.js';
import { UsageError } from '../../command/usage.js';

/** Pictures are of one query. */
export interface ExplainOptions extends PictureFiles {
  readonly model?: readonly string[];
  /** Library files in the place of those that clients name. */
  readonly library?: readonly string[];
  /** Implementations in the place of their calls, and their parameters. */
  readonly implementation?: readonly string[];
  readonly set?: Settings;
  /** Just one query of each test, counted from 1. */
  readonly query?: number;
  /** Pictures are of what happens where and when. */
  readonly timeline?: boolean;
  /** Relations to show. */
  readonly show?: readonly string[];
  /** Also what would change the answer. */
  readonly fix?: boolean;
  readonly cost?: Costs;
  /** Proofs to tell, in the place of answers that are looked for. */
  readonly proof?: readonly string[];
  readonly reporter?: FormatOf<'explain'>;
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
  /** One a model, if they were asked for. */
  readonly fixes: readonly Fix[];
  /** In words: what the other models say, which it is not told under. */
  readonly elsewhere: readonly Elsewhere[];
}

/** The engine that explanations are found with. */
const ENGINE = 'auto';

/**
 * `remora explain`: why the queries of the files have the answers that they have under the models. What
 * is wrong with an input is reported, and the others are explained.
 */
export async function explain(paths: readonly string[], options: ExplainOptions): Promise<number> {
  const { query: only, show, bound, timeline, fix = false, cost = DEFAULT_COSTS } = options;
  const format = chosen('explain', options.reporter);
  const inWords = format === 'markdown';
  const problem = misuse(options);
  if (problem !== undefined) throw new UsageError(problem);
  if (options.proof !== undefined) return explainProofs(paths, options.proof, options);
  const { model: names = DEFAULT_MODEL } = options;
  const reader = await openReader([...names, ...paths]);
  const models = readModels(names, ENGINE, reader);
  if (models.errors.length > 0) {
    complain(models.errors);
    return BAD_INPUT;
  }
  const run = startRun({ ...options, engine: ENGINE }, paths.some(isFolder));
  const read = readCorpus(paths, models, reader, options);
  const { corpus, refused } = fix
    ? withoutClients(read, 'explain --fix', 'it adds instructions of plain programs')
    : { corpus: read, refused: [] };
  const shown = show && checkShown(askedOf(corpus, models.items), show);
  if (shown?.ok === false) {
    complain(messages(shown));
    await run.all([]);
    return BAD_INPUT;
  }
  const plan = planOutputs(picturesOf(options), {
    inputs: reader.files,
    force: options.force,
    toStdout: true,
  });
  if (plan.errors.length > 0) {
    complain([...corpus.errors, ...plan.errors]);
    await run.all([]);
    return BAD_INPUT;
  }
  const errors = [...corpus.errors, ...refused];
  const tasks = eachOf(corpus).flatMap(({ test, source }) => {
    if (only !== undefined && only > test.queries.length) {
      const { length } = test.queries;
      errors.push(`${source.path}: there is no query ${only}: the test has ${length}`);
      return [];
    }
    if (test.queries.length === 0) {
      complain([`${source.path}: this file asks nothing: there is nothing to explain`]);
    }
    const refused: string[] = [];
    const asked = modelsOf({ test }, models.items);
    const willing = asked.filter((model) => {
      const prepared = prepare(test.program, model, ENGINE);
      if (!prepared.ok) refused.push(renderFor(source, prepared.errors));
      return prepared.ok;
    });
    // In words, a test is explained once: under the first model that can treat it. The others are asked
    // whether they agree.
    const able = inWords ? willing.slice(0, 1) : willing;
    if (!inWords || able.length === 0) errors.push(...refused);
    if (able.length === 0) return [];
    const queries = only === undefined ? [...test.queries.keys()] : [only - 1];
    const ask = { shown: show, bound, timelines: timeline };
    const tell = async (query: number, pool: Pool): Promise<ExplainedQuery> => {
      const why = await askWhy(pool, test, able, query, ask);
      // Models that cannot treat the program were sorted out before.
      if (!why.ok) throw new Error(why.errors[0].message);
      const explanation = why.value;
      const fixes: Fix[] = [];
      const wanted = fix ? able : [];
      for (const model of wanted) {
        fixes.push(await askFix(pool, test, model, query, { costs: cost, bound }));
      }
      const others = inWords ? asked.filter((m) => m !== able[0]) : [];
      const elsewhere = await askElsewhere(pool, test, others, query, fixes[0], { bound });
      return { test, source, query, explanation, fixes, elsewhere };
    };
    return queries.map((query): CommandTask<ExplainedQuery> => ({
      name: test.name,
      do: (pool) => tell(query, pool),
    }));
  });
  const notices = options.model === undefined ? [] : notAsked(models.items, corpus);
  complain([...corpus.warnings, ...notices, ...errors]);
  const { results, interrupted } = await run.all(tasks);
  const done = results.filter(({ explanation }) => explanation.unfinished !== INTERRUPTION);
  const interruption = interruptedAfter(done.length, results.length, 'explanations');
  const report = REPORTERS[format]({ results, done, interruption });
  print(format, printsPicture(options) ? '' : report, interruption);
  const drawn = await draw(results, plan.outputs);
  if (drawn !== undefined) {
    complain([drawn]);
    return BAD_INPUT;
  }
  if (interrupted) return INTERRUPTED;
  if (errors.length > 0) return BAD_INPUT;
  return results.every(({ explanation }) => isFinished(explanation)) ? AS_EXPECTED : UNDECIDED;
}

function misuse(options: ExplainOptions): string | undefined {
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

/** All models that tests are asked under; where there are no tests, those that were asked for. */
function askedOf({ tests }: Corpus, models: readonly Model[]): readonly Model[] {
  const all = new Set(tests.flatMap((item) => modelsOf(item, models)));
  return all.size > 0 ? [...all] : models;
}

function messages(result: Result<unknown> | undefined): readonly string[] {
  if (result === undefined || result.ok) return [];
  return result.errors.map((error) => renderDiagnostic(error, new Map()));
}

/** Queries that were asked about, and those of them that are explained. */
interface ExplainReport {
  readonly results: readonly ExplainedQuery[];
  readonly done: readonly ExplainedQuery[];
  readonly interruption: readonly string[];
}

const REPORTERS: Reporters<'explain', ExplainReport> = {
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
  return `\n  To change that under ${fix.model}:\n${lines.join('\n')}\n`;
}

/** The answers to the queries of each test, in order. */
const byTest = (told: readonly ExplainedQuery[]): readonly ExplainedTest[] =>
  [...groupBy(told, ({ test }) => test)].map(([test, those]) => ({ test, told: those }));

/** Draws the execution or the run of the only query, or says why there is no picture. */
async function draw(
  told: readonly ExplainedQuery[],
  outputs: readonly Output[],
): Promise<string | undefined> {
  if (outputs.length === 0) return undefined;
  if (told.length !== 1 || told[0].explanation.models.length !== 1) {
    return 'a picture shows one query under one model: choose with --query, and --model or --library';
  }
  const drawing = await drawingOf(told[0]);
  return drawing === undefined ? NO_PICTURE : drawInto(outputs, drawing);
}

const isFinished = ({ models, unfinished }: Explanation): boolean =>
  unfinished === undefined &&
  models.every(
    (m) =>
      m.verdict !== 'unknown' &&
      m.unfinished === undefined &&
      m.refuted?.ways?.incomplete === undefined,
  );
