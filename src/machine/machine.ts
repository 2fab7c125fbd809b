import { isRead, isWrite } from '../program/events/structure.js';
import type { Event } from '../program/events/structure.js';
import type { LocationId } from '../program/program.js';
import { compiledSteps } from './code.js';
import type { CodeStep } from './code.js';
import { Undefined } from './compute.js';
import type { Slot } from './compute.js';
import type { Layout } from './layout.js';
import type { Local } from './local.js';
import { LocalStates } from './local.js';
import { Pairs } from './masks.js';
import type { Branching } from './plan.js';
import { FreeSteps } from './free.js';
import type { Later } from './later.js';
import { laterOf } from './later.js';
import { Plans } from './plan.js';
import { Reads } from './reads.js';
import type { EventMask, ModelRelations } from './relations.js';
import { Threads } from './threads.js';

/** The largest number that a variable may have: an exploration of so many values would hardly end. */
const LARGEST = 100_000;

/** What questions ask of the states. */
export interface Asked {
  /** Is the value of a register asked for when its thread has come to its end? */
  isKept(thread: number, register: number): boolean;
  /** Locations whose values are asked for in any state. */
  readonly locations: ReadonlySet<LocationId>;
  /** Whether steps that can come first do. */
  readonly reduces: boolean;
}

/** A step that is not free, by which a state is left: a thread goes on, or a call that is not finished takes a step. */
export interface Move {
  readonly thread: number;
  /** Its place among the calls of the thread that are not finished; -1: the thread itself goes on. */
  readonly call: number;
  readonly step: number;
  /** Which of the ways in which the step may go. */
  readonly way: number;
}

/** A step of an event that was taken. */
export interface TakenStep {
  readonly thread: number;
  readonly event: Event;
  readonly isIssue: boolean;
  /** Is its other step taken with it? */
  readonly isWhole: boolean;
  /** What it reads. */
  readonly reads?: number;
  /** What it is to write, when that is known. */
  readonly value?: number;
  /** What reaches memory: of the event, or of one that is taken with it. */
  readonly writes: number | undefined;
}

/** What came of trying a step in one of the ways in which it may go: there may be further ways, or not. */
const enum Tried {
  Done,
  /** Not this way. */
  Not,
  /** Neither this way, nor any further one. */
  None,
}

/**
 * One state that moves, step by step (the page on machines, section 2): each call has an issue step and an observe step for each of its events, one step where both are
 * at one moment. Steps are taken in any order that the model's `issued` and `observed` allow; memory has the value of the last observed write.
 */
export class Machine {
  /** The state that moves. */
  readonly s: Int32Array;
  /** Whether an assumption failed since the last step began: there is no such run. */
  discarded = false;
  /** The least bound of a loop beyond which a run would go on, if there is one. */
  cut = Infinity;
  /** Threads that had to wait as too many of their calls were not finished. */
  readonly full = new Set<number>();
  private readonly locals: LocalStates;
  private readonly pairs: Pairs;
  private readonly plans: Plans;
  private readonly threads: Threads;
  private readonly codes: readonly (readonly CodeStep[])[];
  private readonly reduces: boolean;
  /** How many bits behind the state of a call say by which guesses it has a partner. */
  private readonly bits: number;
  private readonly taken: number;

  private readonly free: FreeSteps;
  private readonly later: Later;
  private readonly reads: Reads;
  private readonly before: Int32Array;
  /** Where the steps go that are taken, while a run is told. */
  private record: TakenStep[] | undefined;
  private recorded = 0;

  constructor(
    readonly layout: Layout,
    relations: ModelRelations,
    private readonly ranked: readonly string[],
    asked: Asked,
  ) {
    this.before = new Int32Array(layout.size);
    this.reduces = asked.reduces;
    this.later = laterOf(layout, asked.isKept);
    this.s = new Int32Array(layout.size);
    this.locals = new LocalStates(layout.calls.classes, relations);
    this.pairs = new Pairs(relations);
    this.plans = new Plans(this.locals);
    this.threads = new Threads(layout.calls.classes, relations, ranked);
    this.codes = layout.calls.flows.map((flow, t) =>
      compiledSteps(flow, (cell) => layout.slotOf(t, cell)),
    );
    this.free = new FreeSteps(
      layout.calls,
      this.locals,
      this.pairs,
      this.plans,
      this.threads,
      this.later,
      asked.locations,
      layout.isFinal,
    );
    this.reads = new Reads(this.s, layout, this.pairs, this.plans, (t, i) => this.localAt(t, i));
    this.bits = ranked.length;
    this.taken = (1 << ranked.length) - 1;
  }

