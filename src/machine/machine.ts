import { isRead, isWrite } from '../program/events/structure.js';
import type { FlowStep } from '../program/flow/graph.js';
import type { ClassId } from './classes.js';
import type { Compute, ComputeInCall, Slot } from './compute.js';
import { Undefined, computeCall, computeFlow } from './compute.js';
import type { Layout } from './layout.js';
import type { Local } from './local.js';
import { LocalStates, placeOfRead } from './local.js';
import { PairMasks } from './masks.js';
import type { EventMask, ModelRelations } from './relations.js';

/** The largest number that a variable may have: an exploration of so many values would hardly end. */
const LARGEST = 100_000;

/** One state that moves: the steps of threads, and those of the events of calls that are not finished. */
export class Machine {
  readonly s: Int32Array;
  /** Whether an assumption failed since `begin`: there is no such run. */
  discarded = false;
  /** The least bound of a loop beyond which a run would go, if one would. */
  cut = Infinity;
  /** Whether something had to wait for room. */
  full = false;
  private readonly locals: LocalStates;
  private readonly masks: PairMasks;
  private readonly computes = new Map<Local['alternative'], (id: number) => ComputeInCall>();
  private readonly flows: readonly (readonly Flow[])[];
  private readonly ranked: readonly string[];
  private readonly barriers = new Map<ClassId, EventMask>();
  private readonly gives = new Map<ClassId, number>();

  constructor(
    readonly layout: Layout,
    private readonly relations: ModelRelations,
    ranked: readonly string[],
  ) {
    this.s = new Int32Array(layout.size);
    this.locals = new LocalStates(layout.calls.classes, relations);
    this.masks = new PairMasks(relations);
    this.ranked = ranked;
    this.flows = layout.calls.flows.map(({ steps }, t) => steps.map((step) => this.compiled(step, t)));
  }

  /** The first state. */
  reset(): void {
    const { s, layout } = this;
    const { locations } = layout.program;
    s.fill(0);
    locations.forEach(({ initial }, l) => (s[layout.memory + l] = initial));
    this.discarded = false;
    for (const t of layout.calls.flows.keys()) this.settle(t);
  }

  /** Takes each step that is possible in a state; `visit` hears of each when `s` is the state after it. */
  successors(from: Int32Array, visit: () => void): void {
    const { s, layout } = this;
    const take = (step: (way: number) => 'done' | 'last' | 'none', t: number): void => {
      for (let way = 0; ; way++) {
        s.set(from);
        this.discarded = false;
        const found = step(way);
        if (found === 'last') return;
        if (found === 'none') continue;
        this.forget(t);
        this.settle(t);
        if (!this.discarded) visit();
      }
    };
    for (const t of layout.calls.flows.keys()) {
      take((way) => this.thread(t, way), t);
      const { at } = layout.pending[t];
      const count = from[at];
      for (let i = 0; i < count; i++) {
        s.set(from);
        const local = this.localAt(t, i);
        const open = this.openSteps(t, i, local);
        for (let step = 0; open >> step !== 0; step++) {
          if ((open & (1 << step)) !== 0) take((way) => this.step(t, i, step, way), t);
        }
      }
    }
  }

  isFinal(s: Int32Array): boolean {
    const { layout } = this;
    return this.flows.every((flow, t) => {
      if (s[t] !== flow.length) return false;
      const { at, width } = layout.pending[t];
      for (let i = 0; i < s[at]; i++) {
        if (!this.locals.all[s[at + 1 + i * width] >> this.ranked.length].isFinished) return false;
      }
      return true;
    });
  }

  // Threads.

  private compiled(step: FlowStep, t: number): Flow {
    const { layout } = this;
    const slotOf = (cell: Parameters<Layout['slotOf']>[1]): Slot => layout.slotOf(t, cell);
    switch (step.kind) {
      case 'use': {
        const given = step.use.given.flatMap((one) =>
          one.kind === 'value' ? [computeFlow(one.value, slotOf)] : [],
        );
        return { step, given, result: step.result && slotOf(step.result) };
      }
      case 'set':
        return { step, slot: slotOf(step.cell), value: computeFlow(step.value, slotOf) };
      case 'assume':
      case 'assert':
      case 'branch':
        return { step, value: computeFlow(step.condition, slotOf) };
      default:
        return { step };
    }
  }

