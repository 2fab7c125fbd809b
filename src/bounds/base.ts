import type { Event, EventStructure } from '../events/structure.js';
import { INITIAL, exclusive, implies, isNicWrite, isRead, isWrite } from '../events/structure.js';
import { LABELS } from '../model/bases.js';
import type { BitRel, BitSet } from '../relation/matrix.js';
import * as m from '../relation/matrix.js';
import type { Bound, Presence } from './domain.js';

/** Bounds of the base sets and relations of a program, by their names in cat. */
export interface BaseBounds {
  readonly sets: ReadonlyMap<string, Bound<BitSet>>;
  readonly relations: ReadonlyMap<string, Bound<BitRel>>;
}

const exact = <T>(value: T): Bound<T> => ({ may: value, must: value });

/** The base sets: they depend on labels only. */
export function baseSets(events: readonly Event[]): ReadonlyMap<string, BitSet> {
  const ids = (keep: (e: Event) => boolean) => events.filter(keep).map((e) => e.id);
  const sets = new Map<string, BitSet>();
  for (const label of LABELS) {
    sets.set(
      label,
      m.setOf(
        events.length,
        ids((e) => e.label === label),
      ),
    );
  }
  sets.set(
    'IW',
    m.setOf(
      events.length,
      ids((e) => e.thread === INITIAL),
    ),
  );
  return sets;
}

/** Program order: initial writes before everything else, then the order of each thread. */
export function programOrder(a: Event, b: Event): boolean {
  if (b.thread === INITIAL) return false;
  return a.thread === INITIAL || (a.thread === b.thread && a.id < b.id);
}

export const sameLocation = (a: Event, b: Event): boolean =>
  a.location !== undefined && a.location === b.location;

export const sameThread = (a: Event, b: Event): boolean => a.thread === b.thread;

/** Same thread and same remote node. */
export const sameQueuePair = (a: Event, b: Event): boolean =>
  a.thread === b.thread && a.node !== undefined && a.node === b.node;

/** A get's or put's write and a later wait for its work identifier (LOCO paper, App. F.2). */
export const waitsFor = (a: Event, b: Event): boolean =>
  isNicWrite(a) &&
  b.label === 'WT' &&
  a.work === b.work &&
  a.work !== undefined &&
  a.thread === b.thread &&
  a.id < b.id;

/** The pairs that NIC flush order orders one way or the other (TSO paper, Def. 4.2). */
export const flushPair = (a: Event, b: Event): boolean =>
  sameQueuePair(a, b) &&
  ((a.label === 'nlR' && b.label === 'nlW') || (a.label === 'nrR' && b.label === 'nrW'));

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
    ['po', fixed(programOrder)],
    ['loc', fixed(sameLocation)],
    ['sthd', fixed(sameThread)],
    ['ext', fixed((a, b) => !sameThread(a, b))],
    ['sqp', fixed(sameQueuePair)],
    ['wf', fixed(waitsFor)],
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

/** The NIC writes and the polls of every queue pair that is polled, each in program order. */
export function queuePairs(
  events: readonly Event[],
): readonly (readonly [writes: readonly Event[], polls: readonly Event[]])[] {
  const pairs = new Map<string, [Event[], Event[]]>();
  for (const e of events) {
    const kind = isNicWrite(e) ? 0 : e.label === 'P' ? 1 : undefined;
    if (kind === undefined) continue;
    const key = `${e.thread} ${e.node}`;
    if (!pairs.has(key)) pairs.set(key, [[], []]);
    pairs.get(key)![kind].push(e);
  }
  return [...pairs.values()].filter(([, polls]) => polls.length > 0);
}

/** Least and greatest number of `peers` before an event, in executions that have the event. */
function rank(e: Event, peers: readonly Event[]): readonly [number, number] {
  const before = peers.filter((p) => p.id < e.id && !exclusive(p.path, e.path));
  const sure = before.filter((p) => implies(e.path, p.path)).length;
  return [sure, before.length];
}