  /** The first state. */
  reset(): void {
    const { s, layout } = this;
    s.fill(0);
    layout.program.locations.forEach(({ initial }, l) => (s[layout.memory + l] = initial));
    this.discarded = false;
    for (const t of this.codes.keys()) this.settle(t);
  }

  /** Takes each step that is possible in a state; `visit` hears of each when `s` is the state after it. */
  successors(from: Int32Array, visit: (move: Move) => void): void {
    const { s, layout } = this;
    const tryWays = (thread: number, call: number, step: number): void => {
      for (let way = 0; ; way++) {
        const move = { thread, call, step, way };
        s.set(from);
        const tried = this.tryMove(move);
        if (tried === Tried.None) return;
        if (tried === Tried.Done && !this.discarded) visit(move);
      }
    };
    for (let t = 0; t < this.codes.length; t++) {
      tryWays(t, -1, 0);
      const count = from[layout.pending[t].at];
      for (let i = 0; i < count; i++) {
        s.set(from);
        const open = this.openSteps(t, i);
        for (let step = 0; open >> step !== 0; step++) {
          if ((open & (1 << step)) !== 0) tryWays(t, i, step);
        }
      }
    }
  }

  /** Takes the moves of a run, from the first state. Gives all steps that are taken, free ones as well. */
  follow(moves: readonly Move[]): readonly TakenStep[] {
    const steps: TakenStep[] = [];
    this.record = steps;
    this.reset();
    for (const move of moves) this.tryMove(move);
    this.record = undefined;
    return steps;
  }

  /** Takes a move in the state as it is, and then what is free. */
  private tryMove({ thread, call, step, way }: Move): Tried {
    this.discarded = false;
    const tried = call < 0 ? this.thread(thread, way) : this.step(thread, call, step, way);
    if (tried !== Tried.Done) return tried;
    this.forget(thread);
    this.settle(thread);
    return tried;
  }

  /** Have all threads come to their ends, and are all calls finished? */
  isFinal(s: Int32Array): boolean {
    const { pending } = this.layout;
    return this.codes.every((code, t) => {
      if (s[t] !== code.length) return false;
      const { at, width } = pending[t];
      for (let i = 0; i < s[at]; i++) {
        if (!this.locals.all[s[at + 1 + i * width] >> this.bits].isFinished) return false;
      }
      return true;
    });
  }

  // Threads.

  /** Takes all that a thread can do at once: what is about nothing but itself, and steps that are free. */
  private settle(t: number): void {
    const { s, layout } = this;
    for (let moved = true; moved && !this.discarded;) {
      this.compute(t);
      moved = this.reduces && !this.discarded && (this.beginFreely(t) || this.stepFreely(t));
      if (moved) this.forget(t);
    }
    if (this.discarded) return;
    for (const slot of this.later.dead[t][s[t]]) s[slot] = 0;
    for (let l = 0; l < layout.program.locations.length; l++) {
      if (this.reduces && this.free.isIgnored(l)) s[layout.memory + l] = 0;
    }
  }

  /** Begins the next call of a thread, if that is free. */
  private beginFreely(t: number): boolean {
    const { s, layout } = this;
    const step = this.codes[t][s[t]];
    if (step?.kind !== 'use' || step.isMoment) return false;
    const { at } = layout.pending[t];
    const count = s[at];
    if (count > 0 && this.holds(this.localAt(t, count - 1))) return false;
    const initial = this.locals.initial(layout.calls.classAt[t][s[t]]);
    const [{ local }] = initial;
    if (initial.length > 1) return false;
    const head = this.threads.headOf(local);
    const isFree = head.every(
      (event) =>
        this.free.amongOthers(local, 2 * event) && this.isFreeOfPending(t, count, local, 2 * event),
    );
    if (!isFree) return false;
    this.mark();
    if (head.length > 0) {
      // What it reads has to be one value.
      const isSecond = this.begin(t, step, local, 1);
      this.takeBack();
      if (isSecond) return false;
    }
    if (this.begin(t, step, local, 0)) return true;
    this.takeBack();
    return false;
  }

