import { printProgram } from '../../program/print.js';
import type { Program } from '../../program/program.js';
import { Shrinker } from '../shrink/shrink.js';
import type { Pool } from '../workers.js';
import type { RefinementPair, Refinement, RefineOptions } from './refine.js';
import { refine } from './refine.js';

/** After so many milliseconds no further client is tried. */
const LIMIT = 60_000;

/** A client that an implementation does not refine its libraries for, and that nothing can be left out of. */
export interface Smaller {
  readonly text: string;
  readonly pair: RefinementPair;
  /** Without an explanation. */
  readonly refinement: Refinement;
}

/**
 * Leaves out of a client that fails what can be left out so that it still does: calls, threads, objects, nodes, and numbers.
 * Outcomes are compared as sets, so that it asks about whatever private names remain. A client that is undecided does not count.
 *
 * @param read a smaller client in both forms; undefined where it is not valid
 * @returns undefined where there is no smaller one
 */
export async function smaller(
  pool: Pool,
  { specification }: RefinementPair,
  name: string,
  read: (text: string) => RefinementPair | undefined,
  options: Omit<RefineOptions, 'explained'>,
): Promise<Smaller | undefined> {
  const end = performance.now() + LIMIT;
  const shrinker = new Shrinker<RefinementPair & { readonly program: Program }, Refinement>({
    name,
    read(text) {
      const pair = read(text);
      const isMeant =
        pair !== undefined && pair.specification.warnings.length <= specification.warnings.length;
      return isMeant ? { ...pair, program: pair.specification.program } : undefined;
    },
    async findingOf(pair) {
      if (performance.now() > end) return undefined;
      const found = await refine(pool, pair, { ...options, explained: false });
      return found.verdict === 'does not refine' ? found : undefined;
    },
  });
  const whole = `RDMA ${name}\n${printProgram(specification.program)}`;
  const found = await shrinker.smallest(shrinker.textOf(specification.program));
  if (found === undefined || found.text === whole) return undefined;
  return { text: found.text, pair: found.read, refinement: found.finding };
}
