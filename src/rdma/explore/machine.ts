import type { LocationId } from '../../program/program.js';
import { written } from '../update.js';
import type { Buffer, Layout } from './layout.js';
import type { Op, Slot } from './op.js';
import { Undefined, isAtRest } from './op.js';
import { nicSteps } from './nic.js';
import type { Nic } from './nic.js';
import type { Mirror } from './mirror.js';
import type { Step } from './step.js';

/** Who takes a step: for each, fairness is a promise of its own. */
export interface Actors {
  readonly count: number;
  /** Who need not take a step, ever: a thread before an iteration that it may leave out. */
  readonly idle: number;
  /** A thread. */
  thread(t: number): number;
  /** The store buffer of a thread. */
  storeBuffer(t: number): number;
  /** The pipe of a queue pair, but for the performing of atomics: that is `perform`. */
  pipe(q: number): number;
  perform(q: number): number;
  isPerforming(actor: number): boolean;
  wbR(q: number): number;
  wbL(q: number): number;
}

export function actorsOf({ codes, queuePairs }: Layout): Actors {
  const threads = codes.length;
  const of = (q: number, k: number): number => 2 * threads + 4 * q + k;
  return {
    count: 2 * threads + 4 * queuePairs.length + 1,
    idle: 2 * threads + 4 * queuePairs.length,
    thread: (t) => t,
    storeBuffer: (t) => threads + t,
    pipe: (q) => of(q, 0),
    perform: (q) => of(q, 1),
    isPerforming: (actor) => actor >= of(0, 0) && (actor - of(0, 0)) % 4 === 1,
    wbR: (q) => of(q, 2),
    wbL: (q) => of(q, 3),
  };
}

/**
 * One state that moves: the transitions of `rdma/machines` with one buffer a queue pair, on a vector of numbers.
 *
 * What can be taken first and alone is taken at once, thread by thread (`settle`): see docs/locks.md. It comes to an
 * end by itself, since each loop of a thread has a step that is not taken so.
 */
export class Machine {
  /** The state that moves. */
  readonly s: Int32Array;
  /** Which buffers have been full, so that something had to wait for room, by name. */
  readonly full = new Set<string>();
  /** Whether something had to wait for room since `begin`. */
  private waits = false;
  /** Whether an assumption failed since `begin`: there is no such run. */
  discarded = false;
  /** Whether an assertion failed since `begin`. */
  failed = false;
  /** Whether a thread has passed a mark or come to an end since `begin`. */
  passed = false;
  /** What has been done since `begin`, if somebody wants to know. */
  told: Step[] | undefined;
  /** Compares the steps of symmetric threads, if there are some. */
  mirror: Mirror | undefined;
  private readonly nic: Nic;
  private readonly pairs: readonly (readonly number[])[];

  constructor(readonly layout: Layout) {
    this.s = new Int32Array(layout.size);
    const { codes, queuePairs } = layout;
    this.pairs = codes.map((_, t) =>
      [...queuePairs.keys()].filter((q) => queuePairs[q].thread === t),
    );
    this.nic = nicSteps(this);
  }

  /** The first state. */
  reset(): void {
    const { s } = this;
    const { program, memory, ghosts, sharing } = this.layout;
    s.fill(0);
    program.locations.forEach(({ initial }, l) => {
      if (!sharing.ignored[l]) s[memory + l] = initial;
    });
    program.ghosts?.forEach(({ initial }, g) => (s[ghosts[g]] = initial));
    this.begin();
    this.mirror?.start(s);
    for (const t of this.layout.codes.keys()) this.settle(t);
  }

  begin(): void {
    this.waits = false;
    this.discarded = false;
    this.failed = false;
    this.passed = false;
    if (this.told !== undefined) this.told.length = 0;
  }

  /**
   * Takes each step that is possible in a state and is a step of its own, with all that comes of it at once.
   *
   * @param from the state
   * @param visit hears of each step when `s` is the state after it: its actor
   * @returns whether a step is only impossible because a buffer is full
   */
  successors(from: Int32Array, actors: Actors, visit: (actor: number) => void): boolean {
    const { s, layout } = this;
    let waits = false;
    const { codes, pipes } = layout;
    const tried = (done: boolean, t: number, actor: number): void => {
      if (!done) {
        waits ||= this.waits;
        return;
      }
      this.settle(t);
      if (!this.discarded) visit(actor);
    };
    const restart = (): void => {
      s.set(from);
      this.begin();
    };
    for (let t = 0; t < codes.length; t++) {
      const op = codes[t].ops[from[t]];
      const ways = op === undefined ? 0 : op.kind === 'choose' ? op.targets.length : 1;
      for (let way = 0; way < ways; way++) {
        restart();
        tried(this.moment(t, way), t, op.kind === 'rest' ? actors.idle : actors.thread(t));
      }
      if (from[layout.storeBuffers[t].at] > 0) {
        restart();
        tried(this.storeBuffer(t, true), t, actors.storeBuffer(t));
      }
      for (const q of this.pairs[t]) {
        const { at, width } = pipes[q];
        const length = from[at];
        for (let i = 0; i < length; i++) {
          const performs = this.nic.isAtomic(from[at + 1 + i * width]);
          restart();
          const actor = performs ? actors.perform(q) : actors.pipe(q);
          tried(this.nic.pipe(q, i, true), t, actor);
        }
        if (from[layout.wbR[q].at] > 0) {
          restart();
          tried(this.nic.flushRemote(q, true), t, actors.wbR(q));
        }
        if (from[layout.wbL[q].at] > 0) {
          restart();
          tried(this.nic.flushLocal(q, true), t, actors.wbL(q));
        }
      }
    }
    return waits;
  }

