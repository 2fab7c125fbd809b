import { isRead, isWrite } from '../../program/events/structure.js';
import type { Atom } from '../atoms.js';
import type { Edge, GuessOrders, RunRules, Step, StepIndex } from './rules.js';

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

/** What is taken for granted of the values on a way: whether a state contradicts none of it. */
export type Bets = (state: RunState) => boolean;

/** The runs on one way through a program: what is taken for granted of a branch is checked as soon as it is known. */
export class WayMachine {
  private readonly all: bigint;
  /** By step: the orders that it ends, and those of which it is the first step. */
  private readonly ends: readonly (readonly number[])[];
  private readonly accesses: ReadonlyMap<number, readonly number[]>;
  /** By event and layer: its step. */
  private readonly issueOf: readonly StepIndex[];
  private readonly observationOf: readonly StepIndex[];

  constructor(
    private readonly rules: RunRules,
    private readonly bets: Bets,
  ) {
    const { steps, orders, events } = rules;
    this.all = (1n << BigInt(steps.length)) - 1n;
    this.ends = steps.map((_, s) => [...orders.keys()].filter((k) => orders[k][1] === s));
    const accesses = new Map<number, number[]>();
    for (const [e, { location }] of events.entries()) {
      if (location !== undefined) accesses.set(location, [...(accesses.get(location) ?? []), e]);
    }
    this.accesses = accesses;
    const stepOf = (test: (step: Step) => boolean): readonly StepIndex[] =>
      events.map((_, e) => steps.findIndex((step) => step.event === e && test(step)));
    this.issueOf = stepOf(({ isIssue }) => isIssue);
    this.observationOf = stepOf(({ isObservation }) => isObservation);
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

  /** All that can be done next; one thing alone, if it can come first without any loss. */
  moves(state: RunState): readonly RunMove[] {
    const { steps, needs } = this.rules;
    const open = [...steps.keys()].filter(
      (s) => !this.isDone(state, s) && (needs[s] & ~state.done) === 0n,
    );
    const first = open.find((s) => this.isFree(state, s));
    return (first === undefined ? open : [first]).flatMap((s) => this.ways(state, s));
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

  /**
   * Can a step come first, whatever else is possible? It can if no order is turned by it, and if no step to come is about what it accesses: then it commutes with all that could
   * come before it.
   */
  private isFree(state: RunState, s: StepIndex): boolean {
    const { events, steps, orders } = this.rules;
    if (this.ends[s].some((k) => !this.isDone(state, orders[k][0]))) return false;
    const { event, isIssue, isObservation } = steps[s];
    const { [event]: about } = events;
    const reads = isIssue && isRead(about);
    const writes = isObservation && isWrite(about);
    if (!reads && !writes) return true;
    return this.accesses.get(about.location!)!.every((e) => {
      if (e === event) return true;
      const isRead_ = isRead(events[e]) && !this.isDone(state, this.issueOf[e]);
      const isWrite_ = isWrite(events[e]) && !this.isDone(state, this.observationOf[e]);
      return !isWrite_ && !(writes && isRead_);
    });
  }
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

function hasCircle(count: number, edges: readonly Edge[], state: RunState): boolean {
  const after: number[][] = Array.from({ length: count }, () => []);
  const waiting = new Array<number>(count).fill(0);
  for (const { from, to, atoms } of edges) {
    if (atoms.length > 0 && !atoms.some((atom) => isSo(state, atom))) continue;
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
