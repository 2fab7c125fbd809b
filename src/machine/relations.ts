import type { InstructionSet } from '../model/instructions/set.js';
import type { Model } from '../model/term.js';
import type { Event } from '../program/events/structure.js';
import { INITIAL } from '../program/events/structure.js';
import type { CallSite } from './calls.js';
import { bringsIn, eventsOf, partOf } from './calls.js';
import type { Before, Covering, PairMisfit } from './constraints.js';
import { constraintsOf, joinedIn } from './constraints.js';
import type { MachineLayers } from './layers.js';
import type { Atom } from './atoms.js';
import { ALWAYS, NEVER, OTHER } from './atoms.js';
import type { Layered } from './pairs.js';
import { layered } from './pairs.js';

/** Some events of a call, by their positions in it, as bits. */
export type EventMask = number;

/** Steps of one call, or of two, as bits: of event e, `2 * e` for its issue and `2 * e + 1` for its observation. Those of a second call come behind. */
export type StepMask = number;

/** What a model asks of the steps of one call, or of two calls, of which only some events are executed. */
export interface Relations {
  /** For each step: the steps that come before it in every run. */
  readonly needs: readonly StepMask[];
  /** For each guess between two events: the two ways in which it can go, as what each step needs then. */
  readonly ways: readonly (readonly [readonly StepMask[], readonly StepMask[]])[];
  /** These guesses, and the two events of each. */
  readonly either: readonly {
    readonly guess: string;
    readonly between: readonly [number, number];
  }[];
  /** Guesses of which nothing but the order of two steps tells which way they go. */
  readonly free: readonly {
    readonly guess: string;
    readonly between: readonly [number, number];
    readonly steps: readonly [number, number];
  }[];
  /** What the steps of an event need where it is the partner of an event by rank: see `Partner`. */
  readonly partners: readonly {
    readonly guess: string;
    readonly from: number;
    readonly to: number;
    readonly needs: readonly StepMask[];
  }[];
  readonly early: readonly { readonly write: number; readonly read: number }[];
  readonly covering: readonly Covering[];
  readonly inst: readonly boolean[];
  /** By event: the event with whose step it is taken; itself, if it has steps of its own. */
  readonly taken: readonly number[];
  readonly misfits: readonly PairMisfit[];
  /** Does an axiom rule these events out? */
  readonly isForbidden: boolean;
  /** Pairs of events of which the second cannot be behind the first: in any run, or where they are partners by rank. */
  readonly excluded: readonly ExcludedPair[];
  /** By check of an axiom: the events that need another one before them, which none of these is. */
  readonly lacking: readonly EventMask[];
  /** By guess whose partners are by rank: pairs of events that may be partners, and all events that need one. */
  readonly ranked: ReadonlyMap<string, RankedPairs>;
  /** Events that are counted: each of `to` needs that more of `from` have been performed than of `to`. */
  readonly counted: readonly CountedPair[];
}

/** By their positions in the calls. */
export interface CountedPair {
  readonly guess: string;
  readonly from: readonly number[];
  readonly to: readonly number[];
}

export interface ExcludedPair {
  readonly from: number;
  readonly to: number;
  /** The guesses by which they are partners then. Undefined: in any run. */
  readonly guesses: readonly string[] | undefined;
}

export interface RankedPairs {
  readonly pairs: readonly (readonly [number, number])[];
  readonly asking: readonly number[];
}

/** More masks than events of a call can have. */
const PLACES = 2 ** 16;

/** What a model asks of calls, worked out once for calls that are alike as far as the model can tell. */
export class ModelRelations {
  private readonly known = new Map<string, Relations>();
  /** The same by the calls themselves: by the first, the second, and what is executed. */
  private readonly found = new WeakMap<CallSite, Map<CallSite, Map<number, Relations>>>();
  private readonly joined = new Map<string, readonly number[]>();

  constructor(
    private readonly model: Model,
    private readonly layers: MachineLayers,
    private readonly instructions: InstructionSet,
  ) {}

  /** Is there something that two calls may rule out? */
  get rulesOutPairs(): boolean {
    return this.layers.checks.some(({ kind }) => kind !== 'call');
  }

