import { guessedAsIn } from '../../program/events/guesses.js';
import { emptyAsIn } from '../../program/events/narrow.js';
import { constantLocation } from '../../program/constant-location.js';
import type {
  Event,
  EventStructure,
  Path,
  Value,
  ValueId,
} from '../../program/events/structure.js';
import { INITIAL } from '../../program/events/structure.js';
import type { ValueTable } from '../../program/events/values.js';
import { createValueTable } from '../../program/events/values.js';
import type { Location, LocationId, Program } from '../../program/program.js';
import type { Alphabet } from './alphabet.js';
import type { Draft } from './draft.js';
import { declared, renamed } from './renamed.js';
import { FIRST_VALUE, numbersOf, placesOf, registersOf } from './skeleton.js';

/**
 * What a program is unrolled to, from what its skeleton is unrolled to: other places and values, and one write in the
 * beginning for all that is one location. The same as if it were read and unrolled by itself, but for places in the text.
 */
export function placed(
  skeleton: EventStructure,
  draft: Draft,
  { marks }: Pick<Alphabet, 'marks'>,
): EventStructure {
  const placing = new Placing(skeleton, draft, marks);
  const structure = placing.structure();
  emptyAsIn(structure, skeleton);
  guessedAsIn(structure, skeleton, placing.by);
  return structure;
}

class Placing {
  /** By value of the skeleton, from the first on: what is in its place. */
  private readonly numbers: readonly number[];
  private readonly locations: Location[];
  /** By location of the skeleton. */
  private readonly places: readonly LocationId[];
  private readonly table: ValueTable = createValueTable();
  /** By value of the skeleton. */
  private readonly values: ValueId[] = [];
  private readonly initial: readonly Event[];
  /** How much the numbers of events are moved. */
  readonly by: number;

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
    for (const value of skeleton.values) this.values.push(this.value(value));
  }

  structure(): EventStructure {
    const { constraints, divisions, registers, events } = this.skeleton;
    return {
      ...this.skeleton,
      program: this.program(),
      events: [
        ...this.initial,
        ...events.flatMap((e) => (e.thread === INITIAL ? [] : [this.event(e)])),
      ],
      values: this.table.values,
      constraints: constraints.map((one) => this.guarded(one)),
      divisions: divisions.map((one) => this.guarded(one)),
      registers: registers.map((own) => own.map((value) => this.values[value])),
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
    return written.map(([location, event], id) => {
      const value = this.table.constant(this.locations[location].initial);
      return { ...event, id, location, value };
    });
  }

  private value(value: Value): ValueId {
    const { table, values } = this;
    switch (value.op) {
      case 'const':
        return table.constant(this.number(value.value));
      case 'read':
        return table.read(value.event + this.by);
      case 'choice':
        return table.choice();
      case 'unary':
        return table.unary(value.fn, values[value.arg]);
      case 'binary':
        return table.binary(value.fn, values[value.left], values[value.right]);
      case 'select':
        return table.select(values[value.condition], values[value.then], values[value.else]);
    }
  }

  private event(event: Event): Event {
    const { location, value, beside, path } = event;
    return {
      ...event,
      id: event.id + this.by,
      location: location === undefined ? undefined : this.places[location],
      value: value === undefined ? undefined : this.values[value],
      beside: beside?.map((other) => other + this.by),
      path: this.path(path),
    };
  }

  private path(path: Path): Path {
    return path.map(({ condition, taken }) => ({ condition: this.values[condition], taken }));
  }

  private guarded<One extends { readonly condition: ValueId; readonly path: Path }>(one: One): One {
    return { ...one, condition: this.values[one.condition], path: this.path(one.path) };
  }

  private program(): Program {
    const { program } = this.skeleton;
    const to = {
      number: (value: number) => this.number(value),
      location: (location: LocationId) => this.places[location],
      register: (register: number) => register,
    };
    const threads = program.threads.map((thread, t) => ({
      ...thread,
      registers: registersOf(this.draft.threads[t].calls),
      body: thread.body.map((one) => renamed(one, to)),
    }));
    return { ...program, locations: this.locations, threads };
  }
}
