import { FIXED_RELATIONS, flushPair } from '../../program/events/relations.js';
import type { Event, EventStructure, ValueId } from '../../program/events/structure.js';
import { INITIAL, isRead, isWrite } from '../../program/events/structure.js';
import type { Fixed } from '../../encode/exclusion/intervals.js';
import { LABELS } from '../../model/bases.js';
import type { Model } from '../../model/term.js';
import { fixedRelations } from '../../program/events/fixed.js';
import { groupBy } from '../../model/relation/groups.js';
import type { BitRel, BitSet } from '../../model/relation/matrix.js';
import { identity, relOf, setOf, universe } from '../../model/relation/matrix.js';
import type { ThreadPath } from './paths.js';

/** The executions that take a given path through each thread: what is fixed, what is to choose. */
export interface Space {
  /** The executed events; everything below is over their positions in this list. */
  readonly events: readonly Event[];
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
    fixed: fixedBy(events, paths, position, model),
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
  model: Model,
): Fixed {
  const size = events.length;
  const relation = fixedRelations(events);
  const having = (test: (e: Event) => boolean): BitSet =>
    setOf(
      size,
      [...events.keys()].filter((i) => test(events[i])),
    );
  const fixed = new Map<string, BitSet | BitRel>();
  for (const name of model.bases) {
    const label = LABELS.find((l) => l === name);
    if (label !== undefined) {
      fixed.set(
        name,
        having((e) => e.label === label),
      );
    } else if (name === 'IW') {
      fixed.set(
        name,
        having((e) => e.thread === INITIAL),
      );
    } else if (name === 'id') {
      fixed.set(name, identity(universe(size)));
    } else if (name === 'pf') {
      const polls = paths.flatMap((path) => path.polls);
      const at = (e: Event): number => position.get(e.id)!;
      fixed.set(
        name,
        relOf(
          size,
          polls.map(([a, b]) => [at(a), at(b)]),
        ),
      );
    } else if (FIXED_RELATIONS.has(name)) {
      fixed.set(name, relation(name));
    }
  }
  return fixed;
}