  /** Of one call, or of two calls in this order, if they are of one thread. Events that are not executed have no steps. */
  of(calls: readonly CallSite[], executed: readonly EventMask[]): Relations {
    const [first, second = first] = calls;
    const rows = this.found.get(first) ?? new Map<CallSite, Map<number, Relations>>();
    this.found.set(first, rows);
    const row = rows.get(second) ?? new Map<number, Relations>();
    rows.set(second, row);
    const [one, other = -1] = executed;
    const key = one * PLACES + other + 1;
    const known = row.get(key);
    if (known !== undefined) return known;
    const made = this.byPattern(calls, executed);
    row.set(key, made);
    return made;
  }

  /** Of a call behind initial writes, where it accesses something. */
  behindInitial(call: CallSite): Relations {
    const places = new Map(call.events.map(({ location = 0, home }) => [location, home]));
    const events = [...places].map(([location, home], id): Event => {
      const { initial: label = '' } = this.instructions;
      return { id, thread: INITIAL, label, path: [], location, value: 0, ...(home && { home }) };
    });
    const first = { ...call, thread: INITIAL, events };
    return this.of(
      [first, call],
      [first, call].map((site) => (1 << site.events.length) - 1),
    );
  }

  private byPattern(calls: readonly CallSite[], executed: readonly EventMask[]): Relations {
    const events = eventsOf(calls);
    const places = calls.flatMap((call, c) =>
      call.events.map((_, e) => (executed[c] & (1 << e)) !== 0),
    );
    const key = patternOf(events, places);
    const before = this.known.get(key);
    if (before !== undefined) return before;
    const list = [...events.keys()].filter((e) => places[e]);
    const taken = calls.flatMap((call, c) => {
      const first = calls.slice(0, c).reduce((sum, { events: own }) => sum + own.length, 0);
      return this.takenIn(call).map((e) => first + e);
    });
    const made = this.relations(events, list, taken);
    this.known.set(key, made);
    return made;
  }

  /** By event of a call: the one with whose step it is taken. */
  private takenIn(call: CallSite): readonly number[] {
    const events = eventsOf([call, elsewhere(call)]);
    const key = patternOf(
      events,
      events.map(() => true),
    );
    const known = this.joined.get(key);
    if (known !== undefined) return known;
    const some = layered(this.model, this.layers, this.instructions, events);
    const taken = [...call.events.keys()];
    for (const { read, write } of joinedIn(some)) if (write < taken.length) taken[write] = read;
    this.joined.set(key, taken);
    return taken;
  }

  private relations(
    events: readonly Event[],
    list: readonly number[],
    taken: readonly number[],
  ): Relations {
    const some = layered(
      this.model,
      this.layers,
      this.instructions,
      list.map((e) => events[e]),
    );
    const joined = list.flatMap((e, write) => {
      const read = list.indexOf(taken[e]);
      return taken[e] === e || read < 0 ? [] : [{ read, write }];
    });
    const { always, ways, free, partners, early, covering, inst, misfits } = constraintsOf(
      some,
      joined,
    );
    const needs = needsOf(events.length, list, always);
    for (const [first, second] of completionsInOrder(events, list)) {
      needs[2 * second] |= 1 << (2 * first);
    }
    const ranked = new Map<string, RankedPairs>();
    for (const { name, ranked: classes } of some.guesses) {
      if (classes.length === 0) continue;
      const pairs = classes.flatMap(({ from, to }) =>
        from.flatMap((a) => to.map((b) => [list[a], list[b]] as const)),
      );
      ranked.set(name, { pairs, asking: classes.flatMap(({ to }) => to.map((b) => list[b])) });
    }
    return {
      needs,
      ways: ways.map(({ ways: [one, other] }) => [
        needsOf(events.length, list, one),
        needsOf(events.length, list, other),
      ]),
      either: ways.map(({ guess, between: [a, b] }) => ({ guess, between: [list[a], list[b]] })),
      free: free.map(({ guess, between: [a, b], steps: [first, second] }) => ({
        guess,
        between: [list[a], list[b]],
        steps: [moved(first, list), moved(second, list)],
      })),
      partners: partners.map(({ guess, from, to, before }) => ({
        guess,
        from: list[from],
        to: list[to],
        needs: needsOf(events.length, list, before),
      })),
      early: early.map(([write, read]) => ({ write: list[write], read: list[read] })),
      covering: covering.map(({ write, read, since }) => ({
        write: list[write],
        read: list[read],
        since: moved(since, list),
      })),
      inst: events.map((_, e) => list.includes(e) && inst[list.indexOf(e)]),
      taken,
      misfits,
      isForbidden: some.isForbidden,
      excluded: excludedIn(some).map(({ from, to, guesses }) => ({
        ...{ from: list[from], to: list[to], guesses },
      })),
      lacking: some.lacking.map((lacking) => lacking.reduce((mask, e) => mask | (1 << list[e]), 0)),
      ranked,
      counted: some.guesses.flatMap(({ name: guess, counted }) =>
        counted.map(({ from, to }) => ({
          guess,
          from: from.events.map((e) => list[e]),
          to: to.events.map((e) => list[e]),
        })),
      ),
    };
  }
}

