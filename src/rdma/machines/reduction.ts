import { instructionsOf } from '../../program/instructions.js';
import type {
  Expression,
  Instruction,
  LocationId,
  Program,
  Target,
} from '../../program/program.js';
import { locationsOf } from '../../program/accessed.js';
import type { Move } from './machine.js';
import type { NicStep } from './queue-pair.js';
import type { QueuePair, MachineState } from './state.js';

/** What a program's text says about its locations, as far as reduction needs it. */
export interface Sharing {
  /** No instruction writes it. */
  readonly constant: ReadonlySet<LocationId>;
  /** One instruction writes it and no other accesses it; nothing reads it. */
  readonly unread: ReadonlySet<LocationId>;
}

/**
 * Is a transition free: can it be taken first, and alone, wherever it is possible?
 *
 * The argument. Let `a` be free in a state `s`. In each case below, (1) every complete run from `s`
 * takes `a` at some time, as the only thing that its thread or its entry can do next; (2) `a` has the
 * same effect whenever it is taken; (3) having taken it early, every other transition is still
 * possible when it was, and does the same. So moving `a` to the front of a run gives a run to the
 * same final state: nothing is lost if `a` is the only transition that is followed. A run that is
 * cut at a loop's bound, or has no value, stays possible in the same way, unless `a` leads its thread
 * to an assumption that fails; then it was no run to begin with.
 *
 * - A thread that computes without a choice: only its own registers change.
 * - `lW` or a request that enters the store buffer, or the queue pair: it is the youngest there,
 *   and no transition of older entries looks at younger ones; its thread has no other step.
 *   Without store buffers, `lW` is a write to memory and free only like those below.
 * - `mfence`: possible, it stays so, since only the thread itself fills its store buffer.
 * - `poll`: it takes the oldest completion, over which writes pass anyway.
 * - A read, by CPU or NIC, of a location that nothing writes: the value is the same at any time. A
 *   put or get that has read stands in the way of no more than it did before.
 * - A request that leaves the store buffer; a packet that goes to the next buffer; a remote fence that
 *   is done; an acknowledgement that becomes a completion: they make way, and nobody waits for
 *   them to stay. Completions hold nobody up.
 * - A put's value that goes to `wbR`: it may make a get's remote read wait, or change what it reads,
 *   but only that of an older get. (A younger one waits for it in the queue.) If no older get has yet
 *   to read, it makes way for younger ones.
 * - A write to memory of a location that nothing reads and no other instruction writes: all its
 *   writes come in program order, whatever the buffer. A write-back buffer that gets shorter
 *   holds fewer reads up.
 * - A get's value that goes to `wbL`: it may make a put's local read wait. Not if its location is
 *   like that: then it is written, by a free transition, as soon as older writes have left `wbL`, and
 *   until then the read had to wait for those.
 */
export function isFree(
  sharing: Sharing,
  buffered: boolean,
  state: MachineState,
  move: Move,
): boolean {
  switch (move.kind) {
    case 'silent':
      return move.choices === 1;
    case 'label':
      switch (move.label.kind) {
        case 'read':
          return sharing.constant.has(move.label.location);
        case 'write':
          return buffered || sharing.unread.has(move.label.location);
        case 'cas':
          return false;
        case 'mfence':
        case 'poll':
        case 'request':
          return true;
      }
    case 'debuffer':
      return move.entry.kind !== 'write' || sharing.unread.has(move.entry.location);
    case 'nic':
      return isFreeNicStep(sharing, state.queuePairs[move.queuePair], move.step);
  }
}

function isFreeNicStep(
  { constant, unread }: Sharing,
  queuePair: QueuePair,
  { rule, entry }: NicStep,
): boolean {
  switch (rule) {
    case 'forward':
    case 'fence':
    case 'complete':
      return true;
    case 'read-local':
    case 'read-remote':
      return 'from' in entry && constant.has(entry.from);
    case 'deliver':
      return !olderThan(queuePair, entry).some((e) => e.kind === 'get');
    case 'return':
    case 'flush-local':
    case 'flush-remote':
      return 'value' in entry && unread.has(entry.location);
  }
}

function olderThan({ stages }: QueuePair, entry: NicStep['entry']) {
  const packets = stages.toReversed().flat();
  return packets.slice(
    0,
    packets.findIndex((e) => e === entry),
  );
}

export function sharingOf(program: Program): Sharing {
  const accesses = program.locations.map(() => ({ reads: 0, writes: 0 }));
  const read = (e: Expression): void => locationsOf(e).forEach((l) => accesses[l].reads++);
  const write = (t: Target): void => {
    if (t.kind === 'location') accesses[t.location].writes++;
  };
  const visit = (i: Instruction): void => {
    switch (i.kind) {
      case 'assign':
        read(i.value);
        return write(i.target);
      case 'get':
      case 'put':
        accesses[i.from].reads++;
        accesses[i.to].writes++;
        return;
      case 'cas':
        accesses[i.location].reads++;
        accesses[i.location].writes++;
        return write(i.target);
      case 'assume':
      case 'if':
        return read(i.condition);
      case 'loop':
        if (i.condition !== undefined) read(i.condition);
        return;
      case 'mfence':
      case 'poll':
      case 'rfence':
      case 'wait':
      case 'choose':
        return;
    }
  };
  for (const thread of program.threads) {
    for (const i of instructionsOf(thread.body)) visit(i);
  }
  const where = (test: (a: (typeof accesses)[number]) => boolean): ReadonlySet<LocationId> =>
    new Set(accesses.flatMap((a, location) => (test(a) ? [location] : [])));
  return {
    constant: where(({ writes }) => writes === 0),
    unread: where(({ reads, writes }) => reads === 0 && writes === 1),
  };
}
