import type { Engine } from '../../rdma/engines.js';
import { prepare } from '../../rdma/prepare.js';
import type { Model } from '../../model/term.js';
import type { Test } from '../../program/program.js';
import { isStateQuery } from '../../program/program.js';
import type { Pool } from '../workers.js';
import type { Costs } from '../../rdma/additions.js';
import type { Fix } from '../repair/fix.js';
import type { FixRunsInput } from '../repair/fix-runs.js';

export interface FixOptions {
  readonly costs: Costs;
  /** Overrides the test's loop bound. */
  readonly bound?: number;
  /** What is asked in the end; by default `smt`. */
  readonly engine?: Engine;
}

/** Has a worker find what would change the answer to a query under a model. */
export async function askFix(
  pool: Pool,
  test: Test,
  model: Model,
  query: number,
  { costs, bound, engine = 'auto' }: FixOptions,
): Promise<Fix> {
  if (!isStateQuery(test.queries[query])) {
    return askRunsFix(pool, model, { test, queries: [query], costs });
  }
  const undecided = (reason: string): Fix => ({ kind: 'undecided', model: model.name, reason });
  const prepared = prepare(test.program, model, engine);
  if (!prepared.ok) return undecided(prepared.errors.map((e) => e.message).join('; '));
  const found = await pool.analyse({
    kind: 'analysis',
    analysis: 'fix',
    engine,
    models: [model],
    input: { test: { ...test, program: prepared.value.program }, query, costs },
    bound,
  });
  return 'output' in found ? found.output : undecided(found.unfinished);
}

/** Has a worker find what would make queries about runs hold under a model; the program is as written. */
export async function askRunsFix(pool: Pool, model: Model, input: FixRunsInput): Promise<Fix> {
  const undecided = (reason: string): Fix => ({ kind: 'undecided', model: model.name, reason });
  const { test } = input;
  const prepared = prepare(test.program, model, 'auto');
  if (!prepared.ok) return undecided(prepared.errors.map((e) => e.message).join('; '));
  const found = await pool.analyse({
    kind: 'analysis',
    analysis: 'fix-runs',
    engine: 'auto',
    models: [model],
    input: { ...input, test: { ...test, program: prepared.value.program } },
  });
  return 'output' in found ? found.output : undecided(found.unfinished);
}
