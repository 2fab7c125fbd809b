import type { Model } from '../../model/term.js';
import { stateKey } from '../../program/final.js';
import type { Test } from '../../program/program.js';
import type { Engine } from '../../rdma/engines.js';
import { missing } from '../by-size/states.js';
import type { Pool } from '../workers.js';
import { statesUnder } from './distinction.js';
import type { Compared } from './pair.js';

/**
 * Compares the final states of a client under its libraries, and under the same with another file for one of them.
 *
 * @param test the client, with calls that both have
 */
export async function compareClient(
  pool: Pool,
  test: Test,
  models: readonly [Model, Model],
  engine: Engine,
): Promise<Compared> {
  const found = await Promise.all(models.map((model) => statesUnder(pool, test, model, engine)));
  const open = found.flatMap(({ incomplete, upTo }) =>
    upTo === undefined ? (incomplete ?? []) : 'loops may go on',
  );
  if (open.length > 0) return { open: open[0] };
  const [a, b] = found.map(({ states }) => new Set(states.map(stateKey)));
  return { only: [missing(a, b), missing(b, a)] };
}
