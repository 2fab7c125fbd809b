import { guessesOf } from '../program/events/guesses.js';
import type { Event, Value, ValueId } from '../program/events/structure.js';
import { isRead, isWrite } from '../program/events/structure.js';
import type { LocationId, Program } from '../program/program.js';
import type { CallSite, Receive, StandIn } from './calls.js';
import { eventsIn, eventsOf } from './calls.js';
import type { Calls, ClassId } from './classes.js';
import { alternativesOf } from './classes.js';
import type { Refusal } from './layers.js';
import type { ModelRelations } from './relations.js';

/**
 * Messages (the page on fabrics, section 7). What a receive writes is ordered with what is on the queue pair of the sender, so that it is the
 * call of a message that has these events: for each receive at the other end of its wire, a message has a call in which the events of that receive stand, and a completion of it.
 * What is left of a receive itself is that it is posted. Which receive it takes, a message knows when it begins; it arrives when it is that one's turn.
 */
export function joinMessages(
  calls: Calls,
  program: Program,
  relations: ModelRelations,
): Calls | Refusal {
  const wires = [...program.locations.keys()].filter((l) => program.locations[l].wire === true);
  const isOnWire = ({ location }: Event): boolean =>
    location !== undefined && wires.includes(location);
  if (!calls.classes.some(({ events }) => events.some(isOnWire))) return calls;
  return new Joining(calls, program, relations, wires).all();
}

/** What the events of calls on wires are to those that arrive. */
interface OnWire {
  readonly of: ClassId;
  readonly event: number;
}

class Joining {
  /** By wire: the arrivals, what they take, and what takes their completions. */
  private readonly arrivals = new Map<LocationId, OnWire[]>();
  private readonly receives = new Map<LocationId, OnWire[]>();
  private readonly completions = new Map<LocationId, OnWire[]>();

  constructor(
    private readonly calls: Calls,
    private readonly program: Program,
    private readonly relations: ModelRelations,
    private readonly wires: readonly LocationId[],
  ) {}

  all(): Calls | Refusal {
    const { classes } = this.calls;
    for (const wire of this.wires) this.note(wire);
    const misfit = this.misfit();
    if (misfit !== undefined) return misfit;
    const made: CallSite[] = [];
    const ids = classes.map((site, of) => this.sitesOf(of, site).map((one) => made.push(one) - 1));
    const variants: (readonly ClassId[])[] = [];
    for (const [of, own] of ids.entries()) {
      // Any of them stands for all.
      const all = this.calls.variants[of].flatMap((one) => ids[one]);
      for (const id of own) variants[id] = all;
    }
    const classAt = this.calls.classAt.map((row) => row.map((of) => (of < 0 ? of : ids[of][0])));
    return { ...this.calls, classAt, classes: made, variants };
  }

  private note(wire: LocationId): void {
    const { classes } = this.calls;
    const on = classes.flatMap(({ events }, of) =>
      events.flatMap((event, e) => (event.location === wire ? [{ of, event: e }] : [])),
    );
    const arrivals = on.filter(({ of, event }) => isWrite(classes[of].events[event]));
    this.arrivals.set(wire, arrivals);
    const others = on.filter(
      ({ of, event }) =>
        !arrivals.some((one) => one.of === of) && !isRead(classes[of].events[event]),
    );
    const isReceive = (one: OnWire): boolean =>
      arrivals.length > 0
        ? this.isTaken(one, arrivals[0])
        : // Nothing arrives: what would take something in is a receive.
          classes[one.of].events.some((e) => isRead(e) && e.location === wire);
    this.receives.set(wire, others.filter(isReceive));
    this.completions.set(
      wire,
      others.filter((one) => !isReceive(one)),
    );
  }

  /** Is an event one that arrivals take, by a guess that counts? */
  private isTaken({ of, event }: OnWire, arrival: OnWire): boolean {
    const { classes } = this.calls;
    const { instructions } = this.program;
    const together = eventsOf([classes[of], classes[arrival.of]]);
    return guessesOf(together, instructions).some(({ counted }) =>
      counted.some(({ from }) => from.events.includes(event)),
    );
  }

