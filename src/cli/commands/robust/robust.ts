import { referenceFor } from '../../../node/reference.js';
import { prepare } from '../../../rdma/prepare.js';
import { INTERRUPTION } from '../../../check/result.js';
import type { Diagnostic, Result } from '../../../parse/diagnostics/index.js';
import { renderDiagnostic } from '../../../parse/diagnostics/index.js';
import type { Model } from '../../../model/term.js';
import type { Program } from '../../../program/program.js';
import { interruptedAfter } from '../../../report/interruption.js';
import { robustText } from '../../../report/robust.js';
import { robustJson } from '../../../report/robust-json.js';
import type { RobustRecord } from '../../../report/robust-record.js';
import { isContradiction, theorem } from '../../../report/robust-record.js';
import { TABLE_COMPARISONS, TABLE_MODELS, robustTable } from '../../../report/robust-table.js';
import type { Costs } from '../../../rdma/additions.js';
import { DEFAULT_COSTS } from '../../../rdma/additions.js';
import { askRobustFix, askRobustness, refusedEngine } from '../../../analyses/ask/robust.js';
import type { Approach } from '../../../analyses/robust/analysis.js';
import { EXPLORED, exploredModel } from '../../../analyses/robust/explored.js';
import type { Comparison } from '../../../analyses/robust/result.js';
import { conditionsOf } from '../../../rdma/conditions/conditions.js';
import { notCovered } from '../../../rdma/conditions/covered.js';
import { conditionModel } from '../../../rdma/conditions/known.js';
import { notCovered as notExplored } from '../../../rdma/loops/index.js';
import type { Pool } from '../../../analyses/workers.js';
import { AS_EXPECTED, BAD_INPUT, DEPARTS, INTERRUPTED, UNDECIDED } from '../../command/exit.js';
import type { Corpus } from '../../inputs/corpus.js';
import { withoutClients } from '../../inputs/clients.js';
import { isFolder } from '../../outputs/folders.js';
import type { FormatOf, Reporters } from '../../print/formats.js';
import { TABLE_ALONE, chosen } from '../../print/formats.js';
import { readCorpus } from '../../inputs/corpus.js';
import { renderFor } from '../../inputs/messages.js';
import { readModels } from '../../inputs/models.js';
import type { Output } from '../../outputs/plan.js';
import { STDOUT, planOutputs, wantedAs } from '../../outputs/plan.js';
import type { PictureFiles } from '../../outputs/pictures.js';
import {
  drawInto,
  executionDrawing,
  picturesOf,
  printsPicture,
  wantsPicture,
} from '../../outputs/pictures.js';
import { complain, print } from '../../print/print.js';
import { openReader } from '../../inputs/reader.js';
import { lines } from '../../print/reporters.js';
import type { RunOptions, CommandTask } from '../../run/tasks.js';
import { startRun } from '../../run/tasks.js';
import { UsageError } from '../../command/usage.js';

export interface RobustOptions extends RunOptions, PictureFiles, Approach {
  readonly model?: readonly string[];
  readonly bound?: number;
  /** Executions in which threads stop anywhere count too. */
  readonly prefixes?: boolean;
  /** Final states are compared, not executions. */
  readonly outcomes?: boolean;
  /** What the syntax says, too. */
  readonly static?: boolean;
  /** What would make programs robust. */
  readonly fix?: boolean;
  /** A file for the program that is robust. */
  readonly out?: string;
  readonly force?: boolean;
  readonly cost?: Costs;
  /** Markdown is a table of all of it. */
  readonly reporter?: FormatOf<'robust'>;
}

const DEFAULT_MODELS: readonly string[] = ['rdma-tso'];

/** A record, and why its test is not treated. */
interface RobustRow {
  readonly record: RobustRecord;
  readonly error?: string;
}

