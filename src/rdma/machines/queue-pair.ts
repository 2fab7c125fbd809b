import type { LocationId } from '../../program/program.js';
import type { CompletionNotice, BufferEntry, Packet, QueuePairState, Write } from './state.js';
import { hasWrite, pendingValue } from './state.js';
import type { AtomicVariant } from '../update.js';

/** One step of a queue pair. */
export interface NicStep {
  readonly rule: NicRule;
  /** The entry that moves, as it was before. */
  readonly entry: BufferEntry;
  /** What a put, get or atomic has read. */
  readonly found?: number;
  /** What an atomic writes. */
  readonly writes?: number;
  /** The write that reaches the memory. */
  readonly written?: Write;
  readonly after: QueuePairState;
}

export type NicRule =
  /** An entry moves to the next buffer (concrete semantics only). */
  | 'forward'
  /** A remote fence is done. */
  | 'fence'
  /** A put reads the local memory: the event `nlR`. */
  | 'read-local'
  /** A put's value goes to `wbR`, and is acknowledged: `nrW` is issued. */
  | 'deliver'
  /** A put's value goes from `wbR` to the memory: `nrW` is observed. */
  | 'flush-remote'
  /** An atomic reads the remote memory, and what it writes goes to `wbR`: `nAR` and the issue of `nrW`. */
  | 'perform'
  /** An acknowledgement becomes a completion. */
  | 'complete'
  /** A get reads the remote memory: `nrR`. */
  | 'read-remote'
  /** A get's value goes to `wbL`, with its completion: `nlW` is issued. */
  | 'return'
  /** A get's value goes from `wbL` to the memory: `nlW` is observed. */
  | 'flush-local';

/** What a queue pair sees of the rest of the machine. */
export interface Surroundings {
  readonly memory: readonly number[];
  readonly pcie: boolean;
  readonly atomics?: AtomicVariant;
  /** May a write reach memory ahead of an older one of its buffer? */
  readonly mayPass: (later: Write, older: Write) => boolean;
  /** Do completions wait for data? */
  readonly placed: boolean;
  /** Is the atomic unit busy that a location belongs to? */
  readonly isBusy: (location: LocationId) => boolean;
}

/** What a queue pair can do, given the rest of the machine. */
export type QueuePairRules = (
  queuePair: QueuePairState,
  surroundings: Surroundings,
) => readonly NicStep[];

/**
 * What the NIC reads from a memory that has a write-back buffer. With the PCIe guarantee the NIC waits until the
 * buffer holds no writes (the highlighted premises of the TSO paper's Fig. 7). Then the result is undefined. Without
 * it, the NIC finds the youngest write to the location in the buffer (§3.2).
 */
export function nicRead(
  location: LocationId,
  writeBack: readonly BufferEntry[],
  memory: readonly number[],
  pcie: boolean,
): number | undefined {
  if (pcie) return hasWrite(writeBack) ? undefined : memory[location];
  return pendingValue(writeBack, location) ?? memory[location];
}

export const COMPLETION: CompletionNotice = { kind: 'completion' };

/** A write in `wbR`, or in `wbL`, reaches the memory: the oldest one, or one that may pass those before it. In `wbL` it overtakes completions. */
export function writeBackSteps(
  queuePair: QueuePairState,
  { mayPass }: Surroundings,
): readonly NicStep[] {
  const steps: NicStep[] = [];
  const { wbR, wbL } = queuePair;
  for (const [i, entry] of wbR.entries()) {
    const older = wbR.slice(0, i);
    if (!older.every((one) => one.atomic !== true && mayPass(entry, one))) continue;
    const rest = { ...queuePair, wbR: wbR.toSpliced(i, 1) };
    const after = entry.atomic ? released(rest) : rest;
    steps.push({ rule: 'flush-remote', entry, written: entry, after });
  }
  const writes = wbL.filter((e) => e.kind === 'write');
  for (const [i, entry] of writes.entries()) {
    if (!writes.slice(0, i).every((older) => mayPass(entry, older))) continue;
    const after = { ...queuePair, wbL: wbL.toSpliced(wbL.indexOf(entry), 1) };
    steps.push({ rule: 'flush-local', entry, written: entry, after });
  }
  return steps;
}

/** A write of an operation as it comes into `wbR`. All that is older in the stages will have a completion: nothing comes past a remote fence. */
export const pending = (
  write: Pick<Write, 'kind' | 'location' | 'value' | 'atomic'>,
  entry: Packet,
  queuePair: QueuePairState,
  { placed }: Surroundings,
): Write =>
  placed
    ? {
        ...write,
        behind:
          queuePair.wbL.filter((e) => e.kind === 'completion').length +
          olderThan(queuePair, entry).length,
      }
    : write;

/** A queue pair after the oldest completion is polled; undefined: its data, or data before it, is not in memory yet. */
export function polled(queuePair: QueuePairState): QueuePairState | undefined {
  const { wbR, wbL } = queuePair;
  if (wbL.at(0)?.kind !== 'completion' || wbR.some(({ behind }) => behind === 0)) return undefined;
  const left = wbR.map((write) =>
    write.behind === undefined ? write : { ...write, behind: write.behind - 1 },
  );
  return { ...queuePair, wbR: left, wbL: wbL.slice(1) };
}

/** What came to the queue pair before an entry of its stages, the youngest first in each stage. */
export function olderThan({ stages }: QueuePairState, entry: BufferEntry): readonly Packet[] {
  const packets = stages.toReversed().flat();
  return packets.slice(
    0,
    packets.findIndex((e) => e === entry),
  );
}

/** A queue pair whose responses no longer wait for a write. */
function released(queuePair: QueuePairState): QueuePairState {
  const stages = queuePair.stages.map((stage) =>
    stage.map((e): Packet => (e.kind === 'held' ? { ...e, kind: 'fetched' } : e)),
  );
  return { ...queuePair, stages };
}

/** A queue pair with one of its stages changed. */
export function withStage(
  queuePair: QueuePairState,
  stage: number,
  packets: readonly Packet[],
): QueuePairState {
  return { ...queuePair, stages: queuePair.stages.with(stage, packets) };
}
