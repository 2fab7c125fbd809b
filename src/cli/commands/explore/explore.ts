import { timelineOfShown } from '../../../analyses/timeline/from-explored.js';
import type { Test } from '../../../program/program.js';
import { isStateQuery } from '../../../program/program.js';
import { showQuery } from '../../../program/print.js';
import type { Costs } from '../../../rdma/additions.js';
import { EXPLORED_MODELS, hardwareOf } from '../../../rdma/explore/hardware.js';
import { withoutClients } from '../../inputs/clients.js';
import { begin, finish } from '../../run/begin.js';
import { AS_EXPECTED, BAD_INPUT, UNDECIDED } from '../../command/exit.js';
import { FIX_REPORTERS, isDecided, thenFix, withoutFix } from './fix.js';
import type { FormatOf } from '../../print/formats.js';
import { chosen } from '../../print/formats.js';
import { unusableOf } from '../../inputs/corpus.js';
import type { CommonOptions } from '../../run/options.js';
import type { Output } from '../../outputs/plan.js';
import { planOutputs } from '../../outputs/plan.js';
import type { PictureFiles } from '../../outputs/pictures.js';
import {
  drawInto,
  picturesOf,
  printsPicture,
  runDrawing,
  timelineDrawing,
  wantsPicture,
} from '../../outputs/pictures.js';
import { complain, print, reportVerdicts } from '../../print/print.js';
import type { VerdictRow } from '../../run/decide.js';
import { decideTask } from '../../run/decide.js';
import { UsageError } from '../../command/usage.js';

/** A picture is of one run. */
export interface ExploreOptions extends Omit<CommonOptions, 'engine'>, PictureFiles {
  readonly model: readonly string[];
  readonly reporter?: FormatOf<'explore'>;
  /** Just one query of each test, counted from 1. */
  readonly query?: number;
  readonly room?: number;
  /** Pictures are of what happens where and when. */
  readonly timeline?: boolean;
  /** Also what would make queries about bad states hold. */
  readonly fix?: boolean;
  readonly cost?: Costs;
}

/** Why clients are left out. */
const NO_MACHINE = 'it runs machines, and there is none with libraries';

/** Seconds for one file under one model where nothing else is said: a lock of four threads takes some of them. */
const TIME_LIMIT = 600;

/** `remora explore`: the queries of the files about runs, and no others. */
export async function explore(paths: readonly string[], given: ExploreOptions): Promise<number> {
  if (given.cost !== undefined && given.fix !== true) throw new UsageError('--cost is for --fix');
  const problem = misuse(given);
  if (problem !== undefined) throw new UsageError(problem);
  const started = performance.now();
  const options = { timeLimit: TIME_LIMIT, ...given, engine: 'auto' } as const;
  const work = await begin('check', options.model, paths, { ...options, model: undefined });
  if (work === undefined) return BAD_INPUT;
  const { models, inputs } = work;
  const { corpus, refused } = withoutClients(work.corpus, 'explore', NO_MACHINE);
  const plan = planOutputs(picturesOf(options), { inputs, force: options.force, toStdout: true });
  const explored = models.items.filter((m) => hardwareOf(m) !== undefined);
  const without = models.items.filter((m) => hardwareOf(m) === undefined);
  const those = [...EXPLORED_MODELS.keys()].join(', ');
  complain(
    without.map(({ name }) => `no machine for the model ${name}: there are those of ${those}`),
  );
  const errors = [...refused, ...plan.errors];
  const tasks = corpus.tests.flatMap((item) => {
    const asked = askedOf(item.test, options.query);
    if (typeof asked === 'string') {
      errors.push(`${item.source.path}: ${asked}`);
      return [];
    }
    if (asked.length === 0) return [];
    const task = decideTask(item, models.items, { ...options, asked }, undefined);
    return [given.fix === true ? thenFix(task, item, explored, given) : withoutFix(task)];
  });
  if (tasks.length === 0 && errors.length === 0 && corpus.tests.length > 0) {
    errors.push(`nothing here is asked about runs: ${OTHERS}`);
  }
  complain(errors);
  const { results, how } = await finish(work, plan.errors.length > 0 ? [] : tasks);
  if (plan.errors.length > 0) return BAD_INPUT;
  const details = {
    models: models.items.map(({ name }) => name),
    unusable: unusableOf(models, corpus),
    milliseconds: performance.now() - started,
    quiet: false,
  };
  const format = chosen('explore', options.reporter);
  const found = results.flatMap((result) => result.rows);
  const rows = given.timeline === true ? found.map(withTimelines) : found;
  const undrawn = await draw(rows, plan.outputs);
  const bad = how.bad || errors.length > 0 || undrawn.length > 0;
  const silent = printsPicture(options);
  const code = reportVerdicts(rows, format, true, details, { ...how, bad, silent });
  const fixes = results.flatMap((result) => result.fixes);
  if (!silent) print(format, fixes.map(FIX_REPORTERS[format]).join(''));
  complain(undrawn);
  return code === AS_EXPECTED && !fixes.every(isDecided) ? UNDECIDED : code;
}

function misuse({ timeline, reporter, ...files }: ExploreOptions): string | undefined {
  if (timeline !== true) return undefined;
  if (files.dot !== undefined) return '--timeline has no DOT: ask for --svg or --png';
  const isShown = wantsPicture(files) || reporter === 'json';
  return isShown ? undefined : '--timeline is for --svg FILE, --png FILE or --json';
}

/** The runs of all answers that show one, in space and time, too. */
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

/** The queries of a test to decide, by index; or why there is no such one. */
function askedOf({ queries }: Test, only: number | undefined): readonly number[] | string {
  if (only === undefined) return [...queries.keys()].filter((q) => !isStateQuery(queries[q]));
  if (only > queries.length) return `there is no query ${only}: the test has ${queries.length}`;
  return isStateQuery(queries[only - 1])
    ? `query ${only} is not about runs: ${OTHERS}`
    : [only - 1];
}

/** Draws the only run, or says why there is no picture. */
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
  return [(await drawInto(outputs, drawing)) ?? []].flat();
}
