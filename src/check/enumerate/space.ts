import { FIXED_RELATIONS, flushPair } from '../../program/events/relations.js';
import type { Event, EventStructure, ValueId } from '../../program/events/structure.js';
import { INITIAL, isRead, isWrite } from '../../program/events/structure.js';
import type { Fixed } from '../../encode/exclusion/intervals.js';
import type { Size, Words } from '../../encode/exclusion/words.js';
import { addIdentity, newRel, newSet, put, sizeOf } from '../../encode/exclusion/words.js';
import { LABELS } from '../../model/bases.js';
import type { Model } from '../../model/term.js';
import { fixedRelations } from '../../program/events/fixed.js';
import { groupBy } from '../../model/relation/groups.js';
import type { ThreadPath } from './paths.js';

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
  const where = (test: (e: Event) => boolean): readonly number[] =>
    events.flatMap((e, i) => (test(e) ? [i] : []));
  const writes = groupBy(where(isWrite), (i) => events[i].location!);
  const reads = where(isRead).map((read) => {
    const all = writes.get(events[read].location!) ?? [];
    return { read, sources: all.filter((write) => write !== read) };
  });
  const threads = groupBy(
    where((e) => e.node !== undefined),
    (i) => events[i].thread,
  );
  const flushes = [...threads.values()].flatMap((own) =>
    own.flatMap((i) =>
      own.flatMap((j) => (flushPair(events[i], events[j]) ? [[i, j] as const] : [])),
    ),
  );
  return {
    events,
    size,
    fixed: fixedBy(events, paths, position, size, model),
    position,
    reads,
    writes: [...writes.values()],
    flushes,
    taken: new Map(paths.flatMap((path) => [...path.taken])),
    required: paths.flatMap((path) => path.required),
  };
}

/** The base sets and relations of a model that events and polls fix. */
function fixedBy(
  events: readonly Event[],
  paths: readonly ThreadPath[],
  position: ReadonlyMap<number, number>,
  size: Size,
  model: Model,
): Fixed {
  const relation = fixedRelations(events);
  const fixed = new Map<string, Words>();
  for (const name of model.bases) {
    const label = LABELS.find((l) => l === name);
    if (label !== undefined || name === 'IW') {
      const set = newSet(size);
      events.forEach((e, i) => {
        if (label === undefined ? e.thread === INITIAL : e.label === label) put(size, set, 0, i);
      });
      fixed.set(name, set);
    } else if (name === 'id') {
      fixed.set(name, newRel(size));
      addIdentity(size, fixed.get(name)!);
    } else if (name === 'pf') {
      const polled = newRel(size);
      for (const [a, b] of paths.flatMap((path) => path.polls)) {
        put(size, polled, position.get(a.id)!, position.get(b.id)!);
      }
      fixed.set(name, polled);
    } else if (FIXED_RELATIONS.has(name)) {
      fixed.set(name, relation(name).words);
    }
  }
  return fixed;
}
