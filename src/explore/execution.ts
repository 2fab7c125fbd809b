import type { PerformedEvent } from '../check/witness/performed.js';
import { structureOf } from '../check/witness/performed.js';
import type { Pair, Witness } from '../check/witness/witness.js';
import type { CallSite } from '../machine/calls.js';
import { bringsIn, partOf, receiveOf } from '../machine/calls.js';
import type { Machine, TakenStep } from '../machine/machine.js';
import type { ModelRelations, StepMask } from '../machine/relations.js';
import { guessesIn } from '../program/events/guesses.js';
import { initialWrites } from '../program/events/initial.js';
import type { EventStructure } from '../program/events/structure.js';
import type { LocationId } from '../program/program.js';
import type { Span } from '../parse/diagnostics/index.js';

/** A call that a run has performed. */
interface PerformedCall {
  readonly site: CallSite;
  readonly span: Span;
  /** By event: what it has read and written, and when its steps were taken: its issue, and its observation. */
  readonly events: Map<number, Performed>;
  /** Of a receive: the message that has taken it. */
  message?: PerformedCall;
}

interface Performed {
  read?: number;
  written?: number;
  /** The write that it reads; the initial one, if there is none. */
  source?: Performed;
  issued: number;
  observed: number;
}

/**
 * The execution that a run performs. Memory decides `rf` and `mo`; a guess between two events goes the way that the run has gone.
 *
 * @param steps all steps of a run in which each call that was begun is finished
 */
export function executionOf(
  machine: Machine,
  relations: ModelRelations,
  steps: readonly TakenStep[],
): { readonly structure: EventStructure; readonly witness: Witness } | { readonly wrong: string } {
  return new PerformedRun(machine, relations).all(steps);
}

class PerformedRun {
  /** By thread, in program order. */
  private readonly calls: PerformedCall[][];
  /** Those that may still go on, by their places. */
  private readonly open: PerformedCall[][];
  /** By location: its writes, in the order in which they came to memory. */
  private readonly writes = new Map<LocationId, Performed[]>();
  /** By wire: the receives that are posted and that no message has taken, the first one first. */
  private readonly posted = new Map<LocationId, PerformedCall[]>();
  private readonly program;

  constructor(
    private readonly machine: Machine,
    private readonly relations: ModelRelations,
  ) {
    this.program = machine.layout.program;
    this.calls = this.program.threads.map(() => []);
    this.open = this.program.threads.map(() => []);
  }

  all(steps: readonly TakenStep[]): ReturnType<typeof executionOf> {
    steps.forEach((step, at) => this.take(step, at));
    const initial = initialWrites(this.program);
    const events: PerformedEvent[] = initial.map((event) => ({
      ...event,
      ...{ read: undefined, written: this.program.locations[event.location].initial },
    }));
    const ids = new Map<Performed, number>();
    const all = this.calls.flat();
    const first = new Map(all.map((call) => [call, new Map<number, number>()]));
    for (const [use, call] of all.entries()) {
      const own = first.get(call)!;
      const add = (of: PerformedCall, e: number): void => {
        first.get(of)!.set(e, events.length);
        ids.set(of.events.get(e)!, events.length);
        events.push(this.eventOf(of, e, own, { use, call: use, span: call.span }));
      };
      const isOwn = (e: number): boolean => partOf(call.site.events[e]) === undefined;
      for (const e of positionsOf(call)) if (isOwn(e)) add(call, e);
      if (call.message === undefined) continue;
      // What the message writes is of the receive that it has taken.
      const { message } = call;
      const receive = receiveOf(message.site)!;
      first.get(message)!.set(receive.posting, own.get(0)!);
      for (const e of positionsOf(message)) {
        if (receive.events.has(e) && e !== receive.posting) add(message, e);
      }
    }
    const structure = structureOf(this.program, events, steps.length + 1);
    const initials = new Map(initial.map(({ location }, id) => [location, id]));
    const ways = this.ways(first);
    if (ways === undefined) return { wrong: 'a guess goes neither way' };
    return { structure, witness: this.witness(structure, ids, initials, ways) };
  }

