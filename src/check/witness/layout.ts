import {
  FIXED_RELATIONS,
  baseSets,
  flushPair,
  programOrder,
  queuePairs,
} from '../../program/events/relations.js';
import type { Event, EventId } from '../../program/events/structure.js';
import { isWrite } from '../../program/events/structure.js';
import type { Interpretation } from '../../model/interpret.js';
import { interpret } from '../../model/interpret.js';
import type { Model } from '../../model/term.js';
import type { Execution } from '../../model/relation/concrete.js';
import { concreteDomain } from '../../model/relation/concrete.js';
import { fixedRelations } from '../../program/events/fixed.js';
import { groupBy } from '../../model/relation/groups.js';
import type { BitRel, BitSet } from '../../model/relation/matrix.js';
import { emptyRel, related, relate } from '../../model/relation/matrix.js';
import type { Pair } from './witness.js';

/** What the executed events fix, whatever they read and write and however they are ordered. */
export interface Layout {
  /** The executed events; relations are over their positions in this list. */
  readonly events: readonly Event[];
  readonly position: ReadonlyMap<EventId, number>;
  /** The writes of each location, by their positions. */
  readonly writes: readonly (readonly number[])[];
  /** The pairs that NIC flush order orders, by their positions. */
  readonly flushes: readonly (readonly [number, number])[];
  /** The execution without the relations that are chosen. */
  readonly execution: Execution;
  /** The terms of the model that do not depend on those. */
  readonly terms: Interpretation<BitSet, BitRel>;
}

/** The layout of some executed events, or what is wrong with them. */
export function layoutOf(
  events: readonly Event[],
  model: Model,
): Layout | { readonly wrong: string } {
  const polls = pollsFrom(events);
  if (polls === undefined) return { wrong: 'a poll has nothing to poll' };
  const positions = [...events.keys()];
  const position = new Map(events.map((e, i) => [e.id, i]));
  const writes = positions.filter((i) => isWrite(events[i]));
  const remote = positions.filter((i) => events[i].node !== undefined);
  const fixed = fixedRelations(events);
  const execution = {
    size: events.length,
    sets: baseSets(events.map((e, id) => ({ ...e, id }))),
    relations: new Map([
      ...[...FIXED_RELATIONS.keys()].map((name) => [name, fixed(name)] as const),
      ['pf', relationOf(position, polls)!],
    ]),
  };
  return {
    events,
    position,
    writes: [...groupBy(writes, (i) => events[i].location).values()],
    flushes: [...groupBy(remote, (i) => events[i].thread).values()].flatMap((thread) =>
      thread.flatMap((i) =>
        thread.flatMap((j) => (flushPair(events[i], events[j]) ? [[i, j] as const] : [])),
      ),
    ),
    execution,
    terms: interpret(model, concreteDomain(execution)),
  };
}

/** Pairs of events as a relation over their positions; undefined if one has none, or is there twice. */
export function relationOf(
  position: ReadonlyMap<EventId, number>,
  pairs: readonly Pair[],
): BitRel | undefined {
  const rel = emptyRel(position.size);
  for (const [a, b] of pairs) {
    const [i, j] = [position.get(a), position.get(b)];
    if (i === undefined || j === undefined || related(rel, i, j)) return undefined;
    relate(rel, i, j);
  }
  return rel;
}

/** The k-th poll of a queue pair polls its k-th NIC write; undefined where there is none. */
function pollsFrom(events: readonly Event[]): Pair[] | undefined {
  const pairs: Pair[] = [];
  for (const [writes, polls] of queuePairs(events)) {
    for (const [k, p] of polls.entries()) {
      if (k >= writes.length || !programOrder(writes[k], p)) return undefined;
      pairs.push([writes[k].id, p.id]);
    }
  }
  return pairs;
}