  /** The next step of a thread, with the ghosts that change in the same moment. */
  private moment(t: number, way: number): boolean {
    const until = this.layout.codes[t].ops[this.s[t]]?.until ?? 0;
    if (!this.thread(t, true, way)) return false;
    // Where instructions are done one by one, their ghosts change when they are done.
    let moved = true;
    while (moved && this.s[t] < until && !this.discarded) moved = this.thread(t, true, 0);
    return true;
  }

  /** Takes all that a thread, its store buffer and its queue pairs can do at once. */
  settle(t: number): void {
    if (!this.layout.reduce) return;
    const pairs = this.pairs[t];
    for (let moved = true; moved && !this.discarded;) {
      moved = false;
      while (this.thread(t, false, 0)) {
        moved = true;
        if (this.discarded) return;
      }
      while (this.storeBuffer(t, false)) moved = true;
      for (const q of pairs) if (this.nic.free(q)) moved = true;
    }
    this.forget(t);
  }

  /** What nobody needs any more is 0, so that states that differ in nothing else are one. */
  private forget(t: number): void {
    const { s, layout } = this;
    for (const slot of layout.dead[t][s[t]]) {
      if (s[slot] !== 0 && (slot < layout.memory || !this.isRead(t, slot))) s[slot] = 0;
    }
  }

  private isRead(t: number, slot: Slot): boolean {
    const location = slot - this.layout.memory;
    return location < this.layout.program.locations.length && this.nic.mayRead(t, location);
  }

  /**
   * The next step of a thread.
   *
   * @param own whether it may be a step of its own
   * @returns whether it is done
   */
  private thread(t: number, own: boolean, way: number): boolean {
    const { s, layout } = this;
    const at = s[t];
    const op = layout.codes[t].ops[at];
    if (op === undefined || (op.visible && !own)) return false;
    if (layout.hardware.sequential === true && !this.nic.isIdle(t)) return false;
    this.mirror?.compare(t, at, s);
    switch (op.kind) {
      case 'goto':
      case 'rest':
      case 'choose':
        return this.jump(t, op.targets[way]);
      case 'unless':
        return this.jump(t, op.value(s) === 0 ? op.targets[0] : at + 1);
      case 'set':
        s[op.slot] = this.checked(op.value(s), op.slot);
        this.told?.push({ kind: 'set', thread: t, slot: op.slot, value: s[op.slot] });
        break;
      case 'assume':
        if (op.value(s) === 0) this.discarded = true;
        break;
      case 'assert':
        if (op.value(s) === 0) {
          this.failed = true;
          this.told?.push({ kind: 'assertion', thread: t });
        }
        break;
      case 'pass':
        for (const [slot, value] of op.passing) s[slot] = value;
        this.passed = true;
        this.told?.push({ kind: 'pass', thread: t, mark: op.leaves });
        break;
      case 'stop':
        this.told?.push({ kind: 'leave', thread: t, mark: op.leaves });
        break;
      case 'read':
        if (!this.read(t, op, own)) return false;
        break;
      case 'write':
        if (!this.write(t, op, own)) return false;
        break;
      case 'update':
        if (!own || !this.update(t, op)) return false;
        break;
      case 'mfence':
        if (s[layout.storeBuffers[t].at] > 0) return false;
        this.told?.push({ kind: 'mfence', thread: t });
        break;
      case 'poll':
        if (!this.nic.poll(op.queuePair)) return false;
        this.told?.push({ kind: 'poll', thread: t, queuePair: op.queuePair });
        break;
      case 'request':
        if (!this.request(t, op)) return false;
        break;
    }
    return this.jump(t, at + 1);
  }

  private jump(t: number, to: number): true {
    this.mirror?.follow(t, this.s[t], to, this.s);
    this.s[t] = to;
    if (isAtRest(this.layout.codes[t].ops[to])) this.passed = true;
    return true;
  }

  private read(t: number, { location, slot }: Op, own: boolean): boolean {
    const { s, layout } = this;
    const { constant, owner } = layout.sharing;
    const pending = this.pendingWrite(t, location);
    const free = constant[location] || (owner[location] === t && !this.nic.mayWrite(t, location));
    if (!free && !own) return false;
    s[slot] = pending >= 0 ? s[pending] : s[layout.memory + location];
    const value = s[slot];
    this.told?.push({ kind: 'read', thread: t, location, value, buffered: pending >= 0 });
    return true;
  }

