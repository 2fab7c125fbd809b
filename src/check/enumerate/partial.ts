import { ALL_CHOSEN } from '../../encode/exclusion/dependence.js';
import type { ChosenOrder } from '../../model/bases.js';
import { CHOSEN } from '../../model/bases.js';
import type { Partial } from '../../encode/exclusion/intervals.js';
import { LOWER, UPPER } from '../../encode/exclusion/intervals.js';
import type { BitRel } from '../../model/relation/matrix.js';
import { relOver, relate, related, unrelate, widthOf } from '../../model/relation/matrix.js';
import type { Space } from './space.js';

/**
 * A partial execution under construction: the bounds of `rf`, `mo` and `nfo`, which only ever come
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
  readonly before: (order: ChosenOrder, a: number, b: number) => boolean;
  readonly open: (order: ChosenOrder, a: number, b: number) => boolean;
  /** Orders two writes of a location, with what follows. False: that closes a cycle. */
  readonly orderWrites: (writes: readonly number[], a: number, b: number) => boolean;
  readonly orderFlush: (a: number, b: number) => void;
  /** Says that relations have changed, by their bits: they get new stamps. */
  readonly touch: (bits: number) => void;
  /** Keeps the present state for a depth of the search, and goes back to it. */
  readonly save: (depth: number) => void;
  readonly restore: (depth: number) => void;
}

/** Nothing chosen yet, but that initial writes come first. */
export function construct({ events, reads, writes, flushes }: Space): Construction {
  const size = events.length;
  const length = size * widthOf(size);
  const state = new Uint32Array(2 * CHOSEN.length * length);
  const part = (index: number): BitRel =>
    relOver(size, state.subarray(index * length, (index + 1) * length));
  const bounds = Object.fromEntries(
    CHOSEN.map((name, i) => [name, [part(2 * i + LOWER), part(2 * i + UPPER)]]),
  ) as unknown as Partial['bounds'];
  const sources = new Int32Array(size).fill(-1);
  const stamps = new Float64Array(1 << CHOSEN.length);
  const saved: { state: Uint32Array; sources: Int32Array; stamps: Float64Array }[] = [];
  let clock = 0;

  for (const { read, sources } of reads) for (const w of sources) relate(bounds.rf[UPPER], w, read);
  for (const list of writes) {
    for (const a of list) for (const b of list) if (a !== b) relate(bounds.mo[UPPER], a, b);
  }
  for (const [a, b] of flushes) {
    relate(bounds.nfo[UPPER], a, b);
    relate(bounds.nfo[UPPER], b, a);
  }

  const before = (order: ChosenOrder, a: number, b: number) => related(bounds[order][LOWER], a, b);
  const order = (name: ChosenOrder, a: number, b: number): void => {
    relate(bounds[name][LOWER], a, b);
    unrelate(bounds[name][UPPER], b, a);
  };
  const made: Construction = {
    partial: { bounds, stamps },
    sources,
    canRead: (read, write) => related(bounds.rf[UPPER], write, read),
    excludeSource: (read, write) => unrelate(bounds.rf[UPPER], write, read),
    settleReads() {
      for (const { read, sources: all } of reads) {
        if (sources[read] >= 0) continue;
        let [left, last] = [0, -1];
        for (const write of all) {
          if (!related(bounds.rf[UPPER], write, read)) continue;
          left += 1;
          last = write;
        }
        if (left === 0) return false;
        if (left > 1) continue;
        relate(bounds.rf[LOWER], last, read);
        sources[read] = last;
      }
      return true;
    },
    before,
    open: (name, a, b) => !before(name, a, b) && !before(name, b, a),
    orderWrites(list, a, b) {
      if (before('mo', b, a)) return false;
      if (before('mo', a, b)) return true;
      for (const x of list) {
        if (x !== a && !before('mo', x, a)) continue;
        for (const y of list) if (y === b || before('mo', b, y)) order('mo', x, y);
      }
      return true;
    },
    orderFlush: (a, b) => order('nfo', a, b),
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
    if (events[first].thread >= 0) throw new Error('a location has no initial write');
    for (const write of later) made.orderWrites([first, write], first, write);
  }
  made.touch(ALL_CHOSEN);
  return made;
}
