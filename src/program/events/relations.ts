import type { ByEvents } from '../../model/bases.js';
import { LABELS } from '../../model/bases.js';
import type { BitSet } from '../../model/relation/matrix.js';
import * as m from '../../model/relation/matrix.js';
import type { Event } from './structure.js';
import { INITIAL, isNicWrite } from './structure.js';

/**
 * The base sets and relations that events alone determine, by their definitions (the semantics
 * page, "Events" and "Executions").
 */

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

/** The base relations that follow from the events alone, by their names in cat. */
export const FIXED_RELATIONS: ReadonlyMap<string, (a: Event, b: Event) => boolean> = new Map(
  Object.entries({
    po: programOrder,
    loc: sameLocation,
    sthd: sameThread,
    ext: (a, b) => !sameThread(a, b),
    sqp: sameQueuePair,
    wf: waitsFor,
  } satisfies Record<ByEvents, (a: Event, b: Event) => boolean>),
);

/** The pairs that NIC flush order orders one way or the other (TSO paper, Def. 4.2). */
export const flushPair = (a: Event, b: Event): boolean =>
  sameQueuePair(a, b) &&
  ((a.label === 'nlR' && b.label === 'nlW') || (a.label === 'nrR' && b.label === 'nrW'));

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