  private misfit(): Refusal | undefined {
    const { classes } = this.calls;
    for (const wire of this.wires) {
      const arrivals = this.arrivals.get(wire)!;
      const senders = new Set(arrivals.map(({ of }) => classes[of].thread));
      const call = classes[arrivals.at(-1)?.of ?? 0];
      if (senders.size > 1) return { message: 'several threads send on one queue pair', call };
      const sending = arrivals.map(({ of }) => of);
      const twice = sending.find((of, i) => sending.indexOf(of) !== i);
      if (twice !== undefined)
        return { message: 'a call is several messages', call: classes[twice] };
      for (const { of } of [...this.receives.get(wire)!, ...this.completions.get(wire)!]) {
        const { events, given, guards } = classes[of];
        const onWires = events.filter(({ location }) => this.wires.includes(location ?? -1));
        const isMixed = onWires.some((e) => isWrite(e) || e.location !== wire);
        if (isMixed || given > 0 || guards.length > 0 || !isPlain(classes[of]))
          return { message: 'a receive is part of a larger call', call: classes[of] };
      }
      for (const { of } of this.receives.get(wire)!) {
        const hasResult = classes[of].result !== undefined;
        const isPosted = alternativesOf(classes[of]).every(
          ({ events }) => events.filter((e) => this.isPosting(of, e, wire)).length === 1,
        );
        if (hasResult || !isPosted || this.postingOf(classes[of]) === undefined)
          return { message: 'a receive does more than to be posted', call: classes[of] };
      }
    }
    return undefined;
  }

  /** The event of a receive with which it is posted: the one of the way through it that has no others. */
  private postingOf(site: CallSite): number | undefined {
    const ways = alternativesOf(site).filter(({ events }) => events.length === 1);
    return ways.length === 1 ? ways[0].events[0] : undefined;
  }

  private sitesOf(of: ClassId, site: CallSite): readonly CallSite[] {
    for (const wire of this.wires) {
      const isHere = (list: ReadonlyMap<LocationId, readonly OnWire[]>): OnWire | undefined =>
        list.get(wire)!.find((one) => one.of === of);
      const [receive, completion] = [isHere(this.receives), isHere(this.completions)];
      if (receive !== undefined) return [this.posted(of, site, wire)];
      if (completion !== undefined) {
        const { event } = completion;
        return [{ ...site, message: { kind: 'completion', wire, event, use: site } }];
      }
      const arrival = isHere(this.arrivals);
      if (arrival !== undefined) return this.messages(site, wire, arrival.event);
    }
    return [site];
  }

  /** A receive that is posted, without what its message writes. */
  private posted(of: ClassId, site: CallSite, wire: LocationId): CallSite {
    const event = this.postingOf(site)!;
    return {
      ...site,
      events: [{ ...site.events[event], id: 0, path: [] }],
      message: { kind: 'posted', wire, event: 0, use: site, ...this.numberOf(of, wire) },
    };
  }

  /** Receives are told apart by numbers from 1 on. */
  private numberOf(
    of: ClassId,
    wire: LocationId,
  ): { readonly receive: number; readonly all: number } {
    const known = this.receivesAt(wire);
    return { receive: known.indexOf(of) + 1, all: known.length };
  }

  private isPosting(of: ClassId, event: number, wire: LocationId): boolean {
    return this.receives.get(wire)!.some((one) => one.of === of && one.event === event);
  }

  private receivesAt(wire: LocationId): readonly ClassId[] {
    return [...new Set(this.receives.get(wire)!.map(({ of }) => of))];
  }