  /** Takes the steps of a thread that are about nothing but itself. */
  private settle(t: number): void {
    const { s } = this;
    while (!this.discarded) {
      const flow = this.flows[t][s[t]];
      if (flow === undefined) return;
      const { step } = flow;
      switch (step.kind) {
        case 'use':
        case 'choose':
        case 'rest':
          return;
        case 'cut':
          this.cut = Math.min(this.cut, step.bound);
          this.discarded = true;
          return;
        case 'set':
          s[flow.slot!] = checked(flow.value!(s));
          break;
        case 'assume':
          if (flow.value!(s) === 0) this.discarded = true;
          break;
        case 'branch':
          s[t] = step.next[flow.value!(s) === 0 ? 1 : 0];
          continue;
        default:
      }
      s[t] = step.next[0];
    }
  }

  /** The next step of a thread: it goes on somewhere, or performs an operation. */
  private thread(t: number, way: number): 'done' | 'last' | 'none' {
    const { s, layout } = this;
    const flow = this.flows[t][s[t]];
    if (flow === undefined) return 'last';
    const { step } = flow;
    if (step.kind === 'choose' || step.kind === 'rest') {
      if (way === step.next.length) return 'last';
      s[t] = step.next[way];
      return 'done';
    }
    if (this.isWaiting(t)) return 'last';
    const initial = this.locals.initial(layout.calls.classAt[t][s[t]]);
    // Ways of an alternative are those of what it reads.
    let rest = way;
    for (const { local } of initial) {
      const count = this.wayCount(t, local);
      if (rest < count) return this.begin(t, flow, local, rest) ? 'done' : 'none';
      rest -= count;
    }
    return 'last';
  }

  /** Has the thread to wait for a step of the call that it has begun? */
  private isWaiting(t: number): boolean {
    const count = this.s[this.layout.pending[t].at];
    return count > 0 && this.isHeld(this.localAt(t, count - 1));
  }

  /** Are there steps of a call without which its thread does not go on? */
  private isHeld(local: Local): boolean {
    return (local.executed & this.barriersOf(local.class) & ~issuedOf(local)) !== 0;
  }

  /** In how many ways a call may begin: more than there are. */
  private wayCount(t: number, { executed }: Local): number {
    return executed === 0 ? 1 : 2 + this.s[this.layout.pending[t].at] * 2;
  }

  /** Begins a call: with what has to be done in the moment in which the thread begins it. */
  private begin(t: number, flow: Flow, local: Local, way: number): boolean {
    const { s, layout } = this;
    const { at, width } = layout.pending[t];
    const count = s[at];
    const head = this.headOf(local);
    if (count === layout.room) {
      this.full = true;
      return false;
    }
    const entry = at + 1 + count * width;
    s[at] = count + 1;
    s[entry] = local.id << this.ranked.length;
    flow.given!.forEach((value, k) => (s[entry + 1 + k] = checked(value(s))));
    if (head.length === 0 && way > 0) return false;
    let wasRead = false;
    for (const event of head) {
      const now = this.localAt(t, count);
      const step = 2 * event;
      if ((this.openSteps(t, count, now) & (1 << step)) === 0) return false;
      const reads = isRead(now.site.events[event]);
      if (this.step(t, count, step, reads && !wasRead ? way : 0, flow) !== 'done') return false;
      wasRead ||= reads;
    }
    if (!wasRead && way > 0) return false;
    if (head.length === 0 && !this.isHeld(local)) this.goOn(t, flow, local, entry);
    return true;
  }

  /** The events of which the first steps are taken with the beginning of a call. */
  private headOf({ site, alternative, class: of }: Local): readonly number[] {
    const { events } = alternative;
    if (alternative.choices.size > 0) {
      const last = events.findLastIndex((e) => isRead(site.events[e]));
      if (last >= 0) return events.slice(0, last + 1);
    }
    const [first] = events;
    return first !== undefined && (this.barriersOf(of) & (1 << first)) !== 0 ? [first] : [];
  }