  private write(t: number, { location, value }: Op, own: boolean): boolean {
    const { s, layout } = this;
    const given = this.checked(value(s), layout.memory + location);
    if (layout.hardware.storeBuffers) {
      if (!this.push(layout.storeBuffers[t], 2 * location, given, 0)) return false;
    } else {
      if (!own && !this.isUnseen(t, location)) return false;
      this.store(location, given);
    }
    this.told?.push({ kind: 'write', thread: t, location, value: given });
    return true;
  }

  private update(t: number, { location, slot, value: first, desired, update }: Op): boolean {
    const { s, layout } = this;
    if (s[layout.storeBuffers[t].at] > 0) return false;
    const found = s[layout.memory + location];
    const given = first(s);
    const value = written(update, found, given, desired(s));
    if (value !== undefined) this.store(location, this.checked(value, layout.memory + location));
    s[slot] = found;
    this.told?.push({
      ...{ kind: 'update', thread: t, update, location, found },
      ...{ expected: given, value },
    });
    return true;
  }

  private request(t: number, { request, queuePair, value, desired }: Op): boolean {
    const { s, layout } = this;
    const [a, b] = [value(s), desired(s)];
    const done = layout.hardware.storeBuffers
      ? this.push(
          layout.storeBuffers[t],
          2 * (request * layout.queuePairs.length + queuePair) + 1,
          a,
          b,
        )
      : this.nic.enter(queuePair, request, a, b);
    if (done) this.told?.push({ kind: 'post', thread: t, queuePair, request, a, b });
    return done;
  }

  /** The oldest entry leaves a store buffer: a write to memory, a request to its queue pair. */
  private storeBuffer(t: number, own: boolean): boolean {
    const { s, layout } = this;
    const { at } = layout.storeBuffers[t];
    if (s[at] === 0) return false;
    const [code, a, b] = [s[at + 1], s[at + 2], s[at + 3]];
    if ((code & 1) === 1) {
      const pairs = layout.queuePairs.length;
      const entry = code >> 1;
      if (!this.nic.enter(entry % pairs, Math.trunc(entry / pairs), a, b)) return false;
    } else {
      const location = code >> 1;
      if (!own && !this.isUnseen(t, location)) return false;
      this.store(location, a);
      this.told?.push({ kind: 'drain', thread: t, location, value: a });
    }
    this.remove(layout.storeBuffers[t], 0);
    return true;
  }

  // What the parts of the machine share.

  /** Does nobody see when the CPU's write to a location reaches the memory? */
  private isUnseen(t: number, location: LocationId): boolean {
    const { ignored, owner } = this.layout.sharing;
    return (
      ignored[location] ||
      (owner[location] === t && !this.nic.mayWrite(t, location) && !this.nic.mayRead(t, location))
    );
  }

  store(location: LocationId, value: number): void {
    const { memory, sharing } = this.layout;
    if (!sharing.ignored[location]) this.s[memory + location] = value;
  }

  /** The slot of the youngest value of a location in a thread's store buffer; -1 if there is none. */
  pendingWrite(t: number, location: LocationId): number {
    const { s, layout } = this;
    const { at, width } = layout.storeBuffers[t];
    for (let i = s[at] - 1; i >= 0; i--) {
      const entry = at + 1 + i * width;
      if (s[entry] === 2 * location) return entry + 1;
    }
    return -1;
  }

  /** Something cannot be done now, as a buffer is full. */
  waitForRoom(name: string): void {
    this.full.add(name);
    this.waits = true;
  }

  /** Adds an entry to a buffer; false if it is full. */
  push({ at, width, name }: Buffer, a: number, b: number, c: number, d = 0): boolean {
    const { s } = this;
    const length = s[at];
    if (length === this.layout.room) {
      this.waitForRoom(name);
      return false;
    }
    const entry = at + 1 + length * width;
    s[at] = length + 1;
    s[entry] = a;
    s[entry + 1] = b;
    if (width > 2) s[entry + 2] = c;
    if (width > 3) s[entry + 3] = d;
    return true;
  }

  /** Removes an entry of a buffer. */
  remove({ at, width }: Buffer, index: number): void {
    const { s } = this;
    const length = s[at];
    const entry = at + 1 + index * width;
    const end = at + 1 + length * width;
    s.copyWithin(entry, entry + width, end);
    s.fill(0, end - width, end);
    s[at] = length - 1;
  }

  /** A value that may be stored. Throws where values of a variable go on growing. */
  checked(value: number, slot: number): number {
    if (value > LARGEST || value < -LARGEST) {
      const name = this.layout.nameOf(slot);
      throw new Undefined(`the value of ${name} grows beyond ${LARGEST}`);
    }
    return value;
  }
}

/** The largest number that a variable may have: an exploration of so many values would hardly end. */
const LARGEST = 100_000;
