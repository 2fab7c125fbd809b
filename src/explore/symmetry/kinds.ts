import type { CallSite } from '../../machine/calls.js';
import { isRead, isWrite } from '../../program/events/structure.js';
import type { ValueId } from '../../program/events/structure.js';
import type { Location, LocationId } from '../../program/program.js';

/**
 * What kinds of numbers the values of a call are: which location holds the same kind. They are found by what is written where, and what is compared with
 * what.
 */
export interface Kinds {
  /** By value that the call is given; undefined: it is neither written nor compared. */
  readonly given: readonly (LocationId | undefined)[];
  /** By read, in order: its location, or where its value goes, if it reads a constant. */
  readonly reads: readonly LocationId[];
  readonly result: ResultKind;
  /** Locations that hold numbers of one kind. */
  readonly alike: readonly (readonly [LocationId, LocationId])[];
  /** Locations whose numbers are computed with. */
  readonly computed: readonly LocationId[];
  /** Numbers of the operation itself, and the location that holds the same kind. */
  readonly constants: readonly { readonly value: number; readonly location: LocationId }[];
}

/** What the value of a call is made of. */
export interface ResultKind {
  /** Locations with which it holds the same kind of number. */
  readonly alike: readonly LocationId[];
  readonly constants: readonly number[];
  readonly isComputed: boolean;
}

export const kindsOf = (site: CallSite, locations: readonly Location[]): Kinds =>
  new Finding(site, locations).kinds();

const NO_RESULT: ResultKind = { alike: [], constants: [], isComputed: false };

class Finding {
  private readonly given: (LocationId | undefined)[];
  private readonly constantReads = new Map<number, LocationId>();
  private readonly alike: [LocationId, LocationId][] = [];
  private readonly computed: LocationId[] = [];
  private readonly constants: { value: number; location: LocationId }[] = [];

  constructor(
    private readonly site: CallSite,
    private readonly locations: readonly Location[],
  ) {
    this.given = Array.from({ length: site.given }, () => undefined);
  }

  kinds(): Kinds {
    const { events, guards, result } = this.site;
    for (const event of events) {
      if (isWrite(event)) this.goesTo(event.value!, event.location!);
    }
    // What is compared may only be known once it is known what is written.
    for (const { path, condition } of [
      ...events.map(({ path }) => ({ path, condition: undefined })),
      ...guards,
    ]) {
      for (const branch of path) this.decides(branch.condition);
      if (condition !== undefined) this.decides(condition);
    }
    const { given, alike, computed, constants } = this;
    return {
      ...{ given, alike, computed, constants },
      reads: events.flatMap((event, e) =>
        isRead(event) ? [this.constantReads.get(e) ?? event.location!] : [],
      ),
      result: result === undefined ? NO_RESULT : this.resultKind(result),
    };
  }

  private resultKind(id: ValueId): ResultKind {
    const value = this.site.values[id];
    if (value.op === 'const') return { ...NO_RESULT, constants: [value.value] };
    if (value.op === 'select') {
      const [then, other] = [this.resultKind(value.then), this.resultKind(value.else)];
      return {
        alike: [...then.alike, ...other.alike],
        constants: [...then.constants, ...other.constants],
        isComputed: then.isComputed || other.isComputed,
      };
    }
    const location = this.locationOf(id);
    return location === undefined
      ? { ...NO_RESULT, isComputed: true }
      : { ...NO_RESULT, alike: [location] };
  }

  /** The location whose kind of number a value is, if it is one as it was read or given. */
  private locationOf(id: ValueId): LocationId | undefined {
    const value = this.site.values[id];
    if (value.op === 'read') {
      const { location } = this.site.events[value.event];
      return this.isConstant(location!) ? this.constantReads.get(value.event) : location;
    }
    return value.op === 'choice' ? this.given[value.choice] : undefined;
  }

  private isConstant(location: LocationId): boolean {
    return this.locations[location].hidden === true;
  }

  /** A value is written to a location, or compared with what is there. */
  private goesTo(id: ValueId, location: LocationId): void {
    const value = this.site.values[id];
    switch (value.op) {
      case 'const':
        this.constants.push({ value: value.value, location });
        return;
      case 'read': {
        const from = this.site.events[value.event].location!;
        if (this.isConstant(from)) this.constantReads.set(value.event, location);
        else this.alike.push([from, location]);
        return;
      }
      case 'choice': {
        if (value.choice >= this.site.given) return;
        const known = this.given[value.choice];
        if (known === undefined) this.given[value.choice] = location;
        else this.alike.push([known, location]);
        return;
      }
      case 'select':
        this.decides(value.condition);
        this.goesTo(value.then, location);
        this.goesTo(value.else, location);
        return;
      case 'unary':
      case 'binary':
        this.computed.push(location);
        this.computes(id);
    }
  }

  /** All that a value is made of is computed with. */
  private computes(id: ValueId): void {
    const value = this.site.values[id];
    const location = this.locationOf(id);
    if (location !== undefined) this.computed.push(location);
    if (value.op === 'unary') this.computes(value.arg);
    if (value.op === 'select') {
      this.decides(value.condition);
      this.computes(value.then);
      this.computes(value.else);
    }
    if (value.op === 'binary') {
      this.computes(value.left);
      this.computes(value.right);
    }
  }

  /** A value is asked for as a condition. */
  private decides(id: ValueId): void {
    const value = this.site.values[id];
    if (value.op === 'unary' && value.fn === '!') return this.decides(value.arg);
    if (value.op !== 'binary') return value.op === 'choice' ? undefined : this.computes(id);
    const { fn, left: a, right: b } = value;
    if (fn === '&&' || fn === '||') {
      this.decides(a);
      this.decides(b);
      return;
    }
    const [left, right] = [a, b].map((side) => this.locationOf(side));
    const isComparison = fn === '=' || fn === '!=';
    if (isComparison && left !== undefined) this.goesTo(b, left);
    else if (isComparison && right !== undefined) this.goesTo(a, right);
    else this.computes(id);
  }
}
