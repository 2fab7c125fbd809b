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

/** The oldest write in `wbR`, or in `wbL`, reaches the memory. In `wbL` it overtakes completions. */
export function writeBackSteps(queuePair: QueuePairState): readonly NicStep[] {
  const steps: NicStep[] = [];
  const { wbR, wbL } = queuePair;
  if (wbR.length > 0) {
    const rest = { ...queuePair, wbR: wbR.slice(1) };
    const after = wbR[0].atomic ? released(rest) : rest;
    steps.push({ rule: 'flush-remote', entry: wbR[0], written: wbR[0], after });
  }
  const written = wbL.find((e) => e.kind === 'write');
  if (written !== undefined) {
    const after = { ...queuePair, wbL: wbL.toSpliced(wbL.indexOf(written), 1) };
    steps.push({ rule: 'flush-local', entry: written, written, after });
  }
  return steps;
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
