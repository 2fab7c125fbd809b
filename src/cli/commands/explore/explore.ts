import { timelineOfShown } from '../../../analyses/timeline/from-run.js';
import { showQuery } from '../../../program/print.js';
import type { Test } from '../../../program/program.js';
import { isStateQuery } from '../../../program/program.js';
import type { Costs } from '../../../rdma/additions.js';
import { AS_EXPECTED, UNDECIDED } from '../../command/exit.js';
import { UsageError } from '../../command/usage.js';
import { modelsOf, withoutClients } from '../../inputs/clients.js';
import { unusableOf } from '../../inputs/corpus.js';
import type { PictureFiles } from '../../outputs/pictures.js';
import {
  drawInto,
  picturesOf,
  printsPicture,
  runDrawing,
  timelineDrawing,
  wantsPicture,
} from '../../outputs/pictures.js';
import type { Output } from '../../outputs/plan.js';
import type { CommandReport } from '../../print/print.js';
import { verdictReport } from '../../print/reports.js';
import type { CommandWork, CommandRefusal } from '../../run/answer.js';
import { answer } from '../../run/answer.js';
import type { Work } from '../../run/begin.js';
import { begin } from '../../run/begin.js';
import type { VerdictRow } from '../../run/decide.js';
import { decideTask } from '../../run/decide.js';
import type { CommonOptions } from '../../run/options.js';
import { DEFAULT_MODEL, MACHINES } from '../../run/options.js';
import { runnable } from './clients.js';
import type { ExploreFormat, VerdictsAndFixes } from './fix.js';
import { FIX_REPORTERS, isFixDecided, thenFix, withoutFix } from './fix.js';

/** A picture is of one run. */
export interface ExploreCommandOptions extends Omit<CommonOptions, 'engine'>, PictureFiles {
  /** The models of plain programs; without it, the default. */
  readonly model?: readonly string[];
  readonly reporter?: ExploreFormat;
  /** Just one query of each test, counted from 1. */
  readonly query?: number;
  readonly room?: number;
  /** Pictures are timelines. */
  readonly timeline?: boolean;
  /** Whether to find what would make queries about bad states hold. */
  readonly fix?: boolean;
  readonly cost?: Costs;
}

/** Why clients of libraries have no fixes. */
const PLAIN = 'it adds instructions of plain programs';

/** The default limit of seconds for one file under one model: a lock of four threads needs a large part of it. */
const TIME_LIMIT = 600;

/** `remora explore`: decides the queries of the files about runs, and no others. */
export async function explore(
  paths: readonly string[],
  given: ExploreCommandOptions,
): Promise<number> {
  if (given.cost !== undefined && given.fix !== true) throw new UsageError('--cost is for --fix');
  const problem = misuse(given);
  if (problem !== undefined) throw new UsageError(problem);
  const started = performance.now();
  const options = { timeLimit: TIME_LIMIT, ...given, engine: MACHINES } as const;
  const work = await begin('check', options.model ?? DEFAULT_MODEL, paths, options);
  return answer(work.run, 'refused' in work ? work : questionsAbout(work, options, started));
}

function questionsAbout(
  { models, plan, bad, ...work }: Work,
  options: ExploreCommandOptions & Pick<CommonOptions, 'engine'>,
  started: number,
): CommandWork<VerdictsAndFixes> | CommandRefusal {
  const { corpus, refused } =
    options.fix === true
      ? withoutClients(work.corpus, 'explore --fix', PLAIN)
      : { corpus: work.corpus, refused: [] };
  const pictures = plan(picturesOf(options));
  const errors = [...refused, ...pictures.errors];
  const tasks = corpus.tests.flatMap((test) => {
    const asked = queriesAsked(test.test, options.query);
    if (typeof asked === 'string') {
      errors.push(`${test.source.path}: ${asked}`);
      return [];
    }
    if (asked.length === 0) return [];
    const programs = runnable(test);
    if (typeof programs === 'string') {
      errors.push(programs);
      return [];
    }
    return programs.map((item) => {
      const own = modelsOf(item, models.items);
      const task = decideTask(item, own, { ...options, asked }, undefined);
      return options.fix === true ? thenFix(task, item, own, options) : withoutFix(task);
    });
  });
  if (tasks.length === 0 && errors.length === 0 && corpus.tests.length > 0) {
    errors.push(`nothing here is asked about runs: ${OTHERS}`);
  }
  if (pictures.errors.length > 0) return { refused: errors };
  return {
    said: errors,
    bad: bad || errors.length > 0,
    tasks,
    report(results) {
      const details = {
        models: models.items.map(({ name }) => name),
        unusable: unusableOf(models, corpus),
        milliseconds: performance.now() - started,
      };
      return reportOf(results, options, details, pictures.outputs);
    },
  };
}