  /** Keeps the state, for `takeBack`. */
  private mark(): void {
    this.before.set(this.s);
    this.recorded = this.record?.length ?? 0;
  }

  private takeBack(): void {
    this.s.set(this.before);
    if (this.record !== undefined) this.record.length = this.recorded;
  }

  /** Takes a step of a call that is not finished, if one is free. */
  private stepFreely(t: number): boolean {
    const { s, layout } = this;
    const count = s[layout.pending[t].at];
    for (let i = 0; i < count; i++) {
      const local = this.localAt(t, i);
      if (local.isFinished) continue;
      const open = this.openSteps(t, i);
      for (let step = 0; open >> step !== 0; step++) {
        if ((open & (1 << step)) === 0 || !this.isFree(t, i, local, step)) continue;
        this.mark();
        // If there is a second way, several values can be read.
        const isSecond = this.step(t, i, step, 1) === Tried.Done;
        this.takeBack();
        if (isSecond) continue;
        if (this.step(t, i, step, 0) === Tried.Done) return true;
        this.takeBack();
      }
    }
    return false;
  }

  private isFree(t: number, i: number, local: Local, step: number): boolean {
    return (
      this.free.amongOthers(local, step) &&
      this.isFreeOfPending(t, i, local, step) &&
      (this.free.untilTheEnd(local, step, t, this.s[t]) || this.isAwaited(t, i, local, step))
    );
  }

  /** Is a step of a call free of the calls that are not finished? */
  private isFreeOfPending(t: number, i: number, local: Local, step: number): boolean {
    const { pending } = this.layout;
    const bit = 1 << step;
    const isUnread = this.free.isUnread(local, step);
    if (!isUnread && (local.conflicts & bit) !== 0) return false;
    for (let u = 0; u < pending.length; u++) {
      const count = this.s[pending[u].at];
      for (let j = 0; j < count; j++) {
        const other = this.localAt(u, j);
        if (u !== t) {
          if (!this.threads.areLinked(other.class, local.class)) continue;
          if ((this.pairs.between(other, local).decides[1] & bit) !== 0) return false;
          continue;
        }
        if (j === i) continue;
        const pair = j < i ? this.pairs.inOrder(other, local) : this.pairs.inOrder(local, other);
        const side = j < i ? 1 : 0;
        const { decides, conflicts } = pair;
        if (((decides[side] | (isUnread ? 0 : conflicts[side])) & bit) !== 0) return false;
      }
    }
    return true;
  }

  /** Does the thread wait for a step before it begins anything else? */
  private isAwaited(t: number, i: number, local: Local, step: number): boolean {
    const { s, layout } = this;
    const next = this.codes[t][s[t]];
    if (next === undefined) return true;
    if (next.kind !== 'use') return false;
    const of = layout.calls.classAt[t][s[t]];
    let partners = 0;
    for (let g = 0; g < this.bits; g++) if (this.isNextPartner(t, i, of, g)) partners |= 1 << g;
    return (this.free.awaitedBy(local, of, partners, this.ranked) & (1 << step)) !== 0;
  }

  /** Is a call the first without a partner, of those that can be partners of the thread's next call? */
  private isNextPartner(t: number, i: number, of: number, g: number): boolean {
    const { s, layout } = this;
    const { at, width } = layout.pending[t];
    const [{ local: next }] = this.locals.initial(of);
    for (let j = 0; j <= i; j++) {
      if ((s[at + 1 + j * width] & (1 << g)) !== 0) continue;
      const { relations } = this.pairs.inOrder(this.localAt(t, j), next);
      if ((relations.ranked.get(this.ranked[g])?.pairs.length ?? 0) > 0) return j === i;
    }
    return false;
  }

  /** Takes the steps of a thread that are about nothing but itself. */
  private compute(t: number): void {
    const { s } = this;
    const code = this.codes[t];
    while (!this.discarded) {
      const step = code[s[t]];
      switch (step?.kind) {
        case undefined:
        case 'use':
        case 'choose':
          return;
        case 'set':
          s[step.slot] = checked(step.value(s));
          s[t] = step.next[0];
          break;
        case 'branch':
          s[t] = step.next[step.value(s) === 0 ? 1 : 0];
          break;
        case 'assume':
          if (step.value(s) === 0) this.discarded = true;
          s[t] = step.next[0];
          break;
        case 'goto':
          s[t] = step.next[0];
          break;
        case 'cut':
          this.cut = Math.min(this.cut, step.bound);
          this.discarded = true;
      }
    }
  }

