/**
 * Remora as a library.
 *
 * Nothing here prints, exits or throws; mistakes, also in arguments, are returned as diagnostics in `Result`s. `check`
 * and `outcomes` start worker threads: give them a pool of your own (`createPool`) to use it for many calls, and close
 * it at the end.
 */
import { deciding } from './model/shipped.js';
import { referenceFor } from './node/reference.js';
import { fail, renderDiagnostic as render } from './parse/diagnostics/index.js';
import type { Diagnostic, Result, SourceFile } from './parse/diagnostics/index.js';
import type { Engine } from './rdma/engines.js';
import { needsBuiltIn } from './rdma/engines.js';
import { prepare, refusal } from './rdma/prepare.js';
import type { OptionName } from './analyses/options.js';
import type { Problem } from './node/library/arguments.js';
import {
  modelProblem,
  modelsProblem,
  namesProblem,
  optionProblems,
  poolProblem,
  togetherProblem,
  failOnProblems,
  shown,
  testProblem,
  textProblem,
} from './node/library/arguments.js';
import type { PoolOptions } from './node/library/pool.js';
import { POOL } from './node/library/pool.js';
import type { Pool } from './analyses/workers.js';
import { createWorkers } from './node/pool.js';
import type { Answer, Outcomes } from './check/result.js';
import type { LoadedModel } from './model/load.js';
import { parseModel as parse } from './node/models.js';
import { loadModelNamed } from './node/models.js';
import type { Model } from './model/term.js';
import { parseLitmus as parseTest } from './node/tests.js';
import type { Query, Subject, Test } from './program/program.js';
import { isStateQuery } from './program/program.js';
import type { Explanation } from './analyses/explain/explanation.js';
import type { Comparison, Robustness } from './analyses/robust/result.js';
import type { Conditions } from './rdma/conditions/conditions.js';
import { allSubjects, observedSubjects } from './program/subjects.js';

export type { Diagnostic, Result, SourceFile, Span } from './parse/diagnostics/index.js';
export type { Model } from './model/term.js';
export type { LoadedModel } from './model/load.js';
export { shippedModels } from './node/models.js';
export type { Query, Test } from './program/program.js';
export { valueText } from './parse/values.js';
export { ENGINES } from './rdma/engines.js';
export type { Engine } from './rdma/engines.js';
export { createPool } from './node/library/pool.js';
export type { PoolOptions } from './node/library/pool.js';
export type { Pool } from './analyses/workers.js';
export type { Answer, Outcomes, RunStep, Verdict } from './check/result.js';
export type { FinalState } from './program/final.js';
export type {
  ModelComparison,
  Explanation,
  ModelExplanation,
  Step,
  AxiomViolation,
} from './analyses/explain/explanation.js';
export type { ExecutionGraph, GraphEdge, GraphEvent } from './analyses/explain/graph.js';
export type { Comparison, Robustness, Violation } from './analyses/robust/result.js';
export type { Conditions } from './rdma/conditions/conditions.js';

/**
 * Parses and resolves one litmus test. Its `warnings` are about what the file may say and most likely does
 * not mean. A client of libraries has `models`, which decide it.
 *
 * @param text the litmus file's text
 * @param file the name of the file in diagnostics
 * @param models names of the caller's own models, for its expectations
 */
export function parseLitmus(
  text: string,
  file = 'input.litmus',
  models: readonly string[] = [],
): Result<Test> {
  const refused = failOnProblems('parseLitmus', [
    textProblem('text', text),
    textProblem('file', file),
    namesProblem('models', models),
  ]);
  if (refused !== undefined) return refused;
  return parseTest(text, file, models);
}

/**
 * Loads a model by the name of one that comes with Remora, or by the path of a `.cat` file.
 *
 * @returns the model, or what is wrong with it, and the files that diagnostics point into
 */
export function loadModel(nameOrPath: string): LoadedModel {
  const refused = failOnProblems('loadModel', [textProblem('nameOrPath', nameOrPath)]);
  return refused === undefined
    ? loadModelNamed(nameOrPath)
    : { model: refused, sources: new Map() };
}

