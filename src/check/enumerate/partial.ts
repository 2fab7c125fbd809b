import type { Dependence } from '../../encode/exclusion/dependence.js';
import type { Fixed, Partial } from '../../encode/exclusion/intervals.js';
import { LOWER, UPPER } from '../../encode/exclusion/intervals.js';
import type { BitRel } from '../../model/relation/matrix.js';
import { relOver, relate, related, unrelate, widthOf } from '../../model/relation/matrix.js';
import type { Counted, CountedEvents, Sources } from '../../program/events/guessed.js';
import { INITIAL } from '../../program/events/structure.js';
import type { Space } from './space.js';

/**
 * A partial execution under construction: the bounds of what executions choose, which choices and exclusions narrow,
 * and snapshots to go back to.
 */
export interface Construction {
  /** Begins anew with the executions of a space, with no choices yet, except that initial writes come first. */
  readonly begin: (space: Space) => void;
  readonly partial: Partial;
  /** For each event that is a read, the position of its write; -1 while that is open. */
  readonly sources: Int32Array;
  /** Can a read still read from this write? */
  readonly canRead: (read: number, write: number) => boolean;
  /** Excludes a write as the source of a read. */
  readonly excludeSource: (read: number, write: number) => void;
  /** Gives every read with only one possible write that write. False if some read has none. */
  readonly settleReads: () => boolean;
  /** Is `a` ordered before `b`? */
  readonly before: (order: string, a: number, b: number) => boolean;
  /** Is the order of `a` and `b` still open? */
  readonly open: (order: string, a: number, b: number) => boolean;
  /** Is some pair of a relation still open that is in another one? */
  readonly isOpenIn: (relation: string, other: BitRel) => boolean;
  /** Orders two members of a totally ordered class, with the consequences. False if this closes a cycle. */
  readonly orderIn: (order: string, members: readonly number[], a: number, b: number) => boolean;
  /** Orders a pair, without consequences. */
  readonly orderPair: (order: string, a: number, b: number) => void;
  /** Can an event still have this source, in a relation that gives each event one? */
  readonly canHave: (relation: string, of: number, source: number) => boolean;
  /** Excludes a source of an event, in such a relation. */
  readonly excludeFrom: (relation: string, of: number, source: number) => void;
  /** Gives every event with only one possible source that source. False if some event has none. */
  readonly settleSources: (relation: string, choices: readonly Sources[]) => boolean;
  /** Excludes sources that cannot have the rank of the event whose sources they are. Returns whether there were any. */
  readonly settleCounted: (relation: string, counted: Counted) => boolean;
  /** Notes that relations, given by their bits, have changed: they get new stamps. */
  readonly touch: (bits: number) => void;
  /** Keeps the present state for a depth of the search. */
  readonly save: (depth: number) => void;
  /** Goes back to the state that was kept for a depth. */
  readonly restore: (depth: number) => void;
}

/** Room for the executions of spaces with so many events. */
export const construction = (size: number, dependence: Dependence): Construction =>
  new UnderConstruction(size, dependence);

interface Snapshot {
  readonly state: Uint32Array;
  readonly sources: Int32Array;
  readonly stamps: Float64Array;
}

class UnderConstruction implements Construction {
  readonly partial: Partial & { fixed: Fixed };
  readonly sources: Int32Array;
  private reads: Space['reads'] = [];
  private readonly bounds: ReadonlyMap<string, readonly [BitRel, BitRel]>;
  private readonly rf: readonly [BitRel, BitRel];
  /** All bounds, one after the other. */
  private readonly state: Uint32Array;
  private readonly stamps: Float64Array;
  private readonly saved: Snapshot[] = [];
  private clock = 0;

  constructor(
    size: number,
    private readonly dependence: Dependence,
  ) {
    const { chosen, all } = dependence;
    const length = size * widthOf(size);
    const state = new Uint32Array(2 * chosen.length * length);
    const part = (index: number): BitRel =>
      relOver(size, state.subarray(index * length, (index + 1) * length));
    this.state = state;
    this.bounds = new Map(
      chosen.map((name, i) => [name, [part(2 * i + LOWER), part(2 * i + UPPER)] as const]),
    );
    this.rf = this.bounds.get('rf')!;
    this.sources = new Int32Array(size);
    this.stamps = new Float64Array(all + 1);
    this.partial = { bounds: this.bounds, stamps: this.stamps, fixed: new Map() };
  }

  begin(space: Space): void {
    const { events, writes, reads, fixed } = space;
    this.reads = reads;
    this.partial.fixed = fixed;
    this.state.fill(0);
    this.sources.fill(-1);
    this.allowAll(space);
    for (const [first, ...later] of writes) {
      if (events[first].thread !== INITIAL) continue;
      for (const write of later) this.orderIn('mo', [first, write], first, write);
    }
    this.stamps[0] = ++this.clock;
    this.touch(this.dependence.all);
  }

