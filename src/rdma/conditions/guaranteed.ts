import type { EventPoint, PointLabel } from './paths.js';

/**
 * Guaranteed-before (robustness paper, Def. 6), and its variant for TSO (Def. 12): which later events
 * of a path cannot be reordered with a given one.
 *
 * Of the events that are guaranteed to come after a first one, all that matters to later ones is
 * their kinds. So the relation is an automaton that walks along the path, and says of each event
 * whether it is in. Polls are beside it: which event a poll polls is for the walk to know
 * (walk.ts).
 *
 * The definition is read with one word more than is printed. Its line for cells D6 to D8,
 * `[nrR]; (po & sqp); [nF]; (po & sqp)`, leads to polls as well: the queue pair's next poll may poll
 * an older operation, so that nothing orders it after the fence. The line is taken to end in NIC events,
 * as the table says, and the proof (Theorem 7).
 */
export type GuaranteedOrder = 'gb' | 'gb-tso';

/** What is known at some place of a path. All later events: `ALL`. */
export interface Reached {
  /** A CPU write that may still wait in the store buffer (TSO only): the NIC's events come after it. */
  readonly write: boolean;
  /** For each queue pair, by number, the bits of what is reached there. */
  readonly pairs: readonly number[];
}

export const ALL = 'all';

/** An `nlR` or an `nF`: all later NIC events of the queue pair are reached. */
const EVERYTHING = 1;
const REMOTE_WRITE = 2;
const REMOTE_READ = 4;
const LOCAL_WRITE = 8;
/** A local write and then a fence, which is not reached itself: later `nlR` and `nrW` are. */
const FENCED_WRITE = 16;

/** What an event of the NIC marks as reached on its queue pair. */
const MARK: Readonly<Record<PointLabel, number | 'by CPU'>> = {
  lR: 'by CPU',
  lW: 'by CPU',
  CAS: 'by CPU',
  F: 'by CPU',
  P: 'by CPU',
  nlR: EVERYTHING,
  nF: EVERYTHING,
  nrW: REMOTE_WRITE,
  nrR: REMOTE_READ,
  nlW: LOCAL_WRITE,
};

/** Which bits of its queue pair a NIC event comes after: the columns of `oppo`, and cells E6, E7. */
const AFTER: Readonly<Record<PointLabel, number | 'by CPU'>> = {
  lR: 'by CPU',
  lW: 'by CPU',
  CAS: 'by CPU',
  F: 'by CPU',
  P: 'by CPU',
  nlR: EVERYTHING | FENCED_WRITE,
  nrW: EVERYTHING | REMOTE_WRITE | FENCED_WRITE,
  nrR: EVERYTHING | REMOTE_WRITE,
  nlW: EVERYTHING | REMOTE_WRITE | REMOTE_READ | LOCAL_WRITE,
  nF: EVERYTHING | REMOTE_READ,
};

/** What comes after a first event. `pair` is the number of its queue pair, of so many. */
export function startAt(
  { label }: EventPoint,
  pair: number,
  pairs: number,
  order: GuaranteedOrder,
): Reached | typeof ALL {
  const none = { write: false, pairs: Array.from({ length: pairs }, () => 0) };
  return add(none, label, pair, order);
}

/** Whether the next event of a path is reached, if it is no poll, and what is reached after it. */
export function next(
  reached: Reached,
  { label }: EventPoint,
  pair: number,
  order: GuaranteedOrder,
): { readonly is: boolean; readonly reached: Reached | typeof ALL } {
  const after = AFTER[label];
  const is =
    after === 'by CPU'
      ? reached.write && (label === 'lW' || label === 'CAS' || label === 'F')
      : reached.write || (reached.pairs[pair] & after) !== 0;
  const fenced = label === 'nF' && (reached.pairs[pair] & LOCAL_WRITE) !== 0;
  const here = fenced ? mark(reached, pair, FENCED_WRITE) : reached;
  return { is, reached: is ? add(here, label, pair, order) : here };
}

/**
 * Will the poll of an operation be reached (cells B1 to B5, E1 to E8)? Asked when its write has been
 * performed: a put's poll comes after its local read, a get's after its local write.
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
  // Row A: whatever follows an event of the CPU, but that a write may be overtaken under TSO.
  return order === 'gb-tso' && label === 'lW' ? { ...reached, write: true } : ALL;
}

function mark({ write, pairs }: Reached, pair: number, bits: number): Reached {
  return { write, pairs: pairs.map((old, i) => (i === pair ? old | bits : old)) };
}
