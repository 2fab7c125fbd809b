import type { Dependence } from '../../encode/exclusion/dependence.js';
import type { Partial } from '../../encode/exclusion/intervals.js';
import { LOWER, UPPER } from '../../encode/exclusion/intervals.js';
import type { BitRel } from '../../model/relation/matrix.js';
import { relOver, relate, related, unrelate, widthOf } from '../../model/relation/matrix.js';
import type { Sources } from '../../program/events/guessed.js';
import { INITIAL } from '../../program/events/structure.js';
import type { Space } from './space.js';

/**
 * A partial execution under construction: the bounds of what is chosen, which only ever come
 * closer, by what is chosen and what is excluded; and snapshots to go back to.
 */
export interface Construction {
  readonly partial: Partial;
  /** For each event that is a read, the position of its write; -1 while that is open. */
  readonly sources: Int32Array;
  readonly canRead: (read: number, write: number) => boolean;
  readonly excludeSource: (read: number, write: number) => void;
  /** Gives every read with one write left that write. False: some read has none. */
  readonly settleReads: () => boolean;
  /** Is `a` ordered before `b`, or is that open? */
  readonly before: (order: string, a: number, b: number) => boolean;
  readonly open: (order: string, a: number, b: number) => boolean;
  /** Orders two members of a class that is totally ordered, with what follows. False: that closes a cycle. */
  readonly orderIn: (order: string, members: readonly number[], a: number, b: number) => boolean;
  /** Orders a pair, with nothing that follows. */
  readonly orderPair: (order: string, a: number, b: number) => void;
  /** Can an event still have this source, in a relation that gives each event one? */
  readonly canHave: (relation: string, of: number, source: number) => boolean;
  readonly excludeFrom: (relation: string, of: number, source: number) => void;
  /** Gives every event with one source left that source. False: some event has none. */
  readonly settleSources: (relation: string, choices: readonly Sources[]) => boolean;
  /** Says that relations have changed, by their bits: they get new stamps. */
  readonly touch: (bits: number) => void;
  /** Keeps the present state for a depth of the search, and goes back to it. */
  readonly save: (depth: number) => void;
  readonly restore: (depth: number) => void;
}

/** Nothing chosen yet, but that initial writes come first. */
export function construct(
  { events, reads, writes, guesses }: Space,
  { chosen, all }: Dependence,
): Construction {
  const size = events.length;
  const length = size * widthOf(size);
  const state = new Uint32Array(2 * chosen.length * length);
  const part = (index: number): BitRel =>
    relOver(size, state.subarray(index * length, (index + 1) * length));
  const bounds = new Map(
    chosen.map((name, i) => [name, [part(2 * i + LOWER), part(2 * i + UPPER)] as const]),
  );
  const rf = bounds.get('rf')!;
  const lower = (name: string): BitRel => bounds.get(name)![LOWER];
  const upper = (name: string): BitRel => bounds.get(name)![UPPER];
  const sources = new Int32Array(size).fill(-1);
  const stamps = new Float64Array(all + 1);
  const saved: { state: Uint32Array; sources: Int32Array; stamps: Float64Array }[] = [];
  let clock = 0;

  for (const { read, sources } of reads) for (const w of sources) relate(rf[UPPER], w, read);
  const bothWays = (name: string, members: readonly number[]): void => {
    for (const a of members) for (const b of members) if (a !== b) relate(upper(name), a, b);
  };
  writes.forEach((list) => bothWays('mo', list));
  for (const guess of guesses) {
    for (const list of [...guess.pairs, ...guess.classes]) bothWays(guess.name, list);
    for (const { of, sources } of guess.choices) {
      for (const source of sources) relate(upper(guess.name), source, of);
    }
  }

  const before = (order: string, a: number, b: number) => related(lower(order), a, b);
  const orderPair = (name: string, a: number, b: number): void => {
    relate(lower(name), a, b);
    unrelate(upper(name), b, a);
  };
  const made: Construction = {
    partial: { bounds, stamps },
    sources,
    canRead: (read, write) => related(rf[UPPER], write, read),
    excludeSource: (read, write) => unrelate(rf[UPPER], write, read),
    settleReads() {
      for (const { read, sources: all } of reads) {
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
    },
    before,
    open: (name, a, b) => !before(name, a, b) && !before(name, b, a),
    orderIn(order, members, a, b) {
      if (before(order, b, a)) return false;
      if (before(order, a, b)) return true;
      for (const x of members) {
        if (x !== a && !before(order, x, a)) continue;
        for (const y of members) if (y === b || before(order, b, y)) orderPair(order, x, y);
      }
      return true;
    },
    orderPair,
    canHave: (relation, of, source) => related(upper(relation), source, of),
    excludeFrom: (relation, of, source) => unrelate(upper(relation), source, of),
    settleSources(relation, choices) {
      for (const { of, sources } of choices) {
        const left = sources.filter((source) => related(upper(relation), source, of));
        if (left.length === 0) return false;
        if (left.length === 1) relate(lower(relation), left[0], of);
      }
      return true;
    },
    touch(bits) {
      for (let set = 1; set < stamps.length; set++) if ((set & bits) !== 0) stamps[set] = ++clock;
    },
    save(depth) {
      saved[depth] ??= {
        state: new Uint32Array(state.length),
        sources: new Int32Array(sources.length),
        stamps: new Float64Array(stamps.length),
      };
      saved[depth].state.set(state);
      saved[depth].sources.set(sources);
      saved[depth].stamps.set(stamps);
    },
    restore(depth) {
      state.set(saved[depth].state);
      sources.set(saved[depth].sources);
      stamps.set(saved[depth].stamps);
    },
  };
  for (const [first, ...later] of writes) {
    if (events[first].thread !== INITIAL) continue;
    for (const write of later) made.orderIn('mo', [first, write], first, write);
  }
  made.touch(all);
  return made;
}
