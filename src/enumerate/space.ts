import { FIXED_RELATIONS, flushPair, sameLocation } from '../events/relations.js';
import type { Event, EventStructure, ValueId } from '../events/structure.js';
import { INITIAL, isRead, isWrite } from '../events/structure.js';
import { LABELS } from '../model/bases.js';
import type { Model } from '../model/term.js';
import type { Fixed } from './intervals.js';
import type { ThreadPath } from './paths.js';
import type { Size, Words } from './words.js';
import { addIdentity, newRel, newSet, put, sizeOf } from './words.js';

/** The executions that take a given path through each thread: what is fixed, what is to choose. */
export interface Space {
  /** The executed events; everything below is over their positions in this list. */
  readonly events: readonly Event[];
  readonly size: Size;
  /** The base sets and relations of the model that the events fix. */
  readonly fixed: Fixed;
  readonly position: ReadonlyMap<number, number>;
  /** Each read with the writes that it can read from. */
  readonly reads: readonly { readonly read: number; readonly sources: readonly number[] }[];
  /** The writes of each location, the initial one first. */
  readonly writes: readonly (readonly number[])[];
  /** The pairs that NIC flush order orders. */
  readonly flushes: readonly (readonly [number, number])[];
  /** Whether branches are taken, by condition; each must turn out to be so. */
  readonly taken: ReadonlyMap<ValueId, boolean>;
  /** What must not be 0. */
  readonly required: readonly ValueId[];
}

/** @param model says which base sets and relations are needed */
export function spaceOf(
  structure: EventStructure,
  paths: readonly ThreadPath[],
  model: Model,
): Space {
  const initial = structure.events.filter((e) => e.thread === INITIAL);
  const events = [...initial, ...paths.flatMap((path) => path.events)];
  const size = sizeOf(events.length);
  const position = new Map(events.map((e, i) => [e.id, i]));
  const pairs = (test: (a: Event, b: Event) => boolean): (readonly [number, number])[] =>
    events.flatMap((a, i) => events.flatMap((b, j) => (test(a, b) ? [[i, j] as const] : [])));
  const where = (test: (e: Event) => boolean): number[] =>
    events.flatMap((e, i) => (test(e) ? [i] : []));

  const fixed = new Map<string, Words>();
  for (const name of model.bases) {
    const label = LABELS.find((l) => l === name);
    const relation = FIXED_RELATIONS.get(name);
    if (label !== undefined || name === 'IW') {
      const set = newSet(size);
      events.forEach((e, i) => {
        if (label === undefined ? e.thread === INITIAL : e.label === label) put(size, set, 0, i);
      });
      fixed.set(name, set);
    } else if (name === 'id') {
      fixed.set(name, newRel(size));
      addIdentity(size, fixed.get(name)!);
    } else if (relation !== undefined || name === 'pf') {
      const rel = newRel(size);
      if (relation === undefined) {
        for (const [a, b] of paths.flatMap((path) => path.polls)) {
          put(size, rel, position.get(a.id)!, position.get(b.id)!);
        }
      } else {
        for (let i = 0; i < events.length; i++) {
          for (let j = 0; j < events.length; j++) {
            if (relation(events[i], events[j])) put(size, rel, i, j);
          }
        }
      }
      fixed.set(name, rel);
    }
  }

  const byLocation = new Map<number, number[]>();
  for (const i of where(isWrite)) {
    const { location } = events[i];
    byLocation.set(location!, [...(byLocation.get(location!) ?? []), i]);
  }
  return {
    events,
    size,
    fixed,
    position,
    reads: where(isRead).map((read) => ({
      read,
      sources: where((e) => isWrite(e) && e !== events[read] && sameLocation(e, events[read])),
    })),
    writes: [...byLocation.values()],
    flushes: pairs(flushPair),
    taken: new Map(paths.flatMap((path) => [...path.taken])),
    required: paths.flatMap((path) => path.required),
  };
}
