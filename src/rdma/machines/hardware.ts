import type { QueuePairRules } from './queue-pair.js';
import { simplified } from './simplified.js';
import { sixBuffers } from './six-buffers.js';

/** Which machine a program runs on. */
export interface Hardware {
  /** Do CPU writes and remote operations pass a store buffer? Without, they take effect at once. */
  readonly storeBuffers: boolean;
  /** Does a NIC read wait for pending NIC writes of its queue pair? */
  readonly pcie: boolean;
  readonly queuePairs: 'simplified' | 'six-buffers';
}

/** The transitions of a kind of queue pair, and how many buffers it has before `wbR` and `wbL`. */
export const QUEUE_PAIRS: Readonly<
  Record<
    Hardware['queuePairs'],
    { readonly rules: QueuePairRules; readonly stages: readonly string[] }
  >
> = {
  simplified: { rules: simplified, stages: ['pipe'] },
  'six-buffers': { rules: sixBuffers, stages: ['reqL', 'inR', 'outR', 'rspL'] },
};

/**
 * The machines of the models that have one, by the model's name.
 *
 * `rdma-tso` is the simplified semantics of the TSO paper (App. B), `rdma-tso-nopcie` the same as
 * its §3.2 weakens it. The robustness paper gives RDMA^SC no machine. Its Def. 4 is the TSO paper's
 * with CPU writes that are observed where they are issued: `lW` is in `Inst`, and `oppo` keeps
 * `lW -> lR` and `lW -> P`. (`rfb` is no longer left out of `ob`, as nothing is read before it is in
 * memory; `rbb` in `ib` says no more than `rb` and `oppo` in `ob`.) So the runs of RDMA^SC are those
 * runs of RDMA^TSO in which what enters a store buffer leaves it at once: the machine without.
 */
export const OPERATIONAL_MODELS: ReadonlyMap<string, Hardware> = new Map([
  ['rdma-sc', { storeBuffers: false, pcie: true, queuePairs: 'simplified' }],
  ['rdma-tso', { storeBuffers: true, pcie: true, queuePairs: 'simplified' }],
  ['rdma-tso-nopcie', { storeBuffers: true, pcie: false, queuePairs: 'simplified' }],
]);
