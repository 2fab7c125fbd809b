import type { NicStep, Surroundings } from './queue-pair.js';
import { nicRead, pending } from './queue-pair.js';
import type { Atomic, Packet, QueuePairState } from './state.js';
import { postedOf } from './state.js';
import { updated } from '../update.js';

/** What performing an atomic leads to. */
export interface Performed extends Pick<NicStep, 'found' | 'writes' | 'written'> {
  /** The old value on its way back. */
  readonly response: Packet;
  readonly wbR: QueuePairState['wbR'];
}

/**
 * The NIC of the target node performs an atomic, if its atomic unit is free and the pending writes of the queue pair
 * allow it. What the atomic writes goes to `wbR`, and keeps the unit busy while it is there.
 *
 * @returns undefined: the atomic has to wait
 */
export function performed(
  entry: Atomic,
  queuePair: QueuePairState,
  surroundings: Surroundings,
): Performed | undefined {
  const { location, into, update } = entry;
  const { wbR } = queuePair;
  const { memory, pcie, atomics, isBusy } = surroundings;
  const atOnce = atomics === 'glob';
  if (!atOnce && isBusy(location)) return undefined;
  const found = nicRead(location, wbR, memory, pcie || atOnce);
  if (found === undefined) return undefined;
  const writes = updated(update, found) ?? (atomics === 'failwrite' ? found : undefined);
  const response = { ...postedOf(entry), kind: 'fetched', location: into, value: found } as const;
  if (writes === undefined) return { found, response, wbR };
  const write = { kind: 'write', location, value: writes } as const;
  if (atOnce) return { found, writes, written: write, response, wbR };
  return {
    found,
    writes,
    response: atomics === 'late' ? { ...response, kind: 'held' } : response,
    wbR: [...wbR, pending({ ...write, atomic: true }, entry, queuePair, surroundings)],
  };
}
