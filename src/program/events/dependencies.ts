import type { Dependencies, Event, EventId, Path, Value, ValueId } from './structure.js';
import { areExclusive, further, implies, operandsOfValue } from './structure.js';

/** The reads that a value is made of, each with the branches on which it is. Any one of them is enough. */
type Sources = ReadonlyMap<EventId, readonly Path[]>;

const NONE: Sources = new Map();
const ALWAYS: readonly Path[] = [[]];

/** Follows values of one thread to the reads that they are made of. */
export class Origins {
  private readonly known = new Map<ValueId, Sources>();
  private readonly given = new Map<ValueId, readonly EventId[]>();
  private readonly conditions: { readonly value: ValueId; readonly path: Path }[] = [];
  /** Whether a register may be from one read or another, and no event of the two tells which. */
  unclear = false;

  constructor(
    private readonly values: readonly Value[],
    private readonly events: readonly Event[],
    /** Does what is not clear count? */
    private readonly countsAll: boolean,
  ) {}

  /** Notes a condition: all later events of the thread depend on it. */
  decided(value: ValueId, path: Path): void {
    this.conditions.push({ value, path });
  }

  /** What has been decided so far: a place to go back to. */
  mark(): number {
    return this.conditions.length;
  }

  /** Later events do not depend on what was decided since. */
  forget(mark: number): void {
    this.conditions.length = mark;
  }

  /** Notes the events that give a value, besides what it is made of. */
  also(value: ValueId, events: readonly EventId[]): void {
    if (events.length > 0) this.given.set(value, [...events]);
  }

  /** What an event on a path depends on, by the values that go into it. */
  of(path: Path, data: readonly ValueId[], addr: readonly ValueId[]): Dependencies {
    const always = (list: readonly ValueId[]) => list.map((value) => ({ value, path: [] }));
    return {
      data: this.reads(path, always(data)),
      addr: this.reads(path, always(addr)),
      ctrl: this.reads(path, this.conditions),
    };
  }

  private reads(
    path: Path,
    from: readonly { readonly value: ValueId; readonly path: Path }[],
  ): readonly EventId[] | undefined {
    const found = new Set<EventId>();
    const open = new Set<EventId>();
    for (const { value, path: within } of from) {
      if (areExclusive(path, within)) continue;
      for (const [read, ways] of this.sourcesOf(value)) {
        // What an event itself reads is no event before it.
        if (read === this.events.length) continue;
        const around = [...path, ...this.events[read].path];
        const possible = ways
          .map((way) => [...within, ...way])
          .filter((way) => !areExclusive(around, way));
        if (possible.some((way) => implies(around, way))) found.add(read);
        else if (possible.length > 0) open.add(read);
      }
    }
    for (const read of open) {
      this.unclear ||= !found.has(read);
      if (this.countsAll) found.add(read);
    }
    return found.size === 0 ? undefined : [...found];
  }

  private sourcesOf(id: ValueId): Sources {
    const before = this.known.get(id);
    if (before !== undefined) return before;
    const given = this.given.get(id)?.map((event) => [event, ALWAYS] as const);
    const made = joined(this.make(this.values[id]), new Map(given));
    this.known.set(id, made);
    return made;
  }

  private make(value: Value): Sources {
    if (value.op === 'read') return new Map([[value.event, ALWAYS]]);
    // A register that has its value from one of two branches has nothing from their condition: that is a dependency of control.
    if (value.op === 'select') {
      const [then, otherwise] = [value.then, value.else].map((one) => this.sourcesOf(one));
      return either(value.condition, then, otherwise);
    }
    return operandsOfValue(value)
      .map((one) => this.sourcesOf(one))
      .reduce(joined, NONE);
  }
}

/** What is on one of two branches, or on both. */
function either(condition: ValueId, then: Sources, otherwise: Sources): Sources {
  const on = (taken: boolean, ways: readonly Path[] = []): readonly Path[] =>
    ways.map((way) => further(way, condition, taken));
  const reads = new Set([...then.keys(), ...otherwise.keys()]);
  return new Map(
    [...reads].map((read) => {
      const [a, b] = [then.get(read), otherwise.get(read)];
      return [read, a === b ? a! : [...on(true, a), ...on(false, b)]];
    }),
  );
}

function joined(a: Sources, b: Sources): Sources {
  if (a.size === 0) return b;
  const all = new Map(a);
  for (const [read, ways] of b) all.set(read, [...(all.get(read) ?? []), ...ways]);
  return all;
}
