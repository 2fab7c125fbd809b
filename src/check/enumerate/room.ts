import type { Axioms } from '../../encode/exclusion/axioms.js';
import { createAxioms } from '../../encode/exclusion/axioms.js';
import type { Dependence } from '../../encode/exclusion/dependence.js';
import type { Exclusion } from '../../encode/exclusion/exclusion.js';
import { createExclusion } from '../../encode/exclusion/exclusion.js';
import { createIntervals } from '../../encode/exclusion/intervals.js';
import type { Model } from '../../model/term.js';
import type { Construction } from './partial.js';
import { construction } from './partial.js';

/** What a model says of a partial execution. */
export interface Judge {
  /** As an index. */
  readonly model: number;
  readonly axioms: Axioms;
  readonly exclude: Exclusion;
}

/** What a search works in: a partial execution, and what its models say of it. To make it costs more than most small searches. */
export interface Room {
  readonly made: Construction;
  readonly judges: readonly Judge[];
}

/** Rooms that are free, by number of events. */
const free = new WeakMap<Dependence, Map<number, Room[]>>();

/**
 * Lets a search have a room, which is used again when the search is over. Searches may begin others.
 *
 * @param size how many events there are
 * @param models over one table of terms; `dependences` are theirs
 */
export function withRoom(
  size: number,
  models: readonly Model[],
  dependences: readonly Dependence[],
  search: (room: Room) => void,
): void {
  const [first] = dependences;
  const bySize = free.get(first) ?? new Map<number, Room[]>();
  free.set(first, bySize);
  const rooms = bySize.get(size) ?? [];
  bySize.set(size, rooms);
  const room = rooms.pop() ?? roomFor(size, models, first);
  search(room);
  rooms.push(room);
}

function roomFor(size: number, models: readonly Model[], dependence: Dependence): Room {
  const made = construction(size, dependence);
  const { partial } = made;
  const bound = createIntervals(models[0], dependence, size, partial);
  const judges = models.map((one, model): Judge => {
    const axioms = createAxioms(one, dependence, size, bound, partial.stamps);
    return { model, axioms, exclude: createExclusion(one, dependence, size, bound, axioms) };
  });
  return { made, judges };
}