  /** The next step of a thread: it goes on somewhere, or begins a call. */
  private thread(t: number, way: number): Tried {
    const { s, layout } = this;
    const step = this.codes[t][s[t]];
    if (step === undefined) return Tried.None;
    if (step.kind !== 'use') {
      if (way >= step.next.length) return Tried.None;
      s[t] = step.next[way];
      return Tried.Done;
    }
    const count = s[layout.pending[t].at];
    if (count > 0 && this.holds(this.localAt(t, count - 1))) return Tried.None;
    const initial = this.locals.initial(layout.calls.classAt[t][s[t]]);
    // An alternative goes as many ways as there are values that it may read: each has so many numbers, more than it needs.
    const most = 2 + 2 * count;
    const { local } = initial[Math.trunc(way / most)] ?? {};
    if (local === undefined) return Tried.None;
    return this.begin(t, step, local, way % most) ? Tried.Done : Tried.Not;
  }

  /** Does the thread wait for a step of this call? */
  private holds(local: Local): boolean {
    return (this.threads.barriersOf(local.class) & local.executed & ~local.issued) !== 0;
  }

  /** Begins a call, with the steps that are taken in the moment in which it begins. */
  private begin(t: number, step: CodeStep & { kind: 'use' }, initial: Local, way: number): boolean {
    const { s, layout } = this;
    const { at, width } = layout.pending[t];
    const count = s[at];
    if (count === layout.room) {
      this.full.add(t);
      return false;
    }
    const entry = at + 1 + count * width;
    s[at] = count + 1;
    step.given.forEach((value, k) => (s[entry + 1 + k] = checked(value(s))));
    const { shows, guards } = this.plans.atBegin(initial);
    if (!this.allHold(guards, entry + 1)) return false;
    const local = this.locals.without(initial, this.absentOf(shows, entry + 1));
    s[entry] = local.id << this.bits;
    let left = way;
    for (const event of this.threads.headOf(local)) {
      const isOpen = (this.openSteps(t, count) & (1 << (2 * event))) !== 0;
      if (!isOpen || this.step(t, count, 2 * event, left) !== Tried.Done) return false;
      if (isRead(local.site.events[event])) left = 0;
    }
    if (left > 0) return false;
    // Where the thread waits for no step of the call, it has gone on with the last of those that were taken; or with none.
    if (s[entry] >> this.bits === local.id && !this.holds(local)) this.goOn(t, local, entry);
    return true;
  }

  /** The thread goes on behind the call that it is at. */
  private goOn(t: number, local: Local, entry: Slot): void {
    const { s } = this;
    const step = this.codes[t][s[t]] as CodeStep & { kind: 'use' };
    if (step.result >= 0) s[step.result] = checked(this.plans.result(local)(s, entry + 1));
    s[t] = step.next[0];
  }

  // Calls that are not finished.

  private localAt(t: number, i: number): Local {
    const { at, width } = this.layout.pending[t];
    return this.locals.all[this.s[at + 1 + i * width] >> this.bits];
  }

  /** The steps of a call that all others allow. */
  private openSteps(t: number, i: number): number {
    const { pending } = this.layout;
    const local = this.localAt(t, i);
    let open = local.next;
    for (let u = 0; u < pending.length && open !== 0; u++) {
      const count = this.s[pending[u].at];
      for (let j = 0; j < count && open !== 0; j++) {
        const other = this.localAt(u, j);
        if (u === t) {
          if (j < i) open &= this.pairs.inOrder(other, local).open[1];
          else if (j > i) open &= this.pairs.inOrder(local, other).open[0];
        } else if (this.threads.areLinked(other.class, local.class)) {
          open &= this.pairs.between(other, local).open[1];
        }
      }
    }
    return open;
  }