/**
 * Loads a model from a text.
 *
 * @param text the text of a cat file
 * @param file the name of the file in diagnostics; includes are looked for beside it first
 */
export function parseModel(text: string, file = 'input.cat'): LoadedModel {
  const refused = failOnProblems('parseModel', [
    textProblem('text', text),
    textProblem('file', file),
  ]);
  return refused === undefined
    ? deciding(parse(text, file))
    : { model: refused, sources: new Map() };
}

/** A diagnostic as text: with line, column and caret where `sources` has its file. */
export function renderDiagnostic(
  diagnostic: Diagnostic,
  sources: ReadonlyMap<string, SourceFile> = new Map(),
): string {
  const span = (diagnostic as Partial<Diagnostic> | undefined)?.span;
  if (typeof span?.file !== 'string')
    return `renderDiagnostic: ${shown(diagnostic)} is no diagnostic`;
  return render(diagnostic, sources instanceof Map ? sources : new Map());
}

/** The options of every question. */
const ASKED = ['bound', 'engine', 'limit', ...POOL] as const;

export interface CheckOptions extends PoolOptions {
  /** How often loops are unrolled; overrides the test's own bound. */
  readonly bound?: number;
  /** The engine; by default `auto`, or `native` if `solver` is given. */
  readonly engine?: Engine;
  /** How many candidates (`enumerate`) or states (`operational`) are tried at most. */
  readonly limit?: number;
  /** Workers to use; without it, a pool is made for this call. */
  readonly pool?: Pool;
}

/**
 * Decides every query of a test under a model: one answer a query, in order. Fails if the test has instructions that
 * cannot be translated for the model, or that the engine does not take.
 */
export async function check(
  test: Test,
  model: Model,
  options: CheckOptions = {},
): Promise<Result<readonly Answer[]>> {
  const refused =
    refuseCall('check', test, modelProblem(model), options, ASKED) ??
    failOnProblems('check', [togetherProblem(options)]);
  if (refused !== undefined) return refused;
  const engine = engineOf(options);
  const prepared = prepare(test.program, model, engine);
  if (!prepared.ok) return prepared;
  const { program } = prepared.value;
  return withPool(options, async (pool) => {
    const [answers] = await pool.decide({
      kind: 'decide',
      engine,
      models: [model],
      tests: [{ ...test, program }],
      queries: test.queries.map((_, i) => i),
      ...searchOptions(options),
    });
    return answers;
  });
}

export interface OutcomesOptions extends CheckOptions {
  /** All final values, not only those that the queries mention. */
  readonly all?: boolean;
}

/**
 * Lists the final states that a model allows, over the names that the test's queries mention. Fails
 * like `check`.
 */
export async function outcomes(
  test: Test,
  model: Model,
  options: OutcomesOptions = {},
): Promise<Result<Outcomes>> {
  const refused =
    refuseCall('outcomes', test, modelProblem(model), options, [...ASKED, 'all']) ??
    failOnProblems('outcomes', [togetherProblem(options)]);
  if (refused !== undefined) return refused;
  const engine = engineOf(options);
  const prepared = prepare(test.program, model, engine);
  if (!prepared.ok) return prepared;
  const { program } = prepared.value;
  const subjects: readonly Subject[] =
    options.all === true ? allSubjects(program) : observedSubjects({ ...test, program });
  return withPool(options, (pool) =>
    pool.outcomes({
      kind: 'outcomes',
      counted: true,
      engine,
      models: [model],
      test: { ...test, program },
      subjects,
      ...searchOptions(options),
    }),
  );
}

/** A failed result with what is wrong with a question about a test. */
const failIn = (test: Test, message: string): Result<never> =>
  fail([{ span: { file: test.file, start: 0, end: 0 }, message }]);

/**
 * The queries that are asked for, by index; by default, all that are not unfit.
 *
 * @param unfit why a query cannot be asked; undefined if it can
 */
