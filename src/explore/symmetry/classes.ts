import type { CallSite } from '../../machine/calls.js';
import type { ClassId } from '../../machine/classes.js';
import type { Slot } from '../../machine/compute.js';
import type { Layout } from '../../machine/layout.js';
import type { Event } from '../../program/events/structure.js';
import type { LocationId } from '../../program/program.js';
import type { Kinds } from './kinds.js';
import type { Permutation } from './permutations.js';

/** Which calls take the place of which, where threads change places. */
export class Classes {
  private readonly images: (ClassId | undefined)[][];

  /** @param number what a number in a slot becomes */
  constructor(
    private readonly layout: Layout,
    private readonly permutations: readonly Permutation[],
    private readonly kinds: readonly Kinds[],
    private readonly number: (p: Permutation, slot: Slot, value: number) => number,
  ) {
    this.images = permutations.map(() => []);
  }

  /** The class that takes the place of another; -1: there is none. */
  image(p: number, of: ClassId): ClassId {
    return (this.images[p][of] ??= this.imageOf(p, of));
  }

  private imageOf(p: number, of: ClassId): ClassId {
    const { classes } = this.layout.calls;
    return classes.findIndex(
      (_, other) => this.isAlike(p, of, other) && this.hasSamePlaces(p, of, other),
    );
  }

  /** Are two calls alike but for the constants that they put? */
  isAlike(p: number, of: ClassId, other: ClassId): boolean {
    const way = this.permutations[p];
    const { classes } = this.layout.calls;
    const [a, b] = [classes[of], classes[other]];
    if (way.threads[a.thread] !== b.thread || shapeOf(a) !== shapeOf(b)) return false;
    return a.events.every((event, e) => {
      const there = b.events[e];
      const node = event.node === undefined ? undefined : way.nodeOf(event.node);
      const own = event.own === undefined ? undefined : way.nodeOf(event.own);
      return node === there.node && own === there.own && event.queuePair === there.queuePair;
    });
  }

  private hasSamePlaces(p: number, of: ClassId, other: ClassId): boolean {
    const { classes } = this.layout.calls;
    const [a, b] = [classes[of], classes[other]];
    let reads = 0;
    return a.events.every((event, e) => {
      const kind = event.reads === true ? this.kinds[of].reads[reads++] : undefined;
      if (event.location === undefined) return true;
      return this.isSamePlace(p, event.location, b.events[e].location!, kind);
    });
  }

  /** What a constant becomes depends on where it is put. */
  private isSamePlace(
    p: number,
    from: LocationId,
    to: LocationId,
    kind: LocationId | undefined,
  ): boolean {
    const { program, memory } = this.layout;
    const way = this.permutations[p];
    const [a, b] = [program.locations[from], program.locations[to]];
    if (a.hidden !== true) return way.locations[from] === to;
    const isMoved =
      a.owner === undefined ? way.nodeOf(a.node) === b.node : b.owner === way.threads[a.owner];
    const value = this.number(way, memory + (kind ?? from), a.initial);
    return b.hidden === true && b.initial === value && isMoved;
  }
}

/** All of a call but for its thread, nodes and places. */
function shapeOf({ events, values, given, result, guards, divisors }: CallSite): string {
  const bare = events.map((event: Event) => ({
    ...event,
    ...{
      span: 0,
      use: 0,
      call: 0,
      thread: 0,
      home: '',
      node: '',
      own: '',
      location: event.location === undefined ? -1 : 0,
    },
  }));
  return JSON.stringify([bare, values, given, result, guards, divisors]);
}
