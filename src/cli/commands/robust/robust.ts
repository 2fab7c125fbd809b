import { askRobustFix, askRobustness, refusedEngine } from '../../../analyses/ask/robust.js';
import type { Approach } from '../../../analyses/robust/analysis.js';
import { EXPLORED, exploredModel } from '../../../analyses/robust/explored.js';
import type { PrintedRepair } from '../../../analyses/repair/print.js';
import type { Comparison } from '../../../analyses/robust/result.js';
import type { Pool } from '../../../analyses/workers.js';
import { INTERRUPTION } from '../../../check/result.js';
import type { Model } from '../../../model/term.js';
import { referenceFor } from '../../../node/reference.js';
import type { Result } from '../../../parse/diagnostics/index.js';
import { fail, ok, renderDiagnostic } from '../../../parse/diagnostics/index.js';
import type { Program, Test } from '../../../program/program.js';
import { isC } from '../../../program/read.js';
import type { Costs } from '../../../rdma/additions.js';
import { DEFAULT_COSTS } from '../../../rdma/additions.js';
import { conditionsOf } from '../../../rdma/conditions/conditions.js';
import { notUnderConditions } from '../../../rdma/conditions/covered.js';
import { conditionModel } from '../../../rdma/conditions/known.js';
import { notInstrumented } from '../../../rdma/loops/index.js';
import { prepare } from '../../../rdma/prepare.js';
import type { Adapted } from '../../../rdma/translate.js';
import { interruptedAfter } from '../../../report/interruption.js';
import { robustJson } from '../../../report/robust-json.js';
import type { RobustRecord } from '../../../report/robust-record.js';
import { isContradiction, theorem } from '../../../report/robust-record.js';
import { TABLE_COMPARISONS, TABLE_MODELS, robustTable } from '../../../report/robust-table.js';
import { robustText } from '../../../report/robust.js';
import { AS_EXPECTED, DEPARTS, UNDECIDED } from '../../command/exit.js';
import { UsageError } from '../../command/usage.js';
import type { CorpusTest } from '../../inputs/corpus.js';
import { renderFor } from '../../inputs/messages.js';
import type { PictureFiles } from '../../outputs/pictures.js';
import {
  drawInto,
  executionDrawing,
  picturesOf,
  printsPicture,
  wantsPicture,
} from '../../outputs/pictures.js';
import type { Output } from '../../outputs/plan.js';
import { STDOUT, wantedAs } from '../../outputs/plan.js';
import type { Reporters } from '../../print/formats.js';
import type { CommandReport } from '../../print/print.js';
import { lines } from '../../print/print.js';
import type { CommandWork, CommandRefusal } from '../../run/answer.js';
import { answer } from '../../run/answer.js';
import type { LitmusInputs } from '../../run/begin.js';
import { readInputs } from '../../run/begin.js';
import { DEFAULT_MODEL } from '../../run/options.js';
import { repairInC, withLines } from '../../run/in-c.js';
import type { CommandTask, RunOptions } from '../../run/tasks.js';

/** The message if the table is asked for together with another format, or with an option that does not go with it. */
export const TABLE_ALONE =
  '--table is all there is: it does not go with --prefixes, --outcomes, --static, --json or pictures';

type Format = 'text' | 'markdown' | 'json';

export interface RobustOptions extends RunOptions, PictureFiles, Approach {
  readonly model?: readonly string[];
  readonly bound?: number;
  /** Whether executions count in which threads stop anywhere. */
  readonly prefixes?: boolean;
  /** Whether final states are compared, not executions. */
  readonly outcomes?: boolean;
  /** Whether to check the conditions on syntax, too. */
  readonly static?: boolean;
  /** Whether to find what would make programs robust. */
  readonly fix?: boolean;
  /** A file for the repaired program. */
  readonly out?: string;
  readonly force?: boolean;
  readonly cost?: Costs;
  /** The format; Markdown is the table of all answers. */
  readonly reporter?: Format;
}

/** A record, and messages if its test is left out. */
interface RobustRow {
  readonly record: RobustRecord;
  readonly error?: string;
}

/** `remora robust`: whether all executions of programs are SC, and whether the conditions on syntax imply it. */
export async function robust(paths: readonly string[], options: RobustOptions): Promise<number> {
  const problem = misuse(options);
  if (problem !== undefined) throw new UsageError(problem);
  const inputs = await readInputs({
    names: options.model ?? defaultModels(options),
    paths,
    options,
    takesNoClients: ['robust', 'it compares executions of instructions with those under SC'],
  });
  return answer(inputs.run, questionsAbout(inputs, options));
}