  canRead(read: number, write: number): boolean {
    return related(this.rf[UPPER], write, read);
  }

  excludeSource(read: number, write: number): void {
    unrelate(this.rf[UPPER], write, read);
  }

  settleReads(): boolean {
    const { rf, sources } = this;
    for (const { read, sources: all } of this.reads) {
      if (sources[read] >= 0) continue;
      let [left, last] = [0, -1];
      for (const write of all) {
        if (!related(rf[UPPER], write, read)) continue;
        left += 1;
        last = write;
      }
      if (left === 0) return false;
      if (left > 1) continue;
      relate(rf[LOWER], last, read);
      sources[read] = last;
    }
    return true;
  }

  before(order: string, a: number, b: number): boolean {
    return related(this.lower(order), a, b);
  }

  open(order: string, a: number, b: number): boolean {
    return !this.before(order, a, b) && !this.before(order, b, a);
  }

  isOpenIn(relation: string, { words }: BitRel): boolean {
    const [lower, upper] = [this.lower(relation).words, this.upper(relation).words];
    for (let w = 0; w < words.length; w++) {
      if ((words[w] & upper[w] & ~lower[w]) !== 0) return true;
    }
    return false;
  }

  orderIn(order: string, members: readonly number[], a: number, b: number): boolean {
    if (this.before(order, b, a)) return false;
    if (this.before(order, a, b)) return true;
    for (const x of members) {
      if (x !== a && !this.before(order, x, a)) continue;
      for (const y of members) {
        if (y === b || this.before(order, b, y)) this.orderPair(order, x, y);
      }
    }
    return true;
  }

  orderPair(order: string, a: number, b: number): void {
    relate(this.lower(order), a, b);
    unrelate(this.upper(order), b, a);
  }

  canHave(relation: string, of: number, source: number): boolean {
    return related(this.upper(relation), source, of);
  }

  excludeFrom(relation: string, of: number, source: number): void {
    unrelate(this.upper(relation), source, of);
  }

  settleSources(relation: string, choices: readonly Sources[]): boolean {
    for (const { of, sources } of choices) {
      const left = sources.filter((source) => related(this.upper(relation), source, of));
      if (left.length === 0) return false;
      if (left.length === 1) relate(this.lower(relation), left[0], of);
    }
    return true;
  }

  settleCounted(relation: string, { from, to }: Counted): boolean {
    const [given, asked] = [this.rankRanges(from), this.rankRanges(to)];
    let changed = false;
    for (const [j, of] of to.events.entries()) {
      for (const [i, source] of from.events.entries()) {
        const isPossible = given[i][0] <= asked[j][1] && asked[j][0] <= given[i][1];
        if (isPossible || !this.canHave(relation, of, source)) continue;
        this.excludeFrom(relation, of, source);
        changed = true;
      }
    }
    return changed;
  }

  /** The least and greatest rank that each of some events can have. */
  private rankRanges({ events, by }: CountedEvents): readonly (readonly [number, number])[] {
    if (by === undefined) return events.map((_, rank) => [rank, rank]);
    return events.map((event) => {
      const before = events.filter((other) => this.before(by, other, event)).length;
      const after = events.filter((other) => this.before(by, event, other)).length;
      return [before, events.length - 1 - after];
    });
  }

  touch(bits: number): void {
    const { stamps } = this;
    for (let set = 1; set < stamps.length; set++) {
      if ((set & bits) !== 0) stamps[set] = ++this.clock;
    }
  }

  save(depth: number): void {
    const { state, sources, stamps } = this;
    this.saved[depth] ??= {
      state: new Uint32Array(state.length),
      sources: new Int32Array(sources.length),
      stamps: new Float64Array(stamps.length),
    };
    this.saved[depth].state.set(state);
    this.saved[depth].sources.set(sources);
    this.saved[depth].stamps.set(stamps);
  }

  restore(depth: number): void {
    const { state, sources, stamps } = this.saved[depth];
    this.state.set(state);
    this.sources.set(sources);
    this.stamps.set(stamps);
  }

  /** Sets the upper bounds to everything that may be chosen. */
  private allowAll({ reads, writes, guesses }: Space): void {
    const bothWays = (name: string, members: readonly number[]): void => {
      for (const a of members) for (const b of members) if (a !== b) relate(this.upper(name), a, b);
    };
    for (const { read, sources } of reads) {
      for (const write of sources) relate(this.rf[UPPER], write, read);
    }
    writes.forEach((list) => bothWays('mo', list));
    for (const guess of guesses) {
      for (const list of [...guess.pairs, ...guess.classes]) bothWays(guess.name, list);
      for (const { of, sources } of guess.choices) {
        for (const source of sources) relate(this.upper(guess.name), source, of);
      }
    }
  }

  private lower(name: string): BitRel {
    return this.bounds.get(name)![LOWER];
  }

  private upper(name: string): BitRel {
    return this.bounds.get(name)![UPPER];
  }
}