  private take(step: TakenStep, at: number): void {
    switch (step.kind) {
      case 'begin': {
        const { classes, flows } = this.machine.layout.calls;
        const flowStep = flows[step.thread].steps[step.place];
        if (flowStep.kind !== 'use') return;
        const site = classes[step.of];
        const { span } = flowStep.use;
        const call = { site, span, events: new Map<number, Performed>() };
        this.calls[step.thread].push(call);
        this.open[step.thread].push(call);
        return;
      }
      case 'forget': {
        const before = this.open[step.thread];
        this.open[step.thread] = step.from.map((i) => before[i]);
        return;
      }
      case 'event':
        return this.event(step, at);
      case 'set':
      case 'assertion':
      case 'pass':
      case 'leave':
        return;
    }
  }

  private event(step: Extract<TakenStep, { kind: 'event' }>, at: number): void {
    const open = this.open[step.thread];
    const { events } = open[step.call];
    const event = performed(events, step.event.id);
    if (step.isIssue) event.issued = at;
    if (!step.isIssue || step.isWhole) event.observed = at;
    if (event.observed === at) this.onWire(open[step.call], step, at);
    const { location } = step.event;
    if (location === undefined) return;
    const writes = this.writes.get(location) ?? [];
    this.writes.set(location, writes);
    if (step.reads !== undefined) {
      const { source } = step;
      event.read = step.reads;
      event.source =
        source === undefined ? writes.at(-1) : performed(open[source.call].events, source.event);
    }
    for (const writer of step.writers) {
      const write = performed(events, writer);
      // What is taken with another event has no steps of its own.
      if (writer !== step.event.id) write.issued = write.observed = at;
      write.written = step.writes;
      writes.push(write);
    }
  }

  /** A receive that is posted, and a message that arrives and takes the first one. */
  private onWire(
    call: PerformedCall,
    { event, value }: Extract<TakenStep, { kind: 'event' }>,
    at: number,
  ): void {
    const { message } = call.site;
    if (message === undefined) return;
    const posted = this.posted.get(message.wire) ?? [];
    this.posted.set(message.wire, posted);
    if (message.kind === 'posted') posted.push(call);
    if (message.kind !== 'sent' || event.id !== message.arrival) return;
    const receive = posted.shift();
    if (receive !== undefined) receive.message = call;
    const source = performed(call.events, message.arrival);
    for (const [e, taken] of call.site.events.entries()) {
      const isPosting = e === message.carries?.posting;
      if (!isPosting && !bringsIn(taken)) continue;
      const performs = isPosting ? {} : { read: value, source };
      call.events.set(e, { ...performs, issued: at, observed: at });
    }
  }

  private eventOf(
    call: PerformedCall,
    e: number,
    own: ReadonlyMap<number, number>,
    of: { readonly use: number; readonly call: number; readonly span: Span },
  ): PerformedEvent {
    const { read, written } = call.events.get(e)!;
    const event = receiveOf(call.site)?.events.get(e) ?? call.site.events[e];
    const beside = event.beside?.flatMap((other) => own.get(other) ?? []);
    return { ...event, ...of, beside, read, written };
  }

  private witness(
    structure: EventStructure,
    ids: ReadonlyMap<Performed, number>,
    initials: ReadonlyMap<LocationId, number>,
    ways: ReadonlyMap<string, boolean>,
  ): Witness {
    const rf: Pair[] = [];
    const reads: (readonly [number, number])[] = [];
    for (const [event, id] of ids) {
      if (event.read === undefined) continue;
      const { location } = structure.events[id];
      reads.push([id, event.read]);
      rf.push([event.source === undefined ? initials.get(location!)! : ids.get(event.source)!, id]);
    }
    const mo = [...this.program.locations.keys()].flatMap((location) => {
      const initial = initials.get(location);
      const writes = (this.writes.get(location) ?? []).map((w) => ids.get(w)!);
      const order = initial === undefined ? writes : [initial, ...writes];
      return order.flatMap((a, i) => order.slice(i + 1).map((b): Pair => [a, b]));
    });
    const places = new Map(
      [...this.writes.values()].flatMap((list) => list.map((w, k) => [ids.get(w)!, k])),
    );
    const inOrder =
      (name: string | undefined) =>
      (a: number, b: number): number => {
        if (a === b) return 0;
        // Of one location, memory has an order.
        if (name === 'mo') return places.get(a)! - places.get(b)!;
        return isTurned(ways, name!, a, b) ? 1 : -1;
      };
    const guessed = guessesIn(structure).flatMap(({ name, chosen, pairs, classes, counted }) => {
      if (!chosen) return [];
      const either = pairs.map(([a, b]): Pair => (isTurned(ways, name, a, b) ? [b, a] : [a, b]));
      const total = classes.flatMap((members) => {
        const order = [...members].sort(inOrder(name));
        return order.flatMap((a, i) => order.slice(i + 1).map((b): Pair => [a, b]));
      });
      const partners = counted.flatMap(({ from, to }) => {
        const sources = [...from.events].sort(inOrder(from.by));
        return [...to.events].sort(inOrder(to.by)).map((of, k): Pair => [sources[k], of]);
      });
      return [[name, [...either, ...total, ...partners]]];
    });
    return { choices: [], rf, mo, guessed: Object.fromEntries(guessed), reads };
  }