/** `remora robust`: whether all executions of programs are SC, and what their syntax says of it. */
export async function robust(paths: readonly string[], options: RobustOptions): Promise<number> {
  const format = chosen('robust', options.reporter);
  const table = format === 'markdown';
  const problem = misuse(options);
  if (problem !== undefined) throw new UsageError(problem);
  const syntax = table || options.static === true;
  const names =
    options.model ?? (table ? TABLE_MODELS : options.explore ? [EXPLORED] : DEFAULT_MODELS);
  const reader = await openReader([...names, ...paths]);
  const models = readModels(names, options.engine, reader);
  const explores = models.items.some((model) => exploredModel(model).ok);
  const idle = (options.counterBound ?? options.limit) !== undefined && !explores;
  const refused = models.items.flatMap((model) => [
    ...(syntax ? refusal(conditionModel(model)) : []),
    ...(options.explore === true ? refusal(exploredModel(model)) : []),
  ]);
  if (idle) refused.push(`--counter-bound and --limit are of the exploration, under ${EXPLORED}`);
  if (refused.length > 0) {
    complain([...models.errors, ...refused]);
    return BAD_INPUT;
  }
  const run = startRun(options, paths.some(isFolder));
  const { corpus, refused: clients } = withoutClients(
    readCorpus(paths, models, reader),
    'robust',
    'it compares executions of instructions with those under SC',
  );
  const { force, out } = options;
  const wanted = [...picturesOf(options), ...wantedAs('litmus', out)];
  const plan = planOutputs(wanted, { inputs: reader.files, force, toStdout: true });
  const several = corpus.tests.length * models.items.length > 1 && wanted.length > 0;
  const refusals = several
    ? ['a picture, or a file for the fix, is of one program under one model']
    : plan.errors;
  const errors = [...models.errors, ...corpus.errors, ...refusals];
  complain([...corpus.warnings, ...errors, ...clients]);
  if (refusals.length > 0) {
    await run.all([]);
    return BAD_INPUT;
  }
  const asked = table ? TABLE_COMPARISONS : [comparisonOf(options)];
  const tasks = corpus.tests.flatMap((item) =>
    models.items.map((model) => rowTask(item, model, asked, syntax, options)),
  );
  const { results: rows, interrupted } = await run.all(tasks);

  const lost = rows.flatMap(({ error }) => error ?? []);
  if (!table) complain(lost);
  const records = rows.map(({ record }) => record);
  const found = reportOf(records);
  print(format, isPrinted(options) ? '' : REPORTERS[format](found), found.interruption);
  // Programs that could not be treated are reported by now, and need no picture or file.
  const treated = records.filter(({ results }) => results.length > 0);
  const drawn = [...(await draw(treated, plan.outputs)), ...save(treated, plan.outputs)];
  complain(drawn);
  if (interrupted) return INTERRUPTED;
  if (
    errors.length + (table ? 0 : clients.length) > 0 ||
    drawn.length > 0 ||
    (!table && lost.length > 0)
  )
    return BAD_INPUT;
  return table ? AS_EXPECTED : exitCode(records);
}

/** Does a picture or the repaired program go to standard output, in the place of the report? */
const isPrinted = (options: RobustOptions): boolean =>
  printsPicture(options) || options.out === STDOUT;

/** What there is to report. */
interface RobustReport {
  readonly records: readonly RobustRecord[];
  /** Those that text tells one by one. */
  readonly told: readonly RobustRecord[];
  /** What an interruption left undone: a line, or none. */
  readonly interruption: readonly string[];
}

const REPORTERS: Reporters<'robust', RobustReport> = {
  text: ({ told, interruption }) => lines([...told.map(robustText), ...interruption]),
  markdown: ({ records }) => robustTable(records),
  json: ({ records }) => lines(records.flatMap(robustJson)),
};

function reportOf(records: readonly RobustRecord[]): RobustReport {
  const asked = records.filter(({ untranslatable }) => untranslatable === undefined);
  const done = asked.filter(({ results }) => results.every((r) => r.reason !== INTERRUPTION));
  const interruption = interruptedAfter(done.length, asked.length, 'answers');
  // Conditions on syntax have been looked at even where an interruption left the rest undone.
  const told = asked.filter((r) => r.conditions !== undefined || done.includes(r));
  return { records, told, interruption };
}

const waysOf = ({ explore, counterBound, limit }: Approach): Approach => ({
  explore,
  counterBound,
  limit,
});

function misuse({ prefixes, outcomes, reporter, engine, ...rest }: RobustOptions) {
  const table = reporter === 'markdown';
  if (rest.explore === true && (outcomes ?? table)) {
    return '--explore is about executions in which threads stop anywhere: it does not go with --outcomes or --table';
  }
  if (rest.explore === true && rest.bound !== undefined) {
    return '--explore takes loops as they are: it does not go with --bound';
  }
  if (prefixes === true && outcomes === true) {
    return '--outcomes is about complete executions: it does not go with --prefixes';
  }
  if (rest.fix === true && (outcomes ?? table)) {
    return '--fix makes all executions SC: it does not go with --outcomes or --table';
  }
  if (rest.cost !== undefined && rest.fix !== true) return '--cost is for --fix';
  if (rest.out !== undefined && rest.fix !== true)
    return '--out is for the program that --fix makes';
  if (table && ((prefixes ?? outcomes ?? rest.static) === true || wantsPicture(rest))) {
    return TABLE_ALONE;
  }
  if (table && rest.model !== undefined) {
    return `--table is about ${TABLE_MODELS.join(' and ')}: it does not go with --model`;
  }
  return refusedEngine(engine);
}

