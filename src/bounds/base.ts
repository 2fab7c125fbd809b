import type { Event, EventStructure } from '../events/structure.js';
import {
  FIXED_RELATIONS,
  baseSets,
  flushPair,
  programOrder,
  queuePairs,
  sameLocation,
} from '../events/relations.js';
import { INITIAL, exclusive, implies, isRead, isWrite } from '../events/structure.js';
import type { BitRel, BitSet } from '../relation/matrix.js';
import * as m from '../relation/matrix.js';
import type { Bound, Presence } from './domain.js';

/** Bounds of the base sets and relations of a program, by their names in cat. */
export interface BaseBounds {
  readonly sets: ReadonlyMap<string, Bound<BitSet>>;
  readonly relations: ReadonlyMap<string, Bound<BitRel>>;
}

const exact = <T>(value: T): Bound<T> => ({ may: value, must: value });

/** Bounds from the program alone. */
export function baseBounds(
  structure: EventStructure,
  { size, together, straight }: Presence,
): BaseBounds {
  const { events } = structure;
  const fixed = (test: (a: Event, b: Event) => boolean): Bound<BitRel> => {
    const rel = m.emptyRel(size);
    for (const a of events) for (const b of events) if (test(a, b)) m.relate(rel, a.id, b.id);
    return exact(straight ? rel : m.interRel(rel, together));
  };
  const relations = new Map<string, Bound<BitRel>>([
    ...[...FIXED_RELATIONS].map(([name, test]) => [name, fixed(test)] as const),
    ['rf', readsFrom(events, size)],
    ['mo', modificationOrder(events, size)],
    ['nfo', flushOrder(events, size)],
    ['pf', pollsFrom(events, size)],
  ]);
  const sets = new Map([...baseSets(events)].map(([name, set]) => [name, exact(set)]));
  return { sets, relations };
}

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
    const sources = [...m.successors(inverse, r.id)];
    if (sources.length === 1) m.relate(must, sources[0], r.id);
  }
  return must;
}

function modificationOrder(events: readonly Event[], size: number): Bound<BitRel> {
  const may = m.emptyRel(size);
  const must = m.emptyRel(size);
  const writes = events.filter(isWrite);
  for (const a of writes) {
    for (const b of writes) {
      if (a.id === b.id || !sameLocation(a, b) || exclusive(a.path, b.path)) continue;
      if (b.thread !== INITIAL) m.relate(may, a.id, b.id);
      if (a.thread === INITIAL) m.relate(must, a.id, b.id);
    }
  }
  return { may, must };
}

function flushOrder(events: readonly Event[], size: number): Bound<BitRel> {
  const may = m.emptyRel(size);
  for (const a of events) {
    for (const b of events) {
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
