import { isRead, isWrite } from '../../program/events/structure.js';
import { groupBy } from '../../model/relation/groups.js';
import type { Atom } from '../atoms.js';
import type { Edge } from './layers.js';
import type { CountedSteps, GuessOrders, RunRules, StepIndex } from './rules.js';

/** How far a run on one way through a program is. Events and steps are those of its rules. */
export interface RunState {
  /** The steps that are taken, as bits. */
  readonly done: bigint;
  /** The orders of which the second step was taken first, as bits. */
  readonly turned: bigint;
  /** By event: the write that it reads; -1 before that, and for other events. */
  readonly sources: readonly number[];
  /** By event: which write of its location it is in memory; -1: it is not there. */
  readonly places: readonly number[];
}

/** A step that is taken, and the write from which it reads, if it reads. */
export interface RunMove {
  readonly step: StepIndex;
  readonly source: number;
  readonly state: RunState;
}

type Accessed = number | CountedSteps | undefined;

/** What is taken for granted of the values on a way: whether a state contradicts none of it. */
export type Bets = (state: RunState) => boolean;

/** The runs on one way through a program: what is taken for granted of a branch is checked as soon as it is known. */
export class WayMachine {
  private readonly all: bigint;
  /** By step: the orders that it ends. */
  private readonly ends: readonly (readonly number[])[];
  /** By step: itself, and all that comes before it. */
  private readonly closures: readonly bigint[];
  /** By step: what it accesses: a location that it reads, or writes in memory; or what is counted, and it takes one of. */
  private readonly accessOf: readonly Accessed[];
  /** By location: these steps, and issues of writes that some read may find then. */
  private readonly concerning: ReadonlyMap<Accessed, readonly StepIndex[]>;
  /** By location: its events. */
  private readonly accesses: ReadonlyMap<number | undefined, readonly number[]>;
  /** By event: the step of its issue. */
  private readonly issueOf: readonly StepIndex[];

  constructor(
    private readonly rules: RunRules,
    private readonly bets: Bets,
  ) {
    const { steps, orders, events, needs, early, counted } = rules;
    this.all = (1n << BigInt(steps.length)) - 1n;
    this.ends = steps.map((_, s) => [...orders.keys()].filter((k) => orders[k][1] === s));
    this.closures = steps.map((_, s) => closureOf(needs, s));
    this.accesses = groupBy([...events.keys()], (e) => events[e].location);
    this.issueOf = events.map((_, e) =>
      steps.findIndex(({ event, isIssue }) => event === e && isIssue),
    );
    this.accessOf = steps.map(({ event, isIssue, isObservation }, s) => {
      const { [event]: about } = events;
      const accesses = (isIssue && isRead(about)) || (isObservation && isWrite(about));
      return accesses ? about.location : counted.find(({ to }) => to.includes(s));
    });
    const forwarded = new Set([...early.values()].flat());
    this.concerning = groupBy([...steps.keys()], (s) => {
      const { event, isIssue } = steps[s];
      const { [s]: accessed } = this.accessOf;
      return isIssue && forwarded.has(event) ? events[event].location : accessed;
    });
  }

  start(): RunState {
    const { events, steps } = this.rules;
    const isInitial = (e: number): boolean => steps.every(({ event }) => event !== e);
    return {
      ...{ done: 0n, turned: 0n, sources: events.map(() => -1) },
      places: events.map((event, e) => (isInitial(e) && isWrite(event) ? 0 : -1)),
    };
  }

  isFinal = ({ done }: RunState): boolean => done === this.all;

  /** What can be done next, as far as it has to be tried. */
  moves(state: RunState): readonly RunMove[] {
    return this.tried(state).flatMap((s) => this.ways(state, s));
  }

  /**
   * A step that accesses nothing, if it is possible and turns no order: it commutes with all that might come before it. Otherwise the accesses of one location that are possible, if
   * all other accesses of it wait for these: then one of these is first of them in each run to the end, and commutes with what comes before (a persistent set: Godefroid,
   * Partial-Order Methods, 1996).
   */
  private tried(state: RunState): readonly StepIndex[] {
    const { steps, needs } = this.rules;
    const open = [...steps.keys()].filter(
      (s) => !this.isDone(state, s) && (needs[s] & ~state.done) === 0n && this.isThere(state, s),
    );
    const quiet = open.find(
      (s) =>
        (this.accessOf[s] === undefined || this.isForced(state, s)) && !this.turns(state, s, []),
    );
    if (quiet !== undefined) return [quiet];
    let least = open;
    for (const location of new Set(open.map((s) => this.accessOf[s]))) {
      if (location === undefined) continue;
      const first = open.filter((s) => this.accessOf[s] === location);
      if (first.length < least.length && this.isPersistent(state, location, first)) least = first;
    }
    return least;
  }

  /** Has a later read of its location found what is in memory, so that this one has to find that, too, before anything is written? */
  private isForced(state: RunState, s: StepIndex): boolean {
    const { steps, events, coherence } = this.rules;
    const { event, isIssue } = steps[s];
    const { location } = events[event];
    if (location === undefined || !isIssue || !isRead(events[event]) || isWrite(events[event]))
      return false;
    const memory = this.inMemory(state, location);
    return coherence.some(
      ({ from, to, atoms }) => from === event && atoms.length === 0 && state.sources[to] === memory,
    );
  }