/** Draws the violation of the only program, if it was treated, or says why there is no picture. */
async function draw(
  records: readonly RobustRecord[],
  outputs: readonly Output[],
): Promise<readonly string[]> {
  const pictures = outputs.filter(({ kind }) => kind !== 'litmus');
  if (pictures.length === 0 || records.length === 0) return [];
  const violation = records[0].results.find((r) => r.violation !== undefined)?.violation;
  if (violation === undefined) return ['there is no violation to draw'];
  return [(await drawInto(pictures, await executionDrawing(violation.graph))) ?? []].flat();
}

/** Writes the program with what makes it robust into a file, or says why not. */
function save(records: readonly RobustRecord[], outputs: readonly Output[]): readonly string[] {
  const output = outputs.find(({ kind }) => kind === 'litmus');
  if (output === undefined || records.length === 0) return [];
  const [{ repair }] = records;
  if (repair?.kind !== 'found') return [`no program for ${output.path}: there is no fix`];
  return [output.write(repair.litmus) ?? []].flat();
}

/** Why nothing can be said of a model. */
const refusal = (result: Result<unknown>): readonly string[] =>
  result.ok ? [] : result.errors.map((e) => renderDiagnostic(e, new Map()));

const comparisonOf = ({ explore, prefixes, outcomes }: RobustOptions): Comparison =>
  (explore ?? prefixes) === true ? 'prefixes' : outcomes === true ? 'outcomes' : 'complete';

/** Finds out about a test under a model. A worker does what takes a solver. */
function rowTask(
  { test, source }: Corpus['tests'][number],
  model: Model,
  comparisons: readonly Comparison[],
  syntax: boolean,
  { engine, bound, fix = false, cost = DEFAULT_COSTS, ...options }: RobustOptions,
): CommandTask<RobustRow> {
  const find = async (pool: Pool): Promise<RobustRow> => {
    const head = { test, source, model: model.name };
    const refused = (errors: readonly Diagnostic[]): RobustRow => {
      const untranslatable = errors.map((e) => e.message).join('; ');
      return { record: { ...head, untranslatable, results: [] }, error: renderFor(source, errors) };
    };
    const prepared = prepare(test.program, model, engine);
    if (!prepared.ok) return refused(prepared.errors);
    const { program, note } = prepared.value;
    const unexplored = options.explore === true ? notExplored(program) : [];
    if (unexplored.length > 0) return refused(unexplored);
    const reference = referenceFor(test.program, model);
    if (!reference.ok) return refused(reference.errors);
    const asked = { model, reference: reference.value, engine, bound, ...waysOf(options) };
    const results = await askRobustness(pool, { ...asked, program, comparisons });
    const [{ comparison, verdict }] = results;
    const repair =
      fix && verdict === 'not robust' && comparison !== 'outcomes'
        ? await askRobustFix(pool, {
            ...asked,
            test: { ...test, program },
            comparison,
            costs: cost,
          })
        : undefined;
    const unknown = syntax ? notCovered(program) : [];
    const conditions = syntax && unknown.length === 0 ? conditionsFor(model, program) : undefined;
    const error = unknown.length === 0 ? undefined : renderFor(source, unknown);
    return { record: { ...head, results, note, repair, conditions }, error };
  };
  return { name: test.name, do: find };
}

function conditionsFor(model: Model, program: Program): RobustRecord['conditions'] {
  const known = conditionModel(model);
  if (!known.ok) return undefined;
  return { model: known.value, found: conditionsOf(program, known.value) };
}

function exitCode(records: readonly RobustRecord[]): number {
  if (records.some(isContradiction)) return UNDECIDED;
  const verdicts = records.flatMap(({ results, conditions }) => {
    const proved = conditions !== undefined && theorem(conditions) !== undefined;
    return results.map(({ verdict }) => (proved ? 'robust' : verdict));
  });
  if (verdicts.includes('not robust')) return DEPARTS;
  return verdicts.includes('unknown') ? UNDECIDED : AS_EXPECTED;
}