/** The report: verdicts, and below them what would change them. */
function reportOf(
  results: readonly VerdictsAndFixes[],
  options: ExploreCommandOptions,
  details: Parameters<typeof verdictReport>[3],
  outputs: readonly Output[],
): CommandReport {
  const { reporter: format = 'text', timeline } = options;
  const found = results.flatMap((result) => result.rows);
  const rows = timeline === true ? found.map(withTimelines) : found;
  const fixes = results.flatMap((result) => result.fixes);
  const verdicts = verdictReport(rows, format, true, details);
  const text = verdicts.text + fixes.map(FIX_REPORTERS[format]).join('');
  const { code } = verdicts;
  return {
    ...verdicts,
    text: printsPicture(options) ? '' : text,
    write: () => draw(rows, outputs),
    code: code === AS_EXPECTED && !fixes.every(isFixDecided) ? UNDECIDED : code,
  };
}

function misuse({ timeline, reporter, ...files }: ExploreCommandOptions): string | undefined {
  if (timeline !== true) return undefined;
  if (files.dot !== undefined) return '--timeline has no DOT: ask for --svg or --png';
  const isShown = wantsPicture(files) || reporter === 'json';
  return isShown ? undefined : '--timeline is for --svg FILE, --png FILE or --json';
}

/** Adds a timeline to each answer that has a run. */
function withTimelines(row: VerdictRow): VerdictRow {
  const { test, answers } = row.record;
  const timelines = answers.flatMap((answer) => {
    if (answer.steps === undefined) return [];
    const timeline = timelineOfShown(test.program, test.queries[answer.query], answer);
    return [[answer.query, timeline] as const];
  });
  return { ...row, record: { ...row.record, timelines: new Map(timelines) } };
}

const OTHERS = '`remora check` decides what is asked of final states';

/** The indices of the queries to decide, or why there is no such query. */
function queriesAsked({ queries }: Test, only: number | undefined): readonly number[] | string {
  if (only === undefined) return [...queries.keys()].filter((q) => !isStateQuery(queries[q]));
  if (only > queries.length) return `there is no query ${only}: the test has ${queries.length}`;
  return isStateQuery(queries[only - 1])
    ? `query ${only} is not about runs: ${OTHERS}`
    : [only - 1];
}

/** Draws the only run, or says why there is none. */
async function draw(
  rows: readonly VerdictRow[],
  outputs: readonly Output[],
): Promise<readonly string[]> {
  if (outputs.length === 0) return [];
  const runs = rows.flatMap(({ record: { test, model, answers, timelines } }) =>
    answers.flatMap((answer) =>
      answer.steps === undefined
        ? []
        : [{ test, model, answer, timeline: timelines?.get(answer.query) }],
    ),
  );
  if (runs.length === 0) return ['there is no run to draw: nothing fails'];
  if (runs.length > 1) {
    return ['a picture shows one run, and several queries fail: choose with --query and --model'];
  }
  const [{ test, model, answer, timeline }] = runs;
  const title = `${test.name} under ${model}: ${showQuery(test.queries[answer.query])}: fails`;
  const drawing =
    timeline === undefined
      ? await runDrawing(test.program, answer, title)
      : await timelineDrawing(timeline, title);
  return drawInto(outputs, drawing);
}
