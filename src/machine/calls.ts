import type { LocationId, Program } from '../program/program.js';
import { queuePairsOf } from '../program/queue-pairs.js';
import { StructureDraft } from '../program/events/draft.js';
import type { Constraint, Event, Path, Value, ValueId } from '../program/events/structure.js';
import type { Given } from '../program/events/use.js';
import { Use } from '../program/events/use.js';
import type { FlowUse } from '../program/flow/graph.js';

/**
 * A use of an operation as it stands in a program: its events, as they are in every call that it makes. Ids of events are their positions in the
 * list; values are over what the call was given (`choice` 0 up to `given`), the choice of an alternative (`choice` from there on), and what its events have read.
 */
export interface CallSite {
  readonly thread: number;
  readonly events: readonly Event[];
  readonly values: readonly Value[];
  /** How many values it is given by the thread. */
  readonly given: number;
  /** The value of the call, if its operation has one. */
  readonly result?: ValueId;
  /** Conditions that have to be true on their paths: the guards of alternatives. */
  readonly guards: readonly Guard[];
  /** What is divided by: there is no telling of runs in which it is 0. */
  readonly divisors: readonly Guard[];
  /** What it has to do with messages, if it has: see `joinMessages`. */
  readonly message?: MessagePart;
}

/** A call on a wire. Of the receives at one end of it, each has a number from 1 on. */
export type MessagePart = {
  readonly wire: LocationId;
  /** The call as it stands in the program. */
  readonly use: CallSite;
} & (
  | {
      readonly kind: 'sent';
      readonly arrival: number;
      /** The receive that it takes; 0: there is none. */
      readonly receive: number;
      readonly all: number;
      readonly carries?: Receive;
    }
  | {
      readonly kind: 'posted';
      readonly event: number;
      readonly receive: number;
      readonly all: number;
    }
  /** It takes the completion of a receive. */
  | { readonly kind: 'completion'; readonly event: number }
);

/** What the call of a message has of the receive that it takes. */
export interface Receive {
  /** Events that have no steps there: that it is posted, and that the message is taken in. As bits. */
  readonly there: number;
  /** The one that stands for its being posted. */
  readonly posting: number;
  /** By their positions: the events of the receive for which they stand. */
  readonly events: ReadonlyMap<number, Event>;
  /** The event that stands for its completion, if somebody takes completions. */
  readonly completion?: number;
}

/** An event in the call of a message that stands for one of the thread that receives. */
export interface StandIn extends Event {
  readonly part: 'receive' | 'completion';
  /** The thread that makes the call. */
  readonly caller: number;
  /** Does it stand for a read of what the message brings? */
  readonly brings?: true;
}

export const partOf = (event: Event): StandIn['part'] | undefined =>
  (event as Partial<StandIn>).part;

/** What a message has of the receive that it takes. */
export const receiveOf = ({ message }: CallSite): Receive | undefined =>
  message?.kind === 'sent' ? message.carries : undefined;

/** All events of a call, as bits. */
export const eventsIn = ({ events }: CallSite): number => (1 << events.length) - 1;

/** The thread that makes the call of an event. */
export const callerOf = (event: Event): number =>
  (event as Partial<StandIn>).caller ?? event.thread;

export const bringsIn = (event: Event): boolean => (event as Partial<StandIn>).brings === true;

/** A value that must not be 0 on a path. */
export type Guard = Pick<Constraint, 'path' | 'condition'>;

/** The events of a use of an operation in a thread. */
export function callSiteOf(program: Program, thread: number, use: FlowUse): CallSite {
  const draft = new StructureDraft(program, {
    bound: 0,
    prefixes: false,
    leavable: [],
    shortened: new Set(),
    limit: Infinity,
  });
  const given = use.given.map((argument): Given =>
    argument.kind === 'value' ? { kind: 'number', value: draft.table.choice() } : argument,
  );
  const guards: Guard[] = [];
  const divisors: Guard[] = [];
  const made = new Use(use.operation, given, draft, {
    node: program.threads[thread].node,
    place: (path: Path) => ({ id: draft.events.length, thread, call: 0, path, span: use.span }),
    require: (condition, path) => guards.push({ condition, path }),
    divide: (condition, path) => divisors.push({ condition, path }),
    tags: use.tags,
    about: queuePairsOf(program, thread),
  });
  const result = made.perform([]);
  return {
    thread,
    events: draft.events,
    values: draft.table.values,
    given: given.filter(({ kind }) => kind === 'number').length,
    ...(result === undefined ? {} : { result }),
    guards,
    divisors,
  };
}

/**
 * The events of some calls, one behind the other in each thread, with ids and uses of their own. What stands for events of a receive is one use, and its completion
 * another one; how they are ordered with those of other messages, the thread that receives does not say.
 */
export function eventsOf(calls: readonly CallSite[]): readonly Event[] {
  const events: Event[] = [];
  calls.forEach((site, call) => {
    const { length: first } = events;
    const before = [...events.keys()].filter((id) => partOf(events[id]) !== undefined);
    for (const event of site.events) {
      const part = partOf(event);
      const own = event.beside?.map((id) => first + id);
      const beside = part === undefined ? own : [...before, ...(own ?? [])];
      const use = call + calls.length * (part === undefined ? 0 : part === 'receive' ? 1 : 2);
      events.push({ ...event, id: first + event.id, beside, use, call });
    }
  });
  return events;
}
