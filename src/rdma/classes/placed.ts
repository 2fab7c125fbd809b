import { constantLocation } from '../../program/constant-location.js';
import type { Event, EventStructure, Value } from '../../program/events/structure.js';
import { INITIAL } from '../../program/events/structure.js';
import type { Location, LocationId, Program } from '../../program/program.js';
import type { Alphabet } from './alphabet.js';
import type { Draft } from './draft.js';
import { declared } from './renamed.js';
import { FIRST_VALUE, numbersOf, placesOf, registersOf } from './skeleton.js';

/**
 * What a program is unrolled to, from what its skeleton is unrolled to: other places and values, and one write in the
 * beginning for all that is one location. The same as if it were read and unrolled by itself, but that it does not have the
 * instructions.
 */
export function placed(
  skeleton: EventStructure,
  draft: Draft,
  { marks }: Pick<Alphabet, 'marks'>,
): EventStructure {
  return new Placing(skeleton, draft, marks).structure();
}

class Placing {
  /** By value of the skeleton, from the first on: what is in its place. */
  private readonly numbers: readonly number[];
  private readonly locations: Location[];
  /** By location of the skeleton. */
  private readonly places: readonly LocationId[];
  private readonly initial: readonly Event[];
  /** How much the numbers of events are moved. */
  private readonly by: number;

  constructor(
    private readonly skeleton: EventStructure,
    private readonly draft: Draft,
    marks: readonly string[],
  ) {
    const { locations } = draft;
    const slots = placesOf(draft);
    this.numbers = [...slots.map((place) => locations[place].initial), ...numbersOf(draft)];
    const { made, at } = declared(draft, skeleton.program.nodes, marks);
    this.locations = made;
    this.places = skeleton.program.locations.map((one): LocationId => {
      if (one.wire === true) return this.locations.push(one) - 1;
      const { owner, node, initial } = one;
      if (owner === undefined) return at[slots[initial - FIRST_VALUE]];
      return constantLocation(this.locations, owner, node, this.number(initial));
    });
    this.initial = this.initialWrites();
    this.by = this.initial.length - skeleton.events.filter((e) => e.thread === INITIAL).length;
  }

  structure(): EventStructure {
    const { skeleton, by } = this;
    const { events, values } = skeleton;
    return {
      ...skeleton,
      program: this.program(),
      events: [
        ...this.initial,
        ...events.flatMap((e) => (e.thread === INITIAL ? [] : [this.event(e)])),
      ],
      values: values.map((value) => this.value(value)),
      like: { structure: skeleton, by },
    };
  }

  private number(value: number): number {
    return value < FIRST_VALUE ? value : this.numbers[value - FIRST_VALUE];
  }

  private initialWrites(): readonly Event[] {
    const first: Event[] = [];
    for (const event of this.skeleton.events) {
      if (event.thread === INITIAL) first[this.places[event.location!]] ??= event;
    }
    const written = [...first.entries()].filter(([, event]) => event !== undefined);
    return written.map(([location, event], id) => ({ ...event, id, location }));
  }

  private value(value: Value): Value {
    if (value.op === 'const') return { op: 'const', value: this.number(value.value) };
    return value.op === 'read' ? { op: 'read', event: value.event + this.by } : value;
  }

  private event(event: Event): Event {
    const { location, beside } = event;
    return {
      ...event,
      id: event.id + this.by,
      location: location === undefined ? undefined : this.places[location],
      beside: beside?.map((other) => other + this.by),
    };
  }

  private program(): Program {
    const { program } = this.skeleton;
    const threads = program.threads.map((thread, t) => ({
      ...thread,
      registers: registersOf(this.draft.threads[t].calls),
      body: [],
    }));
    return { ...program, locations: this.locations, threads };
  }
}
