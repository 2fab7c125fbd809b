import type { LocationId } from '../../program/program.js';
import type { Update } from '../update.js';
import { operandsOfUpdate } from '../update.js';

/**
 * The configurations of the operational semantics (TSO paper, Figs. 5, 7, 19, 20): threads, one
 * memory, a store buffer for each thread, a queue pair for each thread and remote node.
 *
 * Buffers are lists with the oldest entry first. The paper writes them the other way round: new entries are added on
 * the left there, and at the end here.
 */
export interface MachineState {
  readonly threads: readonly ThreadState[];
  /** By location. */
  readonly memory: readonly number[];
  /** By thread. */
  readonly storeBuffers: readonly (readonly (Write | Request | Words)[])[];
  readonly queuePairs: readonly QueuePairState[];
}

/** The state of a thread: all that decides what it does next. */
export interface ThreadState {
  /** Index into its code. */
  readonly at: number;
  /** Its registers, and the counters of its loops. */
  readonly registers: readonly number[];
  /** What the current instruction has read so far, in order. */
  readonly reads: readonly number[];
}

/** `x := v` on its way to the memory: in a store buffer, `wbL` or `wbR`. */
export interface Write {
  readonly kind: 'write';
  readonly location: LocationId;
  readonly value: number;
  /** In `wbR`: a remote atomic writes it, and the atomic unit of the node is busy until it is in memory. */
  readonly atomic?: true;
  /** In `wbR`, where completions wait for data: how many unpolled completions are older than that of its operation. */
  readonly behind?: number;
  /** One of several words: their operation, as in the stages before. Words of one operation are in no order. */
  readonly operation?: number;
  /** In `wbL`, where completions are in no order: its operation is completed when it is in memory. */
  readonly completes?: true;
}

/** A remote operation as it is issued: `y^n := x`, `x := y^n`, `x := rfaa(y^n, 1)`, `rfence n`. */
export type Request =
  | Transfer
  | Atomic
  | { readonly kind: 'rfence'; readonly queuePair: QueuePairId };

/** A put or get of several words as it is issued. Each word goes its own way from the queue pair on. */
export interface Words {
  readonly kind: 'words';
  readonly words: readonly Transfer[];
  readonly queuePair: QueuePairId;
}

/** What is the same about an operation in all of its stages. */
export interface Posted {
  /** Whether it has no completion. */
  readonly unsignalled?: true;
  /** Of several words: which operation of the queue pair they are of. Two that are under way have different numbers. */
  readonly operation?: number;
}

export interface Transfer extends Posted {
  readonly kind: 'put' | 'get';
  readonly from: LocationId;
  readonly to: LocationId;
  readonly queuePair: QueuePairId;
}

export interface Atomic extends Posted {
  readonly kind: 'atomic';
  readonly location: LocationId;
  readonly update: Update;
  /** Where the old value goes. */
  readonly into: LocationId;
  readonly queuePair: QueuePairId;
}

/** Index into `MachineState.queuePairs`. */
export type QueuePairId = number;

/** An operation on its way from its request to its completion. */
export type Packet =
  | Request
  /**
   * `sent`: a put that has read its value. `fetched`: a get that has, or the response of an atomic. `held`: a
   * response that waits for the write of its atomic.
   */
  | ({
      readonly kind: 'sent' | 'fetched' | 'held';
      readonly location: LocationId;
      readonly value: number;
    } & Posted)
  /** The acknowledgement of a put. */
  | ({ readonly kind: 'ack' } & Posted);

/** The part of a packet that all of its stages have. */
export function postedOf(packet: Packet): Posted {
  if (packet.kind === 'rfence') return {};
  const { unsignalled, operation } = packet;
  return {
    ...(unsignalled && { unsignalled }),
    ...(operation !== undefined && { operation }),
  };
}

/** A completion notification, `cn`. */
export interface CompletionNotice {
  readonly kind: 'completion';
}

export interface QueuePairState {
  /**
   * The buffers that an operation passes through, in this order: `pipe` alone in the simplified
   * semantics; `reqL`, `inR`, `outR`, `rspL` in the concrete one.
   */
  readonly stages: readonly (readonly Packet[])[];
  /** Remote writes that are pending, in the PCIe fabric of the remote node. */
  readonly wbR: readonly Write[];
  /** Local writes that are pending, and completions that are not polled yet. */
  readonly wbL: readonly (Write | CompletionNotice)[];
}

export type BufferEntry = Packet | Write | CompletionNotice | Words;

/** The value of the youngest write to a location in a buffer; undefined if there is none. In the paper: `M <| buffer`. */
export function pendingValue(
  buffer: readonly BufferEntry[],
  location: LocationId,
): number | undefined {
  const found = buffer.findLast((e) => e.kind === 'write' && e.location === location);
  return found?.kind === 'write' ? found.value : undefined;
}

export function hasWrite(buffer: readonly BufferEntry[]): boolean {
  return buffer.some((e) => e.kind === 'write');
}

/** A string for each state of one program. Two states have the same one exactly if they are equal. */
export function stateKey({ threads, memory, storeBuffers, queuePairs }: MachineState): string {
  const numbers: (number | string)[] = [...memory];
  for (const t of threads) {
    numbers.push(t.at, ...t.registers, t.reads.length, ...t.reads);
  }
  const buffer = (entries: readonly BufferEntry[]): void => {
    numbers.push(entries.length);
    for (const e of entries) {
      numbers.push(e.kind);
      if ('unsignalled' in e) numbers.push('unsignalled');
      if ('operation' in e && e.operation !== undefined) numbers.push('of', e.operation);
      switch (e.kind) {
        case 'write':
          if (e.atomic) numbers.push('atomic');
          if (e.behind !== undefined) numbers.push('behind', e.behind);
          if (e.completes) numbers.push('completes');
          numbers.push(e.location, e.value);
          break;
        case 'sent':
        case 'fetched':
        case 'held':
          numbers.push(e.location, e.value);
          break;
        case 'atomic': {
          const { update } = e;
          numbers.push(e.location, e.into, e.queuePair, update.kind);
          numbers.push(...operandsOfUpdate(update));
          break;
        }
        case 'put':
        case 'get':
          numbers.push(e.from, e.to, e.queuePair);
          break;
        case 'words':
          numbers.push(e.queuePair);
          buffer(e.words);
          break;
        case 'rfence':
          numbers.push(e.queuePair);
          break;
        case 'ack':
        case 'completion':
          break;
      }
    }
  };
  storeBuffers.forEach(buffer);
  for (const { stages, wbR, wbL } of queuePairs) {
    stages.forEach(buffer);
    buffer(wbR);
    buffer(wbL);
  }
  return numbers.join();
}