function queriesOf(
  test: Test,
  asked: readonly number[] | undefined,
  unfit: (query: Query) => string | undefined = () => undefined,
): Result<readonly number[]> {
  const { queries } = test;
  if (asked === undefined) {
    return { ok: true, value: [...queries.keys()].filter((q) => unfit(queries[q]) === undefined) };
  }
  const problems = asked.flatMap((q) => {
    if (q >= queries.length) {
      return [`there is no query with the index ${q}: the test has ${queries.length}`];
    }
    const why = unfit(queries[q]);
    return why === undefined ? [] : [`the query with the index ${q} ${why}`];
  });
  return problems.length === 0 ? { ok: true, value: asked } : failIn(test, problems[0]);
}

export interface ExploreOptions extends Pick<
  CheckOptions,
  'limit' | 'jobs' | 'timeLimit' | 'pool'
> {
  /** Which queries about runs, by index; by default, all of them. */
  readonly queries?: readonly number[];
  /** How many calls of a thread can be unfinished on one queue pair; by default 4. */
  readonly buffer?: number;
}

/**
 * Decides queries of a test about runs, such as `exclusive` and `progress`, by exploring all states of the model's
 * machine, with loops as they are (docs/locks.md). If a query fails, its answer has a run that shows it, in words and
 * as data. A query that takes too long is `unknown`. Fails if the model has no machine, or if a query is about final
 * states.
 */
export async function explore(
  test: Test,
  model: Model,
  options: ExploreOptions = {},
): Promise<Result<readonly Answer[]>> {
  const names = ['limit', 'jobs', 'timeLimit', 'queries', 'buffer'] as const;
  const refused = refuseCall('explore', test, modelProblem(model), options, names);
  if (refused !== undefined) return refused;
  const asked = queriesOf(test, options.queries, (query) =>
    isStateQuery(query) ? 'is about final states: `check` decides those' : undefined,
  );
  if (!asked.ok) return asked;
  const noMachine = refusal('operational', model);
  if (noMachine !== undefined) return fail([noMachine]);
  const prepared = prepare(test.program, model, 'auto');
  if (!prepared.ok) return prepared;
  const { program } = prepared.value;
  return withPool({ ...options, engine: 'auto' }, async (pool) => {
    const [answers] = await pool.decide({
      kind: 'decide',
      engine: 'auto',
      models: [model],
      tests: [{ ...test, program }],
      queries: asked.value,
      limit: options.limit,
      room: options.buffer,
    });
    return answers;
  });
}

export interface ExplainOptions extends Pick<
  CheckOptions,
  'bound' | 'jobs' | 'timeLimit' | 'pool'
> {
  /** Which queries, by index; by default, all. */
  readonly queries?: readonly number[];
  /** Names of the relations that graphs show; by default, those that the model chooses. */
  readonly show?: readonly string[];
}

/**
 * Explains why queries of a test have the answers that they have under some models: one explanation a
 * query, in order. Fails like `check`, and if `show` names a relation that no model has.
 */
export async function explain(
  test: Test,
  models: readonly Model[],
  options: ExplainOptions = {},
): Promise<Result<readonly Explanation[]>> {
  const names = ['bound', 'jobs', 'timeLimit', 'queries', 'show'] as const;
  const refused = refuseCall('explain', test, modelsProblem(models), options, names);
  if (refused !== undefined) return refused;
  const { show, bound } = options;
  const asked = queriesOf(test, options.queries);
  if (!asked.ok) return asked;
  const queries = asked.value;
  const [{ askWhy }, { checkShown }] = await Promise.all([
    import('./analyses/ask/explain.js'),
    import('./analyses/explain/shown-relations.js'),
  ]);
  const shown = checkShown(models, show ?? []);
  if (!shown.ok) return shown;
  const ask = { shown: show, bound };
  const told = await withPool({ ...options, engine: 'auto' }, (pool) =>
    Promise.all(queries.map((query) => askWhy(pool, test, models, query, ask))),
  );
  if (!told.ok) return told;
  const explanations: Explanation[] = [];
  for (const result of told.value) {
    if (!result.ok) return result;
    explanations.push(result.value);
  }
  return { ok: true, value: explanations };
}