function excludedIn(some: Layered): readonly ExcludedPair[] {
  const all = [...some.events.keys()];
  return all.flatMap((from) =>
    all.flatMap((to): readonly ExcludedPair[] => {
      const value = some.excluded(from, to);
      if (value === NEVER) return [];
      if (value === ALWAYS || value === OTHER)
        return [{ from, to, guesses: value === ALWAYS ? undefined : [] }];
      const atoms = some.atomsOf(value).filter((atom) => !isAgainstOrder(some, atom));
      if (atoms.length === 0) return [];
      const isOwn = atoms.every((atom) => atom.from === from && atom.to === to);
      return [{ from, to, guesses: isOwn ? atoms.map(({ name }) => name) : [] }];
    }),
  );
}

/** Is a layer the other way round in every run, so that a guess which is in it never goes this way? */
function isAgainstOrder(some: Layered, { name, from, to }: Atom): boolean {
  return [some.issued, some.observed].some((layer) => {
    const value = layer(from, to);
    const isIn =
      value !== ALWAYS &&
      value !== OTHER &&
      some.atomsOf(value).some((one) => one.name === name && one.from === from && one.to === to);
    return isIn && layer(to, from) === ALWAYS;
  });
}

/** Completions of messages are taken in the order of the messages. */
function completionsInOrder(
  events: readonly Event[],
  list: readonly number[],
): readonly (readonly [number, number])[] {
  const all = list.filter((e) => partOf(events[e]) === 'completion');
  const [first, second] = all;
  const isOne = all.length === 2 && events[first].location === events[second].location;
  return isOne ? [[first, second]] : [];
}

/** The same call in another thread. */
const elsewhere = (call: CallSite): CallSite => ({
  ...call,
  thread: call.thread + 1,
  events: call.events.map((event) => ({ ...event, thread: call.thread + 1 })),
});

const moved = (step: number, list: readonly number[]): number => 2 * list[step >> 1] + (step & 1);

function needsOf(size: number, list: readonly number[], before: readonly Before[]): StepMask[] {
  const needs = new Array<StepMask>(2 * size).fill(0);
  for (const [first, second] of before) needs[moved(second, list)] |= 1 << moved(first, list);
  return needs;
}

/** What a model can tell of events: calls with the same pattern have the same relations. */
function patternOf(events: readonly Event[], executed: readonly boolean[]): string {
  const numbers = new Map<string, number>();
  const number = (kind: string, value: unknown): number => {
    const key = `${kind} ${String(value)}`;
    const known = numbers.get(key) ?? numbers.size;
    numbers.set(key, known);
    return known;
  };
  return events
    .map((e, i) =>
      [
        executed[i],
        e.label,
        e.reads,
        e.value !== undefined,
        e.use,
        e.call,
        partOf(e),
        bringsIn(e),
        e.thread === INITIAL,
        number('thread', e.thread),
        e.location === undefined ? '' : number('location', e.location),
        e.home === undefined ? '' : number('node', e.home),
        e.node === undefined ? '' : number('node', e.node),
        e.own === undefined ? '' : number('node', e.own),
        e.joint,
        e.connected,
        e.completions === undefined ? '' : number('completion queue', e.completions),
        e.queuePair === undefined ? '' : number('queue pair', `${e.node} ${e.queuePair}`),
        e.work === undefined ? '' : number('work', e.work),
        e.object === undefined ? '' : number('object', e.object),
        e.tags?.join('+'),
        e.beside?.join('+'),
        e.operation,
        e.library,
        e.mark,
      ].join(),
    )
    .join(';');
}
