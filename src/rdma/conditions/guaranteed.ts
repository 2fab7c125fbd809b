import type { EventPoint, PointLabel } from './paths.js';

/**
 * Guaranteed-before (robustness paper, Def. 6), and its variant for TSO (Def. 12): which later events
 * of a path cannot be reordered with a given one.
 *
 * Take a first event of a path. Call a later event reached if it is guaranteed to come after the first one.
 * Whether an event is reached depends only on the kinds of the events that were reached before it. So the relation
 * is an automaton that reads the path event by event. Polls are not part of it: which operation a poll polls is
 * counted in walk.ts.
 *
 * In one place this is not the printed definition. Its line for cells D6 to D8,
 * `[nrR]; (po & sqp); [nF]; (po & sqp)`, also leads to polls. But the next poll of the queue pair may poll an older
 * operation, and then nothing orders it after the fence. Here the line ends in NIC events only, as in the table
 * and in the proof (Theorem 7).
 */
export type GuaranteedOrder = 'gb' | 'gb-tso';

/** What was reached on a path so far. `ALL` instead means that all later events are reached. */
export interface Reached {
  /** Under TSO: a CPU write was reached that may still be in the store buffer. NIC events come after it. */
  readonly write: boolean;
  /** For each queue pair, by number: bits that say which kinds of events were reached on it. */
  readonly pairs: readonly number[];
}

export const ALL = 'all';

/** An `nlR` or an `nF`: all later NIC events of the queue pair are reached. */
const EVERYTHING = 1;
const REMOTE_WRITE = 2;
const REMOTE_READ = 4;
const LOCAL_WRITE = 8;
/** A local write, and later a remote fence that was not reached. Later `nlR` and `nrW` are reached. */
const FENCED_WRITE = 16;

/** The bit that an event of the NIC sets on its queue pair. */
const MARK: Readonly<Record<PointLabel, number | 'by CPU'>> = {
  lR: 'by CPU',
  lW: 'by CPU',
  CAS: 'by CPU',
  FAA: 'by CPU',
  XCHG: 'by CPU',
  F: 'by CPU',
  P: 'by CPU',
  nlR: EVERYTHING,
  nF: EVERYTHING,
  nrW: REMOTE_WRITE,
  nrR: REMOTE_READ,
  nlW: LOCAL_WRITE,
};

/** The bits of its queue pair after which a NIC event comes: the columns of `oppo`, and cells E6, E7. */
const AFTER: Readonly<Record<PointLabel, number | 'by CPU'>> = {
  lR: 'by CPU',
  lW: 'by CPU',
  CAS: 'by CPU',
  FAA: 'by CPU',
  XCHG: 'by CPU',
  F: 'by CPU',
  P: 'by CPU',
  nlR: EVERYTHING | FENCED_WRITE,
  nrW: EVERYTHING | REMOTE_WRITE | FENCED_WRITE,
  nrR: EVERYTHING | REMOTE_WRITE,
  nlW: EVERYTHING | REMOTE_WRITE | REMOTE_READ | LOCAL_WRITE,
  nF: EVERYTHING | REMOTE_READ,
};

/** What is reached from a first event alone. `pair` is the number of its queue pair, `pairs` how many there are. */
export function startAt(
  { label }: EventPoint,
  pair: number,
  pairs: number,
  order: GuaranteedOrder,
): Reached | typeof ALL {
  const none = { write: false, pairs: Array.from({ length: pairs }, () => 0) };
  return add(none, label, pair, order);
}

/** Whether the next event of a path is reached (for a poll, see `ordersPoll`), and what is reached after it. */
export function next(
  reached: Reached,
  { label }: EventPoint,
  pair: number,
  order: GuaranteedOrder,
): { readonly is: boolean; readonly reached: Reached | typeof ALL } {
  const after = AFTER[label];
  const is =
    after === 'by CPU'
      ? reached.write && label !== 'lR' && label !== 'P'
      : reached.write || (reached.pairs[pair] & after) !== 0;
  const fenced = label === 'nF' && (reached.pairs[pair] & LOCAL_WRITE) !== 0;
  const here = fenced ? mark(reached, pair, FENCED_WRITE) : reached;
  return { is, reached: is ? add(here, label, pair, order) : here };
}

/**
 * Will the poll of an operation be reached (cells B1 to B5, E1 to E8)? This is asked at the write of the operation:
 * the poll of a put comes after its local read, and that of a get after its local write.
 */
export function ordersPoll({ label }: EventPoint, pair: number, { pairs }: Reached): boolean {
  return (pairs[pair] & (label === 'nrW' ? EVERYTHING : LOCAL_WRITE)) !== 0;
}

function add(
  reached: Reached,
  label: PointLabel,
  pair: number,
  order: GuaranteedOrder,
): Reached | typeof ALL {
  const bits = MARK[label];
  if (bits !== 'by CPU') return mark(reached, pair, bits);
  // Row A: everything comes after an event of the CPU. Under TSO, a write may be overtaken.
  return order === 'gb-tso' && label === 'lW' ? { ...reached, write: true } : ALL;
}

function mark({ write, pairs }: Reached, pair: number, bits: number): Reached {
  return { write, pairs: pairs.map((old, i) => (i === pair ? old | bits : old)) };
}