const defaultModels = ({ reporter, explore }: RobustOptions): readonly string[] =>
  reporter === 'markdown' ? TABLE_MODELS : explore === true ? [EXPLORED] : DEFAULT_MODEL;

function questionsAbout(
  { models, corpus, leftOut, plan }: LitmusInputs,
  options: RobustOptions,
): CommandWork<RobustRow> | CommandRefusal {
  const isTable = options.reporter === 'markdown';
  const syntax = isTable || options.static === true;
  const unfit = unfitModels(models.items, syntax, options);
  if (unfit.length > 0) return { refused: [...models.errors, ...unfit] };
  const wanted = [...picturesOf(options), ...wantedAs(programKind(options.out), options.out)];
  const files = plan(wanted);
  const several = corpus.tests.length * models.items.length > 1 && wanted.length > 0;
  const refusals = several ? [ONE_PROGRAM] : files.errors;
  const errors = [...models.errors, ...corpus.errors, ...refusals];
  const said = [...corpus.warnings, ...errors, ...leftOut];
  if (refusals.length > 0) return { refused: said };
  const asked = isTable ? TABLE_COMPARISONS : [comparisonOf(options)];
  return {
    said,
    // The table leaves out tests without meaning, and this is no mistake.
    bad: errors.length + (isTable ? 0 : leftOut.length) > 0,
    tasks: corpus.tests.flatMap((item) =>
      models.items.map((model) => rowTask(item, model, asked, syntax, options)),
    ),
    report: (rows) => reportOf(rows, options, files.outputs),
  };
}

const ONE_PROGRAM = 'a picture, or a file for the fix, is of one program under one model';

/** Messages about models that the options do not apply to. */
function unfitModels(
  models: readonly Model[],
  syntax: boolean,
  { explore, counterBound, limit }: RobustOptions,
): readonly string[] {
  const explores = models.some((model) => exploredModel(model).ok);
  const idle = (counterBound ?? limit) !== undefined && !explores;
  return [
    ...models.flatMap((model) => [
      ...(syntax ? messagesOf(conditionModel(model)) : []),
      ...(explore === true ? messagesOf(exploredModel(model)) : []),
    ]),
    ...(idle ? [`--counter-bound and --limit are of the exploration, under ${EXPLORED}`] : []),
  ];
}

function reportOf(
  rows: readonly RobustRow[],
  options: RobustOptions,
  outputs: readonly Output[],
): CommandReport {
  const { reporter: format = 'text' } = options;
  const isTable = format === 'markdown';
  const lost = isTable ? [] : rows.flatMap(({ error }) => error ?? []);
  const records = rows.map(({ record }) => record);
  const asked = records.filter(({ untranslatable }) => untranslatable === undefined);
  const done = asked.filter(({ results }) => results.every((r) => r.reason !== INTERRUPTION));
  const interruption = interruptedAfter(done.length, asked.length, 'answers');
  // Conditions on syntax are reported even if an interruption left the rest undone.
  const told = asked.filter((r) => r.conditions !== undefined || done.includes(r));
  // Programs without meaning under the model are reported; they need no picture or file.
  const treated = records.filter(({ results }) => results.length > 0);
  return {
    said: lost,
    bad: lost.length > 0,
    format,
    text: isPrinted(options) ? '' : REPORTERS[format]({ records, told, interruption }),
    interruption,
    write: async () => [...(await draw(treated, outputs)), ...save(treated, outputs)],
    code: isTable ? AS_EXPECTED : exitCode(records),
  };
}

/** Does a picture or the repaired program go to standard output, instead of the report? */
const isPrinted = (options: RobustOptions): boolean =>
  printsPicture(options) || options.out === STDOUT;

/** What there is to report. */
interface RobustReport {
  readonly records: readonly RobustRecord[];
  /** The records that the text format shows one by one. */
  readonly told: readonly RobustRecord[];
  /** What an interruption left undone: a line, or none. */
  readonly interruption: readonly string[];
}

const REPORTERS: Reporters<Format, RobustReport> = {
  text: ({ told, interruption }) => lines([...told.map(robustText), ...interruption]),
  markdown: ({ records }) => robustTable(records),
  json: ({ records }) => lines(records.flatMap(robustJson)),
};

const approachOf = ({ explore, counterBound, limit, guesses }: Approach): Approach => ({
  explore,
  counterBound,
  limit,
  guesses,
});

