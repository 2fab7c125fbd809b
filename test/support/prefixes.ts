import { enumerateCandidates } from '../../src/check/enumerate/candidates.js';
import { unroll } from '../../src/program/events/unroll.js';
import { loadModelNamed } from '../../src/node/models.js';
import type { Program } from '../../src/program/program.js';
import { evaluate } from '../../src/model/relation/concrete.js';
import { valueOf } from './litmus.js';

export const RDMA_SC = valueOf(loadModelNamed('rdma-sc').model);
export const SC = valueOf(loadModelNamed('sc').model);

/**
 * Robustness to the letter (decidability paper, Def. 3): every execution that RDMA^SC allows of every
 * prefix of the program, one by one, judged by SC. Loops are unrolled up to their bound. Undefined
 * where there are too many candidates.
 */
export function robustByEnumeration(
  program: Program,
  limit = 100_000,
): 'robust' | 'not robust' | undefined {
  let violated = false;
  const { incomplete } = enumerateCandidates(
    unroll(program, undefined, { prefixes: true }),
    RDMA_SC,
    ({ execution }) => (violated = !evaluate(SC, execution).consistent),
    { limit },
  );
  if (violated) return 'not robust';
  return incomplete === undefined ? 'robust' : undefined;
}
