import type { Model } from '../../model/term.js';
import type { QueuePairRules } from './queue-pair.js';
import { simplified } from './simplified.js';
import { sixBuffers } from './six-buffers.js';
import type { AtomicVariant } from '../update.js';

/** Which machine a program runs on. */
export interface Hardware {
  /** Do CPU writes and remote operations go through a store buffer? If not, they take effect at once. */
  readonly storeBuffers: boolean;
  /** Does a NIC read wait for pending NIC writes of its queue pair? */
  readonly pcie: boolean;
  readonly queuePairs: 'simplified' | 'six-buffers';
  /** How NICs perform remote atomics, if not as under RDMA^TSO. */
  readonly atomics?: AtomicVariant;
  /** Which writes of NICs reach memory out of order; by default, none does. */
  readonly relaxed?: Relaxed;
  /** Is the data of what was polled in memory, and that of what was before it on the queue pair? */
  readonly placed?: true;
  /** Are operations of one queue pair in no order, nor their data, nor their completions? In `pipe` alone. */
  readonly unordered?: true;
}

/**
 * Relaxed ordering (docs/fabrics.md): a write may reach memory ahead of older ones if its location has no tag `strict`, or if it has the tag `relaxed`; or else if
 * either location has no tag `strict`.
 */
export type Relaxed = 'unless strict' | 'if relaxed' | 'either';

/** For each kind of queue pair: its transitions, and the names of its buffers before `wbR` and `wbL`. */
export const QUEUE_PAIRS: Readonly<
  Record<
    Hardware['queuePairs'],
    { readonly rules: QueuePairRules; readonly stages: readonly string[] }
  >
> = {
  simplified: { rules: simplified, stages: ['pipe'] },
  'six-buffers': { rules: sixBuffers, stages: ['reqL', 'inR', 'outR', 'rspL'] },
};

const TSO: Hardware = { storeBuffers: true, pcie: true, queuePairs: 'simplified' };

/**
 * The machines, by the names of the models that have one.
 *
 * `rdma-tso` is the simplified semantics of the TSO paper (App. B). `rdma-tso-nopcie` is the same without the PCIe
 * guarantee (§3.2).
 *
 * The robustness paper has no machine for RDMA^SC. Its definition of RDMA^SC (Def. 4) is that of the TSO paper, except
 * that CPU writes are observed when they are issued: `lW` is in `Inst`, and `oppo` keeps `lW -> lR` and `lW -> P`.
 * (`rfb` is in `ob`, because nothing is read before it is in memory. `rbb` in `ib` adds nothing to `rb` and `oppo` in
 * `ob`.) So the runs of RDMA^SC are the runs of RDMA^TSO in which an entry of a store buffer leaves it at once. That is
 * the machine without store buffers.
 *
 * `rdma-ro`, its variants, `rdma-manpage` and `rdma-srd` are RDMA^TSO with a line each, as the page on fabrics says it of machines. The others are
 * RDMA^TSO with one of the variants of remote atomics.
 */
export const OPERATIONAL_MODELS: ReadonlyMap<string, Hardware> = new Map<string, Hardware>([
  ['rdma-sc', { storeBuffers: false, pcie: true, queuePairs: 'simplified' }],
  ['rdma-tso', TSO],
  ['rdma-tso-nopcie', { ...TSO, pcie: false }],
  ['rdma-ro', { ...TSO, relaxed: 'unless strict' }],
  ['rdma-ro-tagged', { ...TSO, relaxed: 'if relaxed' }],
  ['rdma-ro-either', { ...TSO, relaxed: 'either' }],
  ['rdma-manpage', { ...TSO, placed: true }],
  ['rdma-ro-manpage', { ...TSO, relaxed: 'unless strict', placed: true }],
  ['rdma-srd', { ...TSO, unordered: true }],
  ...(['glob', 'late', 'loclock', 'getfirst', 'failwrite', 'out'] as const).map(
    (atomics) => [`rdma-tso-${atomics}`, { ...TSO, atomics }] as const,
  ),
]);

/** The models that have a machine with queue pairs of a kind. */
export const machinesWith = (queuePairs: Hardware['queuePairs']): readonly string[] =>
  [...OPERATIONAL_MODELS].flatMap(([name, { unordered }]) =>
    unordered && queuePairs !== 'simplified' ? [] : [name],
  );

/** The machine of a model, with queue pairs of a kind; undefined if there is none for the model. */
export function machineFor(model: Model, queuePairs: Hardware['queuePairs']): Hardware | undefined {
  const hardware = model.shipped ? OPERATIONAL_MODELS.get(model.name) : undefined;
  if (hardware === undefined || (hardware.unordered && queuePairs !== 'simplified'))
    return undefined;
  return { ...hardware, queuePairs };
}
