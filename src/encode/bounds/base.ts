import type { Event, EventStructure } from '../../program/events/structure.js';
import {
  baseSets,
  flushPair,
  programOrder,
  queuePairs,
  sameLocation,
} from '../../program/events/relations.js';
import { INITIAL, exclusive, implies, isRead, isWrite } from '../../program/events/structure.js';
import { fixedRelations } from '../../program/events/fixed.js';
import type { Varying } from '../../model/bases.js';
import { isVarying } from '../../model/bases.js';
import { groupBy } from '../../model/relation/groups.js';
import type { BitRel, BitSet } from '../../model/relation/matrix.js';
import * as m from '../../model/relation/matrix.js';
import type { Bound, Presence } from './domain.js';
import { exact } from './domain.js';

/** Bounds of the base sets and relations of a program, by their names in cat, made when asked for. */
export interface BaseBounds {
  readonly set: (name: string) => Bound<BitSet> | undefined;
  /** Of the relations that may differ between executions. */
  readonly relations: { readonly get: (name: string) => Bound<BitRel> | undefined };
  /** Of the relations that events fix. */
  readonly fixed: (name: string) => Bound<BitRel>;
}

/** Bounds from the program alone. */
export function baseBounds(
  structure: EventStructure,
  { size, together, straight }: Presence,
): BaseBounds {
  const { events } = structure;
  const fixed = fixedRelations(events);
  const made = new Map<string, Bound<BitRel> | undefined>();
  let sets: ReturnType<typeof baseSets> | undefined;
  return {
    set(name) {
      const set = (sets ??= baseSets(events)).get(name);
      return set && exact(set);
    },
    relations: {
      get(name) {
        if (!made.has(name) && isVarying(name)) made.set(name, VARYING_BOUNDS[name](events, size));
        return made.get(name);
      },
    },
    fixed: (name) => exact(straight ? fixed(name) : m.interRel(fixed(name), together)),
  };
}

type Bounding = (events: readonly Event[], size: number) => Bound<BitRel>;

const VARYING_BOUNDS: Readonly<Record<Varying, Bounding>> = {
  rf: readsFrom,
  mo: modificationOrder,
  nfo: flushOrder,
  pf: pollsFrom,
};

function readsFrom(events: readonly Event[], size: number): Bound<BitRel> {
  const may = m.emptyRel(size);
  const writes = events.filter(isWrite);
  for (const r of events.filter(isRead)) {
    for (const w of writes) {
      if (w.id !== r.id && sameLocation(w, r) && !exclusive(w.path, r.path)) {
        m.relate(may, w.id, r.id);
      }
    }
  }
  return { may, must: onlySources(events, may) };
}

/** Where a read has one write to read from, it reads from that one. */
export function onlySources(events: readonly Event[], may: BitRel): BitRel {
  const must = m.emptyRel(may.size);
  const inverse = m.inverse(may);
  for (const r of events.filter(isRead)) {
    const sources = m.successors(inverse, r.id);
    if (sources.length === 1) m.relate(must, sources[0], r.id);
  }
  return must;
}

function modificationOrder(events: readonly Event[], size: number): Bound<BitRel> {
  const may = m.emptyRel(size);
  const must = m.emptyRel(size);
  const writes = groupBy(events.filter(isWrite), (w) => w.location);
  for (const a of events) {
    if (!isWrite(a)) continue;
    for (const b of writes.get(a.location)!) {
      if (a.id === b.id || exclusive(a.path, b.path)) continue;
      if (b.thread !== INITIAL) m.relate(may, a.id, b.id);
      if (a.thread === INITIAL) m.relate(must, a.id, b.id);
    }
  }
  return { may, must };
}

function flushOrder(events: readonly Event[], size: number): Bound<BitRel> {
  const may = m.emptyRel(size);
  const flushed = events.filter((e) => e.node !== undefined);
  const threads = groupBy(flushed, (e) => e.thread);
  for (const a of flushed) {
    for (const b of threads.get(a.thread)!) {
      if (!flushPair(a, b) || exclusive(a.path, b.path)) continue;
      m.relate(may, a.id, b.id);
      m.relate(may, b.id, a.id);
    }
  }
  return { may, must: m.emptyRel(size) };
}

/**
 * The k-th poll of a queue pair polls its k-th NIC write. Where branches come before, an event's
 * rank is only known to lie in a range.
 */
function pollsFrom(events: readonly Event[], size: number): Bound<BitRel> {
  const may = m.emptyRel(size);
  const must = m.emptyRel(size);
  for (const [writes, polls] of queuePairs(events)) {
    const writeRanks = writes.map((w) => rank(w, writes));
    for (const p of polls) {
      const [low, high] = rank(p, polls);
      writes.forEach((w, i) => {
        if (!programOrder(w, p) || exclusive(w.path, p.path)) return;
        const [wLow, wHigh] = writeRanks[i];
        if (wHigh < low || high < wLow) return;
        m.relate(may, w.id, p.id);
        if (low === high && wLow === wHigh) m.relate(must, w.id, p.id);
      });
    }
  }
  return { may, must };
}

/** Least and greatest number of `peers` before an event, in executions that have the event. */
function rank(e: Event, peers: readonly Event[]): readonly [number, number] {
  const before = peers.filter((p) => p.id < e.id && !exclusive(p.path, e.path));
  const sure = before.filter((p) => implies(e.path, p.path)).length;
  return [sure, before.length];
}
