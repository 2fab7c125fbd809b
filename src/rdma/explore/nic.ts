import type { LocationId } from '../../program/program.js';
import { written } from '../update.js';
import type { Buffer, Layout, Request } from './layout.js';
import type { Slot } from './op.js';
import type { Step } from './step.js';

/** What is in a pipe: the kinds of entries that a request becomes one after the other. */
const enum Packet {
  Put,
  Get,
  Atomic,
  Fence,
  /** A put that has read its value. */
  Sent,
  /** A get that has its value, or the answer of an atomic. */
  Fetched,
  /** An answer that waits for the write of its atomic. */
  Held,
  /** The acknowledgement of a put. */
  Ack,
}

/** Does an entry of a pipe name its request, and not a location and a value? */
export const namesRequest = (packet: number): boolean =>
  packet === Packet.Put ||
  packet === Packet.Get ||
  packet === Packet.Atomic ||
  packet === Packet.Fence;

/** Does an entry of a pipe name nothing? */
export const isAcknowledgement = (packet: number): boolean => packet === Packet.Ack;

/** What a request is in the pipe at first. */
const ENTERS: Readonly<Record<Request['kind'], Packet>> = {
  put: Packet.Put,
  get: Packet.Get,
  atomic: Packet.Atomic,
  rfence: Packet.Fence,
};

/** What the queue pairs see of the machine that they are in. */
export interface Surroundings {
  readonly s: Int32Array;
  readonly layout: Layout;
  readonly told: Step[] | undefined;
  waitForRoom(name: string): void;
  push(buffer: Buffer, a: number, b: number, c: number, d?: number): boolean;
  remove(buffer: Buffer, index: number): void;
  store(location: LocationId, value: number): void;
  pendingWrite(t: number, location: LocationId): Slot;
  checked(value: number, slot: Slot): number;
}

/** What the queue pairs can do: the rules of `rdma/machines/simplified.ts`. */
export interface Nic {
  isAtomic(packet: number): boolean;
  /** A request enters its queue pair; false if there is no room. */
  enter(q: number, request: number, a: number, b: number): boolean;
  /** The entry of a pipe moves on. */
  pipe(q: number, index: number, own: boolean): boolean;
  flushRemote(q: number, own: boolean): boolean;
  flushLocal(q: number, own: boolean): boolean;
  /** Takes what can be taken at once; whether there was something. */
  free(q: number): boolean;
  /** Takes a completion; false if there is none. */
  poll(q: number): boolean;
  /** Is nothing on its way for a thread, but completions? */
  isIdle(t: number): boolean;
  /** Will an answer that is on its way for a thread be written to a location of its own? */
  mayWrite(t: number, location: LocationId): boolean;
  /** Will a put that is on its way read its value there? */
  mayRead(t: number, location: LocationId): boolean;
}

/** `wbL` entries: 0 for a completion, the location and 1 for a write. `wbR`: twice the location, and 1 for an atomic's. */
const COMPLETION = 0;