  /** Events before which no later event of the thread takes its first step: the thread waits for them. */
  private barriersOf(of: ClassId): EventMask {
    const known = this.barriers.get(of);
    if (known !== undefined) return known;
    const { classes } = this.layout.calls;
    const site = classes[of];
    const shift = 2 * site.events.length;
    let mask = 0;
    for (const e of site.events.keys()) {
      const isBarrier = classes.every((other) => {
        if (other.thread !== site.thread) return true;
        const { needs } = this.relations.of([site, other], [eventsIn(site), eventsIn(other)]);
        return other.events.every((_, f) => isAfter(needs, shift + 2 * f, 2 * e));
      });
      if (isBarrier) mask |= 1 << e;
    }
    this.barriers.set(of, mask);
    return mask;
  }

  private goOn(t: number, flow: Flow, { site, alternative }: Local, entry: Slot): void {
    const { s } = this;
    if (flow.result !== undefined) {
      const value = this.computeOf(site, alternative)(site.result!);
      s[flow.result] = checked(value(s, entry + 1));
    }
    s[t] = flow.step.next[0];
  }

  // Calls that are not finished.

  private localAt(t: number, i: number): Local {
    const { at, width } = this.layout.pending[t];
    return this.locals.all[this.s[at + 1 + i * width] >> this.ranked.length];
  }

  /** The steps of a call that all others allow. */
  private openSteps(t: number, i: number, local: Local): number {
    let open = local.next;
    const { pending } = this.layout;
    for (let u = 0; u < pending.length && open !== 0; u++) {
      const count = this.s[pending[u].at];
      for (let j = 0; j < count && open !== 0; j++) {
        const other = this.localAt(u, j);
        if (u !== t) open &= this.masks.between(other, local).second;
        else if (j < i) open &= this.masks.inOrder(other, local).second;
        else if (j > i) open &= this.masks.inOrder(local, other).first;
      }
    }
    return open;
  }

  private step(t: number, i: number, step: number, way: number, begun?: Flow): 'done' | 'last' | 'none' {
    const { s, layout } = this;
    const { at, width } = layout.pending[t];
    const entry = at + 1 + i * width;
    const local = this.localAt(t, i);
    const { site } = local;
    const index = step >> 1;
    const event = site.events[index];
    const inst = this.locals.own(local).inst[index];
    if ((step & 1) === 0 && isRead(event)) {
      const values = this.readable(t, i, index, local);
      if (way >= values.length) return 'last';
      s[entry + 1 + placeOfRead(site, index)] = values[way];
    } else if (way > 0) return 'last';
    if ((step & 1) === 0 && !this.take(t, i, index, local)) return 'none';
    const compute = this.computeOf(site, local.alternative);
    const wasHeld = this.isHeld(local);
    const [absent, isWrong] = this.decided(local, step, compute, entry + 1);
    if (isWrong) return 'none';
    const store = (at: number): void => {
      const { value, location } = site.events[at];
      s[layout.memory + location!] = checked(compute(value!)(s, entry + 1));
    };
    if (isWrite(event) && (inst || (step & 1) === 1)) store(index);
    for (const [e, by] of this.locals.own(local).taken.entries()) {
      if (by === index && e !== index && (local.executed & ~absent & (1 << e)) !== 0) store(e);
    }
    const next = this.locals.after(local, step, absent);
    if (wasHeld && !this.isHeld(next)) {
      this.goOn(t, begun ?? this.flows[t][s[t]], next, entry);
    }
    s[entry] = (next.id << this.ranked.length) | (s[entry] & ((1 << this.ranked.length) - 1));
    for (let k = 1; k < width; k++) if ((next.needed & (1 << (k - 1))) === 0) s[entry + k] = 0;
    return 'done';
  }