  /** Takes a step of a call that is open. What it reads, if it reads, is the value with the number `way`. */
  private step(t: number, i: number, step: number, way: number): Tried {
    const { s, layout } = this;
    const { at, width } = layout.pending[t];
    const entry = at + 1 + i * width;
    const local = this.localAt(t, i);
    const plan = this.plans.of(local, step);
    if (plan.readTo >= 0) {
      const values = this.reads.readable(t, i, plan.event, local);
      if (way >= values.length) return Tried.None;
      s[entry + 1 + plan.readTo] = values[way];
    } else if (way > 0) return Tried.None;
    if (plan.isIssue && !this.take(t, i, plan.event, local)) return Tried.Not;
    if (!this.allHold(plan.guards, entry + 1)) return Tried.Not;
    const absent = this.absentOf(plan.shows, entry + 1);
    let written: number | undefined;
    for (const { event, value } of plan.writes) {
      if ((absent & (1 << event)) !== 0) continue;
      written = checked(value(s, entry + 1));
      s[layout.memory + plan.location] = written;
    }
    const event = local.site.events[plan.event];
    this.record?.push({
      ...{ thread: t, event, isIssue: plan.isIssue, isWhole: local.own.inst[plan.event] },
      ...(plan.readTo >= 0 && { reads: s[entry + 1 + plan.readTo] }),
      ...(isWrite(event) && { value: this.plans.written(local, plan.event)(s, entry + 1) }),
      writes: written,
    });
    const next = this.locals.after(local, step, absent);
    if (this.holds(local) && !this.holds(next)) this.goOn(t, next, entry);
    s[entry] = (next.id << this.bits) | (s[entry] & this.taken);
    for (let k = 1; k < width; k++) if ((next.needed & (1 << (k - 1))) === 0) s[entry + k] = 0;
    return Tried.Done;
  }

  private fall(branches: readonly Branching[], at: Slot): boolean {
    return branches.every(({ value, taken }) => (value(this.s, at) !== 0) === taken);
  }

  private allHold(
    guards: readonly {
      readonly branches: readonly Branching[];
      readonly value: Branching['value'];
    }[],
    at: Slot,
  ): boolean {
    return guards.every(
      ({ branches, value }) => !this.fall(branches, at) || value(this.s, at) !== 0,
    );
  }

  private absentOf(
    shows: readonly { readonly event: number; readonly branches: readonly Branching[] }[],
    at: Slot,
  ): EventMask {
    let absent = 0;
    for (const { event, branches } of shows) if (!this.fall(branches, at)) absent |= 1 << event;
    return absent;
  }

  /** Takes the partners by rank of an event, each the first that is not taken: false if one is not there yet, or not that far. */
  private take(t: number, i: number, event: number, local: Local): boolean {
    if (this.bits === 0) return true;
    const { ranked } = this.locals.own(local);
    if (ranked.size === 0) return true;
    return this.ranked.every(
      (guess, g) =>
        ranked.get(guess)?.asking.includes(event) !== true || this.takeOne(t, i, event, local, g),
    );
  }

  private takeOne(t: number, i: number, event: number, local: Local, g: number): boolean {
    const { s, layout } = this;
    const { at, width } = layout.pending[t];
    const guess = this.ranked[g];
    for (let j = 0; j < i; j++) {
      const entry = at + 1 + j * width;
      if ((s[entry] & (1 << g)) !== 0) continue;
      const other = this.localAt(t, j);
      const { relations, shift } = this.pairs.inOrder(other, local);
      const to = shift / 2 + event;
      const pair = relations.ranked.get(guess)?.pairs.find((one) => one[1] === to);
      if (pair === undefined) continue;
      const done = other.done | (local.done << shift);
      const isReady = relations.partners.every(
        (p) =>
          p.guess !== guess || p.from !== pair[0] || p.to !== to || (p.needs[2 * to] & ~done) === 0,
      );
      if (isReady) s[entry] |= 1 << g;
      return isReady;
    }
    return false;
  }

  /** Forgets calls of a thread of which nothing is left that matters. */
  private forget(t: number): void {
    const { s, layout } = this;
    const { at, width } = layout.pending[t];
    const { [at]: count } = s;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const entry = at + 1 + i * width;
      const local = this.localAt(t, i);
      if (local.isFinished && (this.threads.givesOf(local.class) & ~s[entry] & this.taken) === 0)
        continue;
      if (kept !== i) s.copyWithin(at + 1 + kept * width, entry, entry + width);
      kept++;
    }
    if (kept === count) return;
    s.fill(0, at + 1 + kept * width, at + 1 + count * width);
    s[at] = kept;
  }
}

function checked(value: number): number {
  if (value <= LARGEST && value >= -LARGEST) return value;
  throw new Undefined(`a value grows beyond ${LARGEST}`);
}