export function nicSteps(machine: Surroundings): Nic {
  const { s, layout } = machine;
  const { pipes, wbR, wbL, queuePairs, requests, sharing, memory, hardware, codes } = layout;
  const { constant, ignored, owner } = sharing;
  const { pcie, atomics } = hardware;
  const { locations } = layout.program;
  const nodes = locations.map((l) => layout.program.nodes.indexOf(l.node));
  const unitOf = (l: LocationId): number => (atomics === 'loclock' ? l : nodes[l]);
  const mine = codes.map((_, t) =>
    [...queuePairs.keys()].filter((q) => queuePairs[q].thread === t),
  );
  const PIPE = 4;
  const BACK = 2;

  const isBusy = (location: LocationId): boolean => {
    const unit = unitOf(location);
    for (const { at } of wbR) {
      for (let i = 0; i < s[at]; i++) {
        const entry = s[at + 1 + i * BACK];
        if ((entry & 1) === 1 && unitOf(entry >> 1) === unit) return true;
      }
    }
    return false;
  };

  const hasWrite = (at: number): boolean => {
    for (let i = 0; i < s[at]; i++) if (s[at + 1 + i * BACK] !== COMPLETION) return true;
    return false;
  };

  /** What the NIC reads past a write-back buffer: false if it has to wait; the value is in `found`. */
  let found = 0;
  const readPast = (
    location: LocationId,
    at: number,
    shift: 'R' | 'L',
    waits: boolean,
  ): boolean => {
    found = s[memory + location];
    if (waits) return !(shift === 'R' ? s[at] > 0 : hasWrite(at));
    for (let i = s[at] - 1; i >= 0; i--) {
      const entry = at + 1 + i * BACK;
      const of = shift === 'R' ? s[entry] >> 1 : s[entry] - 1;
      if (of === location) {
        found = s[entry + 1];
        break;
      }
    }
    return true;
  };

  /** Are all entries before one among those that it may overtake? One bit for each kind. */
  const overtakes = (at: number, index: number, kinds: number): boolean => {
    for (let i = 0; i < index; i++) {
      if ((kinds & (1 << s[at + 1 + i * PIPE])) === 0) return false;
    }
    return true;
  };
  const ALL = 0xff;
  const but = (...kinds: readonly Packet[]): number =>
    kinds.reduce((all, kind) => all & ~(1 << kind), ALL);
  const READS_PAST = but(Packet.Put, Packet.Fence);
  const PAST = READS_PAST & but(Packet.Sent) & (atomics === 'out' ? ALL : but(Packet.Atomic));
  const PERFORMED_PAST = PAST & (atomics === 'getfirst' ? but(Packet.Get) : ALL);
  const KEEPS_NONE_BACK = but(Packet.Get, Packet.Atomic);

  /** Does a thread wait for the next completion of a queue pair, which is not there yet? */
  const isWaiting = (t: number, q: number): boolean => {
    if (hardware.sequential === true) return true;
    const op = codes[t].ops[s[t]];
    if (op?.kind !== 'poll' || op.queuePair !== q) return false;
    const { at } = wbL[q];
    return s[at] === 0 || s[at + 1] !== COMPLETION;
  };

  const become = (entry: number, kind: Packet, location: LocationId, value: number): void => {
    s[entry] = kind;
    s[entry + 1] = location;
    s[entry + 2] = value;
    s[entry + 3] = 0;
  };

  const mayWrite = (t: number, location: LocationId): boolean => {
    const { at: buffer, width } = layout.storeBuffers[t];
    for (let i = 0; i < s[buffer]; i++) {
      const code = s[buffer + 1 + i * width];
      if ((code & 1) === 0) continue;
      const { kind, to } = requests[Math.trunc((code >> 1) / queuePairs.length)];
      if (kind !== 'put' && kind !== 'rfence' && to === location) return true;
    }
    for (const q of mine[t]) {
      const { at } = pipes[q];
      for (let i = 0; i < s[at]; i++) {
        const entry = at + 1 + i * PIPE;
        const kind = s[entry] as Packet;
        if (kind === Packet.Get || kind === Packet.Atomic) {
          if (requests[s[entry + 1]].to === location) return true;
        } else if (kind === Packet.Fetched || kind === Packet.Held) {
          if (s[entry + 1] === location) return true;
        }
      }
      const back = wbL[q].at;
      for (let i = 0; i < s[back]; i++) if (s[back + 1 + i * BACK] === location + 1) return true;
    }
    return false;
  };

  const mayRead = (t: number, location: LocationId): boolean => {
    const { at: buffer, width } = layout.storeBuffers[t];
    for (let i = 0; i < s[buffer]; i++) {
      const code = s[buffer + 1 + i * width];
      if ((code & 1) === 0) continue;
      const { kind, from } = requests[Math.trunc((code >> 1) / queuePairs.length)];
      if (kind === 'put' && from === location) return true;
    }
    for (const q of mine[t]) {
      const { at } = pipes[q];
      for (let i = 0; i < s[at]; i++) {
        const entry = at + 1 + i * PIPE;
        if (s[entry] === Packet.Put && requests[s[entry + 1]].from === location) return true;
      }
    }
    return false;
  };

  /** Can the read of a put's source be taken at once: does it find the same at any later time? */
  const readsTheSame = (t: number, q: number, index: number, from: LocationId): boolean =>
    constant[from] ||
    (owner[from] === t &&
      index === 0 &&
      isWaiting(t, q) &&
      machine.pendingWrite(t, from) < 0 &&
      !mayWrite(t, from));

  const tellMove = (
    kind: 'read-local' | 'deliver' | 'read-remote',
    queuePair: number,
    index: number,
    location: LocationId,
    value: number,
  ): void => void machine.told?.push({ kind, queuePair, index, location, value });

  const pipe = (q: number, index: number, own: boolean): boolean => {
    const { at } = pipes[q];
    const { thread } = queuePairs[q];
    const entry = at + 1 + index * PIPE;
    switch (s[entry] as Packet) {
      case Packet.Fence:
        if (index > 0) return false;
        machine.remove(pipes[q], 0);
        machine.told?.push({ kind: 'rfence', queuePair: q });
        return true;
      case Packet.Put: {
        const { from, to } = requests[s[entry + 1]];
        if (!overtakes(at, index, READS_PAST)) return false;
        if (!readPast(from, wbL[q].at, 'L', pcie)) return false;
        if (!own && !readsTheSame(thread, q, index, from)) return false;
        tellMove('read-local', q, index, from, found);
        become(entry, Packet.Sent, to, found);
        return true;
      }
      case Packet.Sent: {
        if (!overtakes(at, index, PAST)) return false;
        if (!own && !overtakes(at, index, KEEPS_NONE_BACK)) return false;
        const [location, value] = [s[entry + 1], s[entry + 2]];
        if (!machine.push(wbR[q], 2 * location, value, 0)) return false;
        tellMove('deliver', q, index, location, value);
        become(entry, Packet.Ack, 0, 0);
        return true;
      }
      case Packet.Ack:
        if (index > 0) return false;
        if (queuePairs[q].polled && !machine.push(wbL[q], COMPLETION, 0, 0)) return false;
        machine.remove(pipes[q], 0);
        machine.told?.push({ kind: 'acknowledge', queuePair: q });
        return true;
      case Packet.Get: {
        const { from, to } = requests[s[entry + 1]];
        if (!own && !constant[from]) return false;
        if (!overtakes(at, index, PAST) || !readPast(from, wbR[q].at, 'R', pcie)) return false;
        tellMove('read-remote', q, index, from, found);
        become(entry, Packet.Fetched, to, found);
        return true;
      }
      case Packet.Atomic:
        return own && overtakes(at, index, PERFORMED_PAST) && perform(q, index, entry);
      case Packet.Held:
        return false;
      case Packet.Fetched: {
        if (index > 0) return false;
        const [location, value] = [s[entry + 1], s[entry + 2]];
        const free =
          ignored[location] ||
          (owner[location] === thread && isWaiting(thread, q) && !mayRead(thread, location));
        if (!own && !free) return false;
        if (s[wbL[q].at] + 2 > layout.room) {
          machine.waitForRoom(wbL[q].name);
          return false;
        }
        machine.push(wbL[q], location + 1, value, 0);
        if (queuePairs[q].polled) machine.push(wbL[q], COMPLETION, 0, 0);
        machine.remove(pipes[q], 0);
        machine.told?.push({ kind: 'answer', queuePair: q });
        return true;
      }
    }
  };

  const perform = (q: number, index: number, entry: number): boolean => {
    const { update, from, to } = requests[s[entry + 1]];
    const atOnce = atomics === 'glob';
    if (!atOnce && isBusy(from)) return false;
    if (!readPast(from, wbR[q].at, 'R', pcie || atOnce)) return false;
    const old = found;
    const succeeding = written(update!, old, s[entry + 2], s[entry + 3]);
    const value = succeeding ?? (atomics === 'failwrite' ? old : undefined);
    if (value !== undefined) {
      machine.checked(value, memory + from);
      if (atOnce) machine.store(from, value);
      else if (!machine.push(wbR[q], 2 * from + 1, value, 0)) return false;
    }
    machine.told?.push({
      ...{ kind: 'perform', queuePair: q, index, update: update!, location: from },
      ...{ found: old, value },
    });
    const held = atomics === 'late' && value !== undefined && !atOnce;
    become(entry, held ? Packet.Held : Packet.Fetched, to, old);
    return true;
  };

  const flushRemote = (q: number, own: boolean): boolean => {
    const { at } = wbR[q];
    if (s[at] === 0) return false;
    const [code, value] = [s[at + 1], s[at + 2]];
    const location = code >> 1;
    if (!own && !ignored[location]) return false;
    machine.store(location, value);
    machine.remove(wbR[q], 0);
    if ((code & 1) === 1) release(q);
    machine.told?.push({ kind: 'flush-remote', queuePair: q, location, value });
    return true;
  };

  /** Answers no longer wait for a write. */
  const release = (q: number): void => {
    const { at } = pipes[q];
    for (let i = 0; i < s[at]; i++) {
      const entry = at + 1 + i * PIPE;
      if (s[entry] === Packet.Held) s[entry] = Packet.Fetched;
    }
  };

  const flushLocal = (q: number, own: boolean): boolean => {
    const { at } = wbL[q];
    const { thread } = queuePairs[q];
    for (let i = 0; i < s[at]; i++) {
      const entry = at + 1 + i * BACK;
      if (s[entry] === COMPLETION) continue;
      const [location, value] = [s[entry] - 1, s[entry + 1]];
      const free =
        ignored[location] ||
        (owner[location] === thread && isWaiting(thread, q) && !mayRead(thread, location));
      if (!own && !free) return false;
      machine.store(location, value);
      machine.remove(wbL[q], i);
      machine.told?.push({ kind: 'flush-local', queuePair: q, location, value });
      return true;
    }
    return false;
  };

  return {
    isAtomic: (packet) => packet === Packet.Atomic,
    enter: (q, request, a, b) =>
      machine.push(pipes[q], ENTERS[requests[request].kind], request, a, b),
    pipe,
    flushRemote,
    flushLocal,
    free(q) {
      let any = false;
      for (let moved = true; moved;) {
        moved = false;
        for (let i = 0; i < s[pipes[q].at]; i++) moved = pipe(q, i, false) || moved;
        moved = flushRemote(q, false) || moved;
        moved = flushLocal(q, false) || moved;
        any ||= moved;
      }
      return any;
    },
    poll(q) {
      const { at } = wbL[q];
      if (s[at] === 0 || s[at + 1] !== COMPLETION) return false;
      machine.remove(wbL[q], 0);
      return true;
    },
    isIdle: (t) =>
      mine[t].every((q) => s[pipes[q].at] === 0 && s[wbR[q].at] === 0 && !hasWrite(wbL[q].at)),
    mayWrite,
    mayRead,
  };
}
