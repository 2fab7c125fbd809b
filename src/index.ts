/**
 * Remora as a library.
 *
 * Nothing here prints or exits; user mistakes come back as diagnostics in `Result`s. `check` and
 * `outcomes` start worker threads: give them a pool of your own (`createPool`) to use it for many
 * calls, and close it at the end.
 */
import { fail } from './diagnostics/index.js';
import type { Result } from './diagnostics/index.js';
import type { Engine } from './check/engine.js';
import { needsBuiltIn, prepare } from './check/engine.js';
import type { Pool, PoolOptions } from './workers/pool.js';
import { createPool } from './workers/pool.js';
import type { Answer, Outcomes } from './check/result.js';
import { shippedModels } from './model/shipped.js';
import type { Model } from './model/term.js';
import { parseLitmusFile } from './parse/litmus.js';
import type { Subject, Test } from './program/program.js';
import { resolve } from './program/resolve.js';
import { allSubjects, observedSubjects } from './program/subjects.js';

export type { Diagnostic, Result, SourceFile, Span } from './diagnostics/index.js';
export { renderDiagnostic } from './diagnostics/index.js';
export type { Model } from './model/term.js';
export { loadModelNamed as loadModel, shippedModels } from './model/shipped.js';
export { parseModel } from './model/load.js';
export type { Query, Test } from './program/program.js';
export { ENGINES } from './check/engine.js';
export type { Engine } from './check/engine.js';
export { createPool } from './workers/pool.js';
export type { Pool, PoolOptions } from './workers/pool.js';
export type { Answer, Outcomes, Verdict } from './check/result.js';
export type { FinalState } from './program/final.js';

/**
 * Parses and resolves one litmus test.
 *
 * @param text the litmus file's text
 * @param file the name that diagnostics give it
 */
export function parseLitmus(text: string, file = 'input.litmus'): Result<Test> {
  const parsed = parseLitmusFile({ path: file, text });
  return parsed.ok ? resolve(parsed.value, shippedModels()) : fail(parsed.errors);
}

export interface CheckOptions extends PoolOptions {
  /** How often loops are unrolled; overrides the test's own bound. */
  readonly bound?: number;
  /** Which way to go to the verdict; by default `auto`, or `native` where `solver` is given. */
  readonly engine?: Engine;
  /** How many candidates (`enumerate`) or states (`operational`) are tried at most. */
  readonly limit?: number;
  /** Workers to use; without it, a pool is made for this call. */
  readonly pool?: Pool;
}

/**
 * Decides every query of a test under a model: one answer a query, in order. Fails if the test
 * has instructions that cannot be translated for the model, or if the engine cannot treat them.
 */
export async function check(
  test: Test,
  model: Model,
  options: CheckOptions = {},
): Promise<Result<readonly Answer[]>> {
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
 * Lists the final states that a model allows, over the names that the test's queries mention.
 * Fails as `check` does.
 */
export async function outcomes(
  test: Test,
  model: Model,
  options: OutcomesOptions = {},
): Promise<Result<Outcomes>> {
  const engine = engineOf(options);
  const prepared = prepare(test.program, model, engine);
  if (!prepared.ok) return prepared;
  const { program } = prepared.value;
  const subjects: readonly Subject[] =
    options.all === true ? allSubjects(program) : observedSubjects(program, test.queries);
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

function searchOptions({ bound, limit }: CheckOptions) {
  return { ...(bound !== undefined && { bound }), ...(limit !== undefined && { limit }) };
}

const engineOf = ({ engine, solver }: CheckOptions): Engine =>
  engine ?? (solver === undefined ? 'auto' : 'native');

async function withPool<T>(
  options: CheckOptions,
  work: (pool: Pool) => Promise<T>,
): Promise<Result<T>> {
  const { pool, jobs = 1, timeLimit, solver } = options;
  if (pool !== undefined) return { ok: true, value: await work(pool) };
  const own = createPool({
    jobs,
    preload: needsBuiltIn(engineOf(options)),
    ...(solver !== undefined && { solver }),
    ...(timeLimit !== undefined && { timeLimit }),
  });
  try {
    return { ok: true, value: await work(own) };
  } finally {
    await own.close();
  }
}