export interface RobustnessOptions extends CheckOptions {
  /** What is compared with SC; by default, complete executions. */
  readonly comparison?: Comparison;
  /** By exploration alone, with loops as they are: under rdma-sc, and `prefixes` is what is compared. */
  readonly explore?: boolean;
  /** How many NIC writes of a queue pair may be left to be polled there, where polls are in loops. */
  readonly counterBound?: number;
}

/**
 * Finds out whether a test's program is robust under a model: whether all that the model admits is
 * sequentially consistent. Fails as `check` does, for engines without a solver, and where the model
 * is to be explored and cannot be.
 */
export async function robustness(
  test: Test,
  model: Model,
  options: RobustnessOptions = {},
): Promise<Result<Robustness>> {
  const names = [...ASKED, 'comparison', 'explore', 'counterBound'] as const;
  const refused = refuseCall('robustness', test, modelProblem(model), options, names);
  if (refused !== undefined) return refused;
  const { comparison, explore = false, counterBound } = options;
  const engine = engineOf(options);
  const { askRobustness, refusedEngine } = await import('./analyses/ask/robust.js');
  const message = refusedEngine(engine);
  if (message !== undefined) {
    return fail([{ span: { file: test.file, start: 0, end: 0 }, message }]);
  }
  const prepared = prepare(test.program, model, engine);
  if (!prepared.ok) return prepared;
  const { program } = prepared.value;
  const reference = referenceFor(test.program, model);
  if (!reference.ok) return reference;
  if (explore) {
    const { exploredModel } = await import('./analyses/robust/explored.js');
    const known = exploredModel(model);
    if (!known.ok) return known;
  }
  const { bound, limit } = options;
  const compared = explore ? 'prefixes' : (comparison ?? 'complete');
  return withPool(options, async (pool) => {
    const [found] = await askRobustness(pool, {
      ...{ program, model, engine, explore, comparisons: [compared] },
      ...{ reference: reference.value, counterBound, limit, bound },
    });
    return found;
  });
}

/**
 * Which of the syntactic conditions for robustness a test's program fails, and why (robustness paper,
 * Defs. 7 to 9, 13 and 14); undefined: its loops leave too much to go through. Fails for models other
 * than rdma-sc and rdma-tso, for gets and puts of the own node, and as `check` does.
 */
export async function robustnessConditions(
  test: Test,
  model: Model,
): Promise<Result<Conditions | undefined>> {
  const refused = failOnProblems('robustnessConditions', [testProblem(test), modelProblem(model)]);
  if (refused !== undefined) return refused;
  const { conditionModel } = await import('./rdma/conditions/known.js');
  const { conditionsOf } = await import('./rdma/conditions/conditions.js');
  const { notUnderConditions } = await import('./rdma/conditions/covered.js');
  const known = conditionModel(model);
  if (!known.ok) return known;
  const prepared = prepare(test.program, model, 'smt');
  if (!prepared.ok) return prepared;
  const { program } = prepared.value;
  const errors = notUnderConditions(program);
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, value: conditionsOf(program, known.value) };
}

/** What is wrong with the arguments of a question, if anything is. */
function refuseCall(
  call: string,
  test: unknown,
  models: Problem,
  options: unknown,
  names: readonly OptionName[],
): Result<never> | undefined {
  const problems = [testProblem(test), models, ...optionProblems(options, names)];
  return failOnProblems(call, [...problems, poolProblem(options)]);
}

function searchOptions({ bound, limit }: CheckOptions) {
  return { bound, limit };
}

const engineOf = ({ engine, solver }: CheckOptions): Engine =>
  engine ?? (solver === undefined ? 'auto' : 'native');

async function withPool<T>(
  options: CheckOptions,
  work: (pool: Pool) => Promise<T>,
): Promise<Result<T>> {
  const { pool, jobs = 1, timeLimit, solver } = options;
  if (pool !== undefined) return { ok: true, value: await work(pool) };
  const own = createWorkers({
    jobs,
    preload: needsBuiltIn(engineOf(options)),
    solver,
    timeLimit,
  });
  try {
    return { ok: true, value: await work(own) };
  } finally {
    await own.close();
  }
}