  private messages(site: CallSite, wire: LocationId, arrival: number): readonly CallSite[] {
    const receives = this.receivesAt(wire);
    const all = receives.flatMap((of) =>
      alternativesOf(this.calls.classes[of]).map(({ events }) =>
        this.joined(site, wire, arrival, { of, events }),
      ),
    );
    // A receive that brings nothing is none for a message that brings something.
    const possible = all.filter((one) => !this.relations.of([one], [eventsIn(one)]).isForbidden);
    if (possible.length > 0) return possible;
    const none = { receive: 0, all: receives.length };
    return [{ ...site, message: { kind: 'sent', wire, arrival, use: site, ...none } }];
  }

  /** A message with the receive that it takes. */
  private joined(
    site: CallSite,
    wire: LocationId,
    arrival: number,
    { of, events }: { readonly of: ClassId; readonly events: readonly number[] },
  ): CallSite {
    const { classes } = this.calls;
    const receive = classes[of];
    // Each way through a receive has an event with which it is posted.
    const posting = events.find((e) => this.isPosting(of, e, wire))!;
    const first = site.events.length;
    const values = [...site.values];
    const add = (value: Value): ValueId => values.push(value) - 1;
    const valueOf = (id: ValueId): ValueId => {
      const value = receive.values[id];
      switch (value.op) {
        case 'const':
        case 'choice':
          return add(value);
        case 'read':
          // What is taken in is what the message brings.
          return receive.events[value.event].location === wire
            ? site.events[arrival].value!
            : add({ ...value, event: first + events.indexOf(value.event) });
        case 'unary':
          return add({ ...value, arg: valueOf(value.arg) });
        case 'binary':
          return add({ ...value, left: valueOf(value.left), right: valueOf(value.right) });
        case 'select': {
          const [condition, then, other] = [value.condition, value.then, value.else].map(valueOf);
          return add({ ...value, condition, then, else: other });
        }
      }
    };
    const standing = events.map((e, k): StandIn => {
      const { reads, value, ...event } = receive.events[e];
      const isTakenIn = reads === true && event.location === wire;
      return {
        ...{ ...event, id: first + k, path: [], part: 'receive', caller: site.thread },
        thread: RECEIVING + event.thread,
        ...(event.beside && {
          beside: event.beside.map((other) => first + events.indexOf(other)),
        }),
        ...(isTakenIn && { brings: true }),
        ...(reads === true && !isTakenIn && { reads }),
        ...(value !== undefined && { value: valueOf(value) }),
      };
    });
    const completion = this.completion(site, wire, first + standing.length);
    const isThere = (e: number): boolean =>
      e === posting || standing[events.indexOf(e)].brings === true;
    const there = events.reduce((mask, e, k) => (isThere(e) ? mask | (1 << (first + k)) : mask), 0);
    return {
      ...site,
      events: [...site.events, ...standing, ...completion],
      values,
      message: {
        ...{ kind: 'sent', wire, arrival, use: site, ...this.numberOf(of, wire) },
        carries: {
          there,
          posting: first + events.indexOf(posting),
          events: new Map(events.map((e, k) => [first + k, receive.events[e]])),
          ...(completion.length > 0 && { completion: first + standing.length }),
        } satisfies Receive,
      },
    };
  }

  /** A completion of a message, if somebody takes one. */
  private completion(
    { thread: caller }: CallSite,
    wire: LocationId,
    id: number,
  ): readonly StandIn[] {
    const [taken] = this.completions.get(wire)!;
    if (taken === undefined) return [];
    const event = this.calls.classes[taken.of].events[taken.event];
    const thread = COMPLETING + event.thread;
    return [{ ...event, id, path: [], part: 'completion', caller, thread }];
  }
}

/** Does nothing but the way that a call goes decide which of its events there are? */
const isPlain = ({ events, values, given }: CallSite): boolean =>
  events.every(({ path }) =>
    path.every(({ condition }) => {
      const value = values[condition];
      return value.op === 'choice' && value.choice >= given;
    }),
  );

/** More threads than a program has. What stands for events of a thread is not among those that it performs itself. */
const RECEIVING = 2 ** 20;
const COMPLETING = 2 ** 21;
