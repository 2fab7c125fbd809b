import { prepare } from '../../rdma/prepare.js';
import type { Model } from '../../model/term.js';
import type { Test } from '../../program/program.js';
import type { Pool } from '../../analyses/workers.js';
import type { Costs } from '../../rdma/additions.js';
import type { Fix } from '../../analyses/repair/fix.js';

export interface FixOptions {
  readonly costs: Costs;
  /** Overrides the test's loop bound. */
  readonly bound?: number;
}

/** Has a worker find what would change the answer to a query under a model. */
export async function askFix(
  pool: Pool,
  test: Test,
  model: Model,
  query: number,
  { costs, bound }: FixOptions,
): Promise<Fix> {
  const undecided = (reason: string): Fix => ({ kind: 'undecided', model: model.name, reason });
  const prepared = prepare(test.program, model, 'smt');
  if (!prepared.ok) return undecided(prepared.errors.map((e) => e.message).join('; '));
  const found = await pool.analyse({
    kind: 'analysis',
    analysis: 'fix',
    engine: 'smt',
    models: [model],
    input: { test: { ...test, program: prepared.value.program }, query, costs },
    ...(bound !== undefined && { bound }),
  });
  return 'output' in found ? found.output : undecided(found.unfinished);
}
