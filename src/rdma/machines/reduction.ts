import { accessesOf } from '../accesses.js';
import { plainViewsOf } from './requests.js';
import type { LocationId, Program } from '../../program/program.js';
import type { Hardware } from './hardware.js';
import type { MachineMove } from './machine.js';
import type { NicStep } from './queue-pair.js';
import { olderThan } from './queue-pair.js';
import type { QueuePairState, MachineState } from './state.js';

/** Locations that few instructions access, by the text of the program. */
export interface Sharing {
  /** No instruction writes these. */
  readonly constant: ReadonlySet<LocationId>;
  /** One instruction writes each of these, and none reads it. */
  readonly unread: ReadonlySet<LocationId>;
}

/**
 * Is a transition free? A free transition can be taken at once, and the others need not be tried in its place.
 *
 * The argument: let `a` be free in a state `s`. Then, in each case below,
 * 1. every complete run from `s` takes `a` at some time, since its thread or entry can do nothing else next;
 * 2. `a` has the same effect whenever it is taken;
 * 3. after `a`, every other transition is possible whenever it was before, and has the same effect.
 *
 * So if `a` is moved to the front of a run, this is a run to the same final state. Nothing is lost if only `a` is
 * followed. The same is true of runs that are given up at a loop bound or at an undefined value, unless `a` leads its
 * thread to an assumption that fails. In that case there is no such run.
 *
 * The cases:
 * - A thread computes, and has no choice: only its own registers change.
 * - `lW` or a request enters the store buffer or the queue pair. It is the youngest entry there, and transitions of
 *   older entries do not depend on younger ones. Its thread has no other transition. (Without store buffers, `lW` is
 *   a write to memory: see below.)
 * - `mfence`: once it is possible, it stays possible, since only the thread itself fills its store buffer.
 * - `poll`: it takes the oldest completion. Writes overtake completions, so that nothing waits for it.
 * - The CPU or a NIC reads a location that nothing writes: the value is the same at any time. A put or get that has
 *   read keeps back no more than it did before.
 * - A request leaves the store buffer, a packet moves to the next buffer, a remote fence is done, or an
 *   acknowledgement becomes a completion. Each of these only lets others go on. Nothing waits for a buffer to be
 *   filled, and completions keep nothing back.
 * - The value of a put goes to `wbR`. Then the remote read of an older get may have to wait, or may read another
 *   value. (A younger get is behind the put anyway.) So this is free if no older get still has to read. The same is
 *   true of older atomics, where puts overtake them. The write of an older one is ahead of the put in `wbR`. Where operations
 *   are in no order, younger gets may have to wait as well, and it is not free.
 * - A write reaches the memory, and its location is only written by this instruction, and never read. All its writes
 *   are in program order in any buffer. A shorter write-back buffer keeps back fewer reads. Under relaxed ordering they
 *   need not reach the memory in that order, so that this is not free.
 * - The value of a get goes to `wbL`. Then the local read of a put may have to wait. This is free if the location is
 *   only written by this instruction, and never read: then the value is written to memory, by a free transition, as soon
 *   as older writes have left `wbL`, and until then the read had to wait for those writes.
 *
 * To perform a remote atomic is not free: it reads what others write, and its write keeps other atomics of the node back.
 * That its write reaches the memory is not free: the location is read. The response is free where the value of a get is.
 */
export function isFree(
  sharing: Sharing,
  hardware: Hardware,
  state: MachineState,
  move: MachineMove,
): boolean {
  switch (move.kind) {
    case 'silent':
      return move.choices === 1;
    case 'label':
      switch (move.label.kind) {
        case 'read':
          return sharing.constant.has(move.label.location);
        case 'write':
          return hardware.storeBuffers || sharing.unread.has(move.label.location);
        case 'update':
          return false;
        case 'mfence':
        case 'poll':
        case 'request':
          return true;
      }
    case 'debuffer':
      return move.entry.kind !== 'write' || sharing.unread.has(move.entry.location);
    case 'nic':
      return isFreeNicStep(sharing, state.queuePairs[move.queuePair], move.step, hardware);
  }
}

function isFreeNicStep(
  { constant, unread }: Sharing,
  queuePair: QueuePairState,
  { rule, entry }: NicStep,
  { relaxed, unordered }: Hardware,
): boolean {
  const isRelaxed = relaxed !== undefined || unordered === true;
  switch (rule) {
    case 'forward':
    case 'fence':
    case 'complete':
      return true;
    case 'read-local':
    case 'read-remote':
      return 'from' in entry && constant.has(entry.from);
    case 'deliver':
      if (unordered) return false;
      return !olderThan(queuePair, entry).some((e) => e.kind === 'get' || e.kind === 'atomic');
    case 'perform':
      return false;
    case 'return':
    case 'flush-local':
    case 'flush-remote':
      return !isRelaxed && 'value' in entry && unread.has(entry.location);
  }
}

export function sharingOf(program: Program): Sharing {
  const accesses = program.locations.map(() => ({ reads: 0, writes: 0 }));
  for (const { body } of program.threads) {
    for (const i of plainViewsOf(body)) {
      for (const { location, kind } of accessesOf(i)) accesses[location][kind]++;
    }
  }
  const where = (test: (a: (typeof accesses)[number]) => boolean): ReadonlySet<LocationId> =>
    new Set(accesses.flatMap((a, location) => (test(a) ? [location] : [])));
  return {
    constant: where(({ writes }) => writes === 0),
    unread: where(({ reads, writes }) => reads === 0 && writes === 1),
  };
}