function misuse({ prefixes, outcomes, reporter, engine, ...rest }: RobustOptions) {
  const table = reporter === 'markdown';
  if (rest.explore === true && (outcomes ?? table)) {
    return '--explore is about executions in which threads stop anywhere: it does not go with --outcomes or --table';
  }
  if (rest.explore === true && rest.bound !== undefined) {
    return '--explore takes loops as they are: it does not go with --bound';
  }
  if (rest.guesses === true && rest.explore !== true) return '--guesses is for --explore';
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

/** Draws the violation of the only program, or says why there is no picture. */
async function draw(
  records: readonly RobustRecord[],
  outputs: readonly Output[],
): Promise<readonly string[]> {
  const pictures = outputs.filter((one) => !isProgram(one));
  if (pictures.length === 0 || records.length === 0) return [];
  const violation = records[0].results.find((r) => r.violation !== undefined)?.violation;
  if (violation === undefined) return ['there is no violation to draw'];
  return drawInto(pictures, await executionDrawing(violation.graph));
}

const programKind = (path = ''): 'litmus' | 'c' => (isC(path) ? 'c' : 'litmus');
const isProgram = ({ kind }: Output): boolean => kind === 'litmus' || kind === 'c';

/** Writes the repaired program into a file, or says why not. */
function save(records: readonly RobustRecord[], outputs: readonly Output[]): readonly string[] {
  const output = outputs.find(isProgram);
  if (output === undefined || records.length === 0) return [];
  const [{ repair }] = records;
  if (repair?.kind !== 'found') return [`no program for ${output.path}: there is no fix`];
  if (output.kind === 'litmus') return output.write(repair.litmus);
  const { inC } = repair;
  if (inC?.kind === 'patch') return output.write(inC.text);
  return [`no C for ${output.path}: ${inC?.reason ?? 'the program is a litmus file'}`];
}

/** The messages of a failure. */
const messagesOf = (result: Result<unknown>): readonly string[] =>
  result.ok ? [] : result.errors.map((e) => renderDiagnostic(e, new Map()));

const comparisonOf = ({ explore, prefixes, outcomes }: RobustOptions): Comparison =>
  (explore ?? prefixes) === true ? 'prefixes' : outcomes === true ? 'outcomes' : 'complete';

/** Makes the task for a test under a model. A worker does the work that takes a solver. */
function rowTask(
  item: CorpusTest,
  model: Model,
  comparisons: readonly Comparison[],
  syntax: boolean,
  options: RobustOptions,
): CommandTask<RobustRow> {
  const { test, source } = item;
  const head = { test, source, model: model.name };
  const find = async (pool: Pool): Promise<RobustRow> => {
    const fitted = fit(item, model, options);
    if (!fitted.ok) {
      const untranslatable = fitted.errors.map((e) => e.message).join('; ');
      const error = renderFor(source, fitted.errors);
      return { record: { ...head, untranslatable, results: [] }, error };
    }
    const { program, note, reference } = fitted.value;
    const { engine, bound } = options;
    const asked = { model, reference, engine, bound, ...approachOf(options) };
    const results = await askRobustness(pool, { ...asked, program, comparisons });
    const [{ comparison, verdict }] = results;
    const { fix = false, cost: costs = DEFAULT_COSTS } = options;
    const mend = async (of: 'complete' | 'prefixes'): Promise<PrintedRepair> => {
      const told = await withLines({ ...test, program }, source, [model]);
      const input = { ...asked, test: told, comparison: of, costs };
      const isRobust = async (patched: Test): Promise<boolean> => {
        const again = fit({ ...item, test: patched }, model, options);
        if (!again.ok) return false;
        const other = { ...asked, program: again.value.program, comparisons: [of] };
        return (await askRobustness(pool, other)).every((one) => one.verdict === 'robust');
      };
      return repairInC(await askRobustFix(pool, input), { test, source, model }, isRobust);
    };
    const repair =
      fix && verdict === 'not robust' && comparison !== 'outcomes'
        ? await mend(comparison)
        : undefined;
    const unknown = syntax ? notUnderConditions(program) : [];
    const conditions = syntax && unknown.length === 0 ? conditionsFor(model, program) : undefined;
    const error = unknown.length === 0 ? undefined : renderFor(source, unknown);
    const isShown = results.some(({ violation }) => violation !== undefined);
    const shown = isShown ? await withLines(test, source, [model]) : test;
    return { record: { ...head, test: shown, results, note, repair, conditions }, error };
  };
  return { name: test.name, do: find };
}

/** A program translated for a model, and the model that it is compared with. */
function fit(
  { test }: CorpusTest,
  model: Model,
  { engine, explore }: RobustOptions,
): Result<Adapted & { readonly reference: Model }> {
  const prepared = prepare(test.program, model, engine);
  if (!prepared.ok) return prepared;
  const unexplored = explore === true ? notInstrumented(prepared.value.program) : [];
  if (unexplored.length > 0) return fail(unexplored);
  const reference = referenceFor(test.program, model);
  return reference.ok ? ok({ ...prepared.value, reference: reference.value }) : reference;
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
