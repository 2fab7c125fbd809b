import type { LocationId } from '../../program/program.js';
import type {
  BufferEntry,
  CompletionNotice,
  Packet,
  Posted,
  QueuePairState,
  Request,
  Words,
  Write,
} from './state.js';
import { hasWrite, pendingValue, postedOf } from './state.js';
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
  /** Are operations of one queue pair, and their completions, in no order? */
  readonly unordered: boolean;
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
  surroundings: Surroundings,
): readonly NicStep[] {
  const steps: NicStep[] = [];
  const { wbR, wbL } = queuePair;
  const mayPass = (later: Write, older: Write): boolean =>
    areOfOne(later, older) || surroundings.mayPass(later, older);
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
    const left = { ...queuePair, wbL: wbL.toSpliced(wbL.indexOf(entry), 1) };
    const after = entry.completes && !isUnderWay(left, entry) ? completed(left, entry) : left;
    steps.push({ rule: 'flush-local', entry, written: entry, after });
  }
  return steps;
}

/** A write of an operation as it comes into `wbR`. All that is older in the stages will have a completion: nothing comes past a remote fence. */
export const pending = (
  write: Pick<Write, 'kind' | 'location' | 'value' | 'atomic' | 'operation'>,
  entry: Packet,
  queuePair: QueuePairState,
  { placed }: Surroundings,
): Write =>
  placed
    ? {
        ...write,
        behind:
          queuePair.wbL.filter((e) => e.kind === 'completion').length +
          completionsOf(olderThan(queuePair, entry), entry),
      }
    : write;

/** How many completions packets will have: those of several words have one, and those of the operation of `entry` none. */
function completionsOf(older: readonly Packet[], entry: Packet): number {
  const signalled = older.map(postedOf).filter((e) => e.unsignalled !== true);
  const wide = new Set(signalled.flatMap(({ operation }) => operation ?? []));
  wide.delete(postedOf(entry).operation!);
  return signalled.filter(({ operation }) => operation === undefined).length + wide.size;
}

/** Are two words of one operation? */
export const areOfOne = (a: Posted, b: Posted): boolean =>
  a.operation !== undefined && a.operation === b.operation;

/** Are other words of an operation on their way to its completion? */
const isUnderWay = ({ stages, wbL }: QueuePairState, one: Posted): boolean =>
  [...stages.flat(), ...wbL].some((e) => areOfOne(e as Posted, one));

/** A queue pair with the completion of an operation, if it has one. */
export const completed = (queuePair: QueuePairState, { unsignalled }: Posted): QueuePairState =>
  unsignalled ? queuePair : { ...queuePair, wbL: [...queuePair.wbL, COMPLETION] };

/** A request comes into the first stage of a queue pair: of several words, each. */
export function withRequest(queuePair: QueuePairState, request: Request | Words): QueuePairState {
  const [first] = queuePair.stages;
  if (request.kind !== 'words') return withStage(queuePair, 0, [...first, request]);
  const { stages, wbR, wbL } = queuePair;
  const used = [...stages.flat(), ...wbR, ...wbL].map((e) => (e as Posted).operation);
  let operation = 0;
  while (used.includes(operation)) operation += 1;
  return withStage(queuePair, 0, [...first, ...request.words.map((w) => ({ ...w, operation }))]);
}

/** A queue pair after the oldest completion is polled; undefined: its data, or data before it, is not in memory yet. */
export function polled(queuePair: QueuePairState, unordered = false): QueuePairState | undefined {
  const { wbR, wbL } = queuePair;
  // Where they are in no order, each completion comes after its own data, and one is as good as another.
  const at = unordered ? wbL.findIndex((e) => e.kind === 'completion') : 0;
  if (wbL.at(at)?.kind !== 'completion' || wbR.some(({ behind }) => behind === 0)) return undefined;
  const left = wbR.map((write) =>
    write.behind === undefined ? write : { ...write, behind: write.behind - 1 },
  );
  return { ...queuePair, wbR: left, wbL: wbL.toSpliced(at, 1) };
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