  private isPersistent(state: RunState, location: Accessed, first: readonly StepIndex[]): boolean {
    const bits = first.reduce((mask, s) => mask | (1n << BigInt(s)), 0n);
    return (
      this.concerning
        .get(location)!
        .every((s) => this.isDone(state, s) || (this.closures[s] & bits) !== 0n) &&
      first.every((s) => !this.turns(state, s, first))
    );
  }

  /** Does a step come before one that some order puts before it, other than these? */
  private turns(state: RunState, s: StepIndex, among: readonly StepIndex[]): boolean {
    const { orders } = this.rules;
    return this.ends[s].some((k) => {
      const [first] = orders[k];
      return !this.isDone(state, first) && !among.includes(first);
    });
  }

  /** The write of a location that is in memory. */
  inMemory({ places }: RunState, location: number): number {
    const here = this.accesses.get(location) ?? [];
    return here.reduce((last, e) => (places[e] > (places[last] ?? -1) ? e : last), -1);
  }

  /** Which way a guess has gone: the first that is left. */
  wayOf({ turned }: RunState, { ways }: GuessOrders): number {
    return ways.findIndex((way) => way.every((k) => (turned & (1n << BigInt(k))) === 0n));
  }

  private isDone = ({ done }: RunState, s: StepIndex): boolean =>
    s < 0 || (done & (1n << BigInt(s))) !== 0n;

  /** Is there still one of what a step takes, where that is counted? */
  private isThere(state: RunState, s: StepIndex): boolean {
    const done = (list: readonly StepIndex[]): number =>
      list.filter((step) => this.isDone(state, step)).length;
    return this.rules.counted.every(({ from, to }) => !to.includes(s) || done(from) > done(to));
  }

  private ways(state: RunState, s: StepIndex): readonly RunMove[] {
    const { events, steps, early } = this.rules;
    const { event, isIssue } = steps[s];
    if (!isIssue || !isRead(events[event])) return this.take(state, s, -1);
    const pending = (early.get(event) ?? []).filter(
      (w) => this.isDone(state, this.issueOf[w]) && state.places[w] < 0,
    );
    const memory = this.inMemory(state, events[event].location!);
    return [memory, ...pending].flatMap((source) => this.take(state, s, source));
  }

  /** The state after a step, unless it ends the run: a bet is lost, a guess can go neither way, or coherence is broken. */
  private take(state: RunState, s: StepIndex, source: number): readonly RunMove[] {
    const { events, steps, orders, guesses, decided, coherence } = this.rules;
    const { event, isObservation } = steps[s];
    let { turned } = state;
    for (const k of this.ends[s]) {
      if (!this.isDone(state, orders[k][0])) turned |= 1n << BigInt(k);
    }
    const writes = isObservation && isWrite(events[event]);
    const next: RunState = {
      done: state.done | (1n << BigInt(s)),
      turned,
      sources: source < 0 ? state.sources : state.sources.with(event, source),
      places: writes
        ? state.places.with(event, 1 + state.places[this.inMemory(state, events[event].location!)])
        : state.places,
    };
    if (guesses.some((guess) => this.wayOf(next, guess) < 0)) return [];
    const isBroken = decided.some(
      ({ atom, order }) => (turned & (1n << BigInt(order))) !== 0n && isSo(next, atom),
    );
    if (isBroken) return [];
    if ((source >= 0 || writes) && hasCircle(events.length, coherence, next)) return [];
    if (source >= 0 && !this.bets(next)) return [];
    return [{ step: s, source, state: next }];
  }
}

function closureOf(needs: readonly bigint[], step: StepIndex): bigint {
  let closure = 1n << BigInt(step);
  for (let before = 0n; before !== closure;) {
    before = closure;
    for (const [s, mask] of needs.entries())
      if ((before & (1n << BigInt(s))) !== 0n) closure |= mask;
  }
  return closure;
}

/** Is one write in memory before another one is, so far? */
const isBefore = ({ places }: RunState, a: number, b: number): boolean =>
  a !== b && places[a] >= 0 && (places[b] < 0 || places[a] < places[b]);

/** Is something known to be so? */
function isSo(state: RunState, { name, from, to }: Atom): boolean {
  if (name === 'rf') return state.sources[to] === from;
  if (name === 'mo') return isBefore(state, from, to);
  return state.sources[from] >= 0 && isBefore(state, state.sources[from], to);
}

/** Will a read that is not performed find a write that is in memory, or a later one? Then it comes after it. */
const isAhead = ({ sources, places }: RunState, { name, from, to }: Atom): boolean =>
  name === 'rf' && sources[to] < 0 && places[from] >= 0;

/** Do edges that are there, or paths for which they stand, make a circle? */
function hasCircle(count: number, edges: readonly Edge[], state: RunState): boolean {
  const after: number[][] = Array.from({ length: count }, () => []);
  const waiting = new Array<number>(count).fill(0);
  for (const { from, to, atoms } of edges) {
    if (atoms.length > 0 && !atoms.some((atom) => isSo(state, atom) || isAhead(state, atom)))
      continue;
    after[from].push(to);
    waiting[to] += 1;
  }
  const ready = [...waiting.keys()].filter((e) => waiting[e] === 0);
  for (const e of ready) for (const to of after[e]) if (--waiting[to] === 0) ready.push(to);
  return ready.length < count;
}

/** What tells two states on one way apart. */
export const keyOf = ({ done, turned, sources, places }: RunState): string =>
  `${done.toString(36)} ${turned.toString(36)} ${sources.join()} ${places.join()}`;