  /** By guess and events, the first one with the smaller number: does the guess put the second one first? Undefined: some guess goes neither way. */
  private ways(
    ids: ReadonlyMap<PerformedCall, ReadonlyMap<number, number>>,
  ): ReadonlyMap<string, boolean> | undefined {
    const found = new Map<string, boolean>();
    const note = (guess: string, a: number, b: number, isTurned: boolean): void => {
      // What a message writes is an event of another thread.
      if (a < b) found.set(keyOf(guess, a, b), isTurned);
      else found.set(keyOf(guess, b, a), !isTurned);
    };
    const calls = this.calls.flat();
    for (const [i, one] of calls.entries()) {
      for (const other of [undefined, ...calls.slice(i + 1)]) {
        const both = other === undefined ? [one] : [one, other];
        const asked = this.relations.of(
          both.map(({ site }) => site),
          both.map(({ events }) => [...events.keys()].reduce((mask, e) => mask | (1 << e), 0)),
        );
        const { length } = one.site.events;
        const idOf = (e: number): number =>
          e < length ? ids.get(one)!.get(e)! : ids.get(other!)!.get(e - length)!;
        for (const [k, { guess, between }] of asked.either.entries()) {
          const [a, b] = between;
          if (other !== undefined && a < length === b < length) continue;
          const isOpen = asked.ways[k].map((needs) => isTaken(needs, (e) => stepsOf(both, e)));
          if (!isOpen[0] && !isOpen[1]) return undefined;
          note(guess, idOf(a), idOf(b), !isOpen[0]);
        }
        for (const { guess, between, steps } of asked.free) {
          const [a, b] = between;
          if (other !== undefined && a < length === b < length) continue;
          const [first, second] = steps.map((step) => timeOf(step, (e) => stepsOf(both, e)));
          note(guess, idOf(a), idOf(b), first > second);
        }
      }
    }
    return found;
  }
}

/** The events that a call has performed, in order. */
const positionsOf = ({ events }: PerformedCall): readonly number[] =>
  [...events.keys()].sort((a, b) => a - b);

function performed(events: Map<number, Performed>, e: number): Performed {
  const known = events.get(e) ?? { issued: -1, observed: -1 };
  events.set(e, known);
  return known;
}

function stepsOf([one, other]: readonly PerformedCall[], e: number): Performed {
  const { length } = one.site.events;
  return (e < length ? one.events.get(e) : other.events.get(e - length))!;
}

function timeOf(step: number, stepsOfEvent: (e: number) => Performed): number {
  const { issued, observed } = stepsOfEvent(step >> 1);
  return (step & 1) === 0 ? issued : observed;
}

/** Were steps taken in an order in which each has what it needs? */
function isTaken(needs: readonly StepMask[], stepsOfEvent: (e: number) => Performed): boolean {
  const time = (step: number): number => timeOf(step, stepsOfEvent);
  return needs.every((mask, step) => {
    if (mask === 0) return true;
    for (let first = 0; first < needs.length; first++) {
      if ((mask & (1 << first)) !== 0 && time(first) > time(step)) return false;
    }
    return true;
  });
}

const keyOf = (guess: string, a: number, b: number): string => `${guess} ${a} ${b}`;

const isTurned = (
  ways: ReadonlyMap<string, boolean>,
  guess: string,
  a: number,
  b: number,
): boolean =>
  a < b ? ways.get(keyOf(guess, a, b)) === true : ways.get(keyOf(guess, b, a)) === false;