  /** What shows when a value is found: events that are not executed, and whether the call may go this way at all. */
  private decided(
    local: Local,
    step: number,
    compute: (id: number) => ComputeInCall,
    at: Slot,
  ): readonly [EventMask, boolean] {
    const { site, executed } = local;
    const found = site.events.flatMap((event, e) => {
      const isDone = (local.done & (1 << (2 * e))) !== 0 || step === 2 * e;
      return isRead(event) && (executed & (1 << e)) !== 0 && !isDone ? [e] : [];
    });
    // What is still to be read, on which conditions may depend.
    const open = new Set(found);
    const truth = (condition: number): boolean | undefined => {
      const reads = this.readsOf(site, condition);
      return reads.some((e) => open.has(e)) ? undefined : compute(condition)(this.s, at) !== 0;
    };
    let absent = 0;
    for (const [e, { path }] of site.events.entries()) {
      if ((executed & (1 << e)) === 0) continue;
      if (path.some(({ condition, taken }) => truth(condition) === !taken)) absent |= 1 << e;
    }
    const isWrong = site.guards.some(
      ({ path, condition }) =>
        path.every((branch) => truth(branch.condition) === branch.taken) &&
        truth(condition) === false,
    );
    return [absent, isWrong];
  }

  private readsOf(site: Local['site'], id: number): readonly number[] {
    const value = site.values[id];
    switch (value.op) {
      case 'read':
        return [value.event];
      case 'unary':
        return this.readsOf(site, value.arg);
      case 'binary':
        return [...this.readsOf(site, value.left), ...this.readsOf(site, value.right)];
      case 'select':
        return [value.condition, value.then, value.else].flatMap((v) => this.readsOf(site, v));
      case 'const':
      case 'choice':
        return [];
    }
  }

  private computeOf(site: Local['site'], alternative: Local['alternative']): (id: number) => ComputeInCall {
    const known = this.computes.get(alternative) ?? computeCall(site, alternative);
    this.computes.set(alternative, known);
    return known;
  }

  /** Takes the partners by rank of an event, each the first that is not taken: false if one is not there yet, or not that far. */
  private take(t: number, i: number, event: number, local: Local): boolean {
    const asking = this.locals.own(local).ranked;
    return this.ranked.every(
      (guess, g) =>
        asking.get(guess)?.asking.includes(event) !== true || this.takeOne(t, i, event, local, g),
    );
  }

  private takeOne(t: number, i: number, event: number, local: Local, g: number): boolean {
    const { s, layout, ranked } = this;
    const { at, width } = layout.pending[t];
    for (let j = 0; j < i; j++) {
      const entry = at + 1 + j * width;
      if ((s[entry] & (1 << g)) !== 0) continue;
      const other = this.localAt(t, j);
      const relations = this.masks.relationsOf(other, local);
      const shift = other.site.events.length;
      const to = shift + event;
      const pair = relations.ranked.get(ranked[g])?.pairs.find((one) => one[1] === to);
      if (pair === undefined) continue;
      const done = other.done | (local.done << (2 * shift));
      const isReady = relations.partners
        .filter((p) => p.guess === ranked[g] && p.from === pair[0] && p.to === to)
        .every(({ needs }) => (needs[2 * to] & ~done) === 0);
      if (isReady) s[entry] |= 1 << g;
      return isReady;
    }
    return false;
  }

  /** The guesses by which calls of a class may still be partners of later ones, as bits. */
  private givesOf(of: ClassId): number {
    const known = this.gives.get(of);
    if (known !== undefined) return known;
    const { classes } = this.layout.calls;
    const site = classes[of];
    let mask = 0;
    for (const other of classes) {
      if (other.thread !== site.thread) continue;
      const { ranked } = this.relations.of([site, other], [eventsIn(site), eventsIn(other)]);
      for (const [g, guess] of this.ranked.entries()) {
        const pairs = ranked.get(guess)?.pairs ?? [];
        if (pairs.some(([from, to]) => from < site.events.length && to >= site.events.length)) {
          mask |= 1 << g;
        }
      }
    }
    this.gives.set(of, mask);
    return mask;
  }

  /** Forgets calls of a thread of which nothing is left that matters. */
  private forget(t: number): void {
    const { s, layout, ranked } = this;
    const { at, width } = layout.pending[t];
    let kept = 0;
    for (let i = 0; i < s[at]; i++) {
      const entry = at + 1 + i * width;
      const local = this.localAt(t, i);
      const taken = s[entry] & ((1 << ranked.length) - 1);
      if (local.isFinished && (this.givesOf(local.class) & ~taken) === 0) continue;
      if (kept !== i) s.copyWithin(at + 1 + kept * width, entry, entry + width);
      kept++;
    }
    s.fill(0, at + 1 + kept * width, at + 1 + s[at] * width);
    s[at] = kept;
  }

