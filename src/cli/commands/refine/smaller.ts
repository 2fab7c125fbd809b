import { INTERRUPTION } from '../../../check/result.js';
import type { RefinementPair, RefineOptions } from '../../../analyses/refine/refine.js';
import { refine } from '../../../analyses/refine/refine.js';
import { smaller } from '../../../analyses/refine/smaller.js';
import type { Pool } from '../../../analyses/workers.js';
import type { ClientOptions } from '../../../program/client.js';
import type { ClientResult } from '../../../report/refine.js';
import type { ImplementationOptions, RefineCommandOptions } from './pairs.js';
import { pairOf } from './pairs.js';
import { startRun } from '../../run/tasks.js';

/** A client that fails, and the name for smaller clients. */
interface Failing {
  readonly pair: RefinementPair;
  readonly name: string;
}

/**
 * Shrinks a client that fails, and explains the smaller client. Without a smaller one that fails, there is no result.
 */
export async function smallerResult(
  failing: Failing,
  about: ClientOptions,
  inlined: ImplementationOptions,
  options: RefineCommandOptions,
): Promise<{ readonly result?: ClientResult; readonly interrupted: boolean }> {
  const { results, interrupted } = await startRun(options, true).all([
    {
      name: `less of ${failing.pair.specification.name}`,
      do: (pool) => explainedSmaller(failing, about, inlined, options, pool),
    },
  ]);
  return { result: results[0], interrupted };
}

/** The same, with workers that are running already. */
export async function explainedSmaller(
  { pair, name }: Failing,
  about: ClientOptions,
  inlined: ImplementationOptions,
  options: RefineCommandOptions,
  pool: Pool,
): Promise<ClientResult | undefined> {
  const path = pair.specification.file;
  const read = (text: string): RefinementPair | undefined => {
    const made = pairOf({ path, text }, about, inlined);
    return made === 'no client' || 'errors' in made ? undefined : made;
  };
  const ask: RefineOptions = { ...options, explained: true };
  const found = await smaller(pool, pair, name, read, options);
  if (found === undefined) return undefined;
  const { text, refinement } = found;
  const explained = await refine(pool, found.pair, ask);
  return { ...(explained.reason === INTERRUPTION ? refinement : explained), text };
}