  /** The values that a read may find: what is in memory, and what writes that are issued and not observed let it read. */
  private readable(t: number, i: number, event: number, local: Local): readonly number[] {
    const { s, layout } = this;
    const { at, width } = layout.pending[t];
    const covering: PendingWrite[] = [];
    const early: PendingWrite[] = [];
    for (let j = 0; j < s[at]; j++) {
      if (j === i) continue;
      const other = this.localAt(t, j);
      const [first, second] = j < i ? [other, local] : [local, other];
      const relations = this.masks.relationsOf(first, second);
      if (relations.covering.length + relations.early.length === 0) continue;
      const shift = first.site.events.length;
      const [own, others] = j < i ? [shift, 0] : [0, shift];
      const done = first.done | (second.done << (2 * shift));
      const isOpen = (write: number): boolean => (done & (2 << (2 * write))) === 0;
      for (const { write, read, since } of relations.covering) {
        if (read !== own + event || !isOpen(write) || (done & (1 << since)) === 0) continue;
        covering.push({ call: j, event: write - others });
      }
      for (const { write, read } of relations.early) {
        if (read !== own + event || !isOpen(write) || (done & (1 << (2 * write))) === 0) continue;
        early.push({ call: j, event: write - others });
      }
    }
    const values: number[] = [];
    const add = (value: number): void => {
      if (!values.includes(value)) values.push(value);
    };
    if (covering.length === 0) add(s[layout.memory + local.site.events[event].location!]);
    for (const write of early) {
      if (!covering.every((other) => this.isObservedBefore(t, other, write))) continue;
      const { site, alternative } = this.localAt(t, write.call);
      const value = this.computeOf(site, alternative)(site.events[write.event].value!);
      add(value(s, at + 2 + write.call * width));
    }
    return values;
  }

  /** Is a write observed before another in every run, or the same? */
  private isObservedBefore(t: number, one: PendingWrite, other: PendingWrite): boolean {
    if (one.call === other.call) return one.event === other.event;
    const [a, b] = [one.call, other.call].map((call) => this.localAt(t, call));
    const isFirst = one.call < other.call;
    const { needs } = isFirst ? this.masks.relationsOf(a, b) : this.masks.relationsOf(b, a);
    const [from, to] = isFirst
      ? [one.event, a.site.events.length + other.event]
      : [b.site.events.length + one.event, other.event];
    if ((needs[2 * to + 1] & (2 << (2 * from))) !== 0) return true;
    if ((needs[2 * from + 1] & (2 << (2 * to))) !== 0) return false;
    throw new Undefined('two writes that are not ordered are read past: that is not supported yet');
  }
}

/** A write of a call of a thread: the call by its place among those that are not finished. */
interface PendingWrite {
  readonly call: number;
  readonly event: number;
}

/** A step of a thread, ready to be taken. */
interface Flow {
  readonly step: FlowStep;
  readonly given?: readonly Compute[];
  readonly result?: Slot | undefined;
  readonly slot?: Slot;
  readonly value?: Compute;
}

const eventsIn = ({ events }: Local['site']): EventMask => (1 << events.length) - 1;

/** Does a step need another one, or what needs it? */
function isAfter(needs: readonly number[], step: number, other: number): boolean {
  const reached = new Set([step]);
  for (const at of reached) {
    for (let before = 0; needs[at] >> before !== 0; before++) {
      if ((needs[at] & (1 << before)) !== 0) reached.add(before);
    }
  }
  return reached.has(other);
}

/** The events of which the first step is done. */
function issuedOf({ done, site }: Local): EventMask {
  let mask = 0;
  for (const e of site.events.keys()) if ((done & (1 << (2 * e))) !== 0) mask |= 1 << e;
  return mask;
}

function checked(value: number): number {
  if (value <= LARGEST && value >= -LARGEST) return value;
  throw new Undefined(`a value grows beyond ${LARGEST}`);
}
