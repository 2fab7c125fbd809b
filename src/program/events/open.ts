import { groupBy } from '../../model/relation/groups.js';
import { guessesIn } from './guesses.js';
import { sameLocation } from './relations.js';
import type { EventId, EventStructure } from './structure.js';
import { INITIAL, areExclusive, isRead, isWrite } from './structure.js';

/** What an execution chooses, besides its free choices. */
export interface OpenChoices {
  readonly structure: EventStructure;
  /**
   * By the name of a relation: the possible sources of each event that has one. In `rf` these are writes of the same
   * place.
   */
  readonly sources: ReadonlyMap<string, ReadonlyMap<EventId, readonly EventId[]>>;
  /** By the name of a relation: the pairs of events of which one comes before the other, if both are executed. */
  readonly orders: ReadonlyMap<string, OpenOrder>;
}

export interface OpenOrder {
  readonly pairs: readonly (readonly [EventId, EventId])[];
  /** The one of two events that comes first in every execution, such as an initial write. */
  readonly first: (a: EventId, b: EventId) => EventId | undefined;
  /** Whether the order is transitive. */
  readonly total: boolean;
}

/** The choices among the events of a structure, by the definition of executions and the declarations of guesses. */
export function openIn(structure: EventStructure): OpenChoices {
  const { events } = structure;
  const together = ([a, b]: readonly [EventId, EventId]): boolean =>
    !areExclusive(events[a].path, events[b].path);
  const initial = (a: EventId, b: EventId): EventId | undefined => {
    const [first, ...others] = [a, b].filter((e) => events[e].thread === INITIAL);
    return others.length > 0 ? undefined : first;
  };
  const total = (pairs: readonly (readonly [EventId, EventId])[]): OpenOrder => ({
    pairs: pairs.filter(together),
    first: initial,
    total: true,
  });
  const writes = events.filter(isWrite);
  const written = events.filter(isRead).map((r) => {
    const able = writes.filter((w) => w !== r && sameLocation(w, r) && together([w.id, r.id]));
    return [r.id, able.map(({ id }) => id)] as const;
  });
  const places = [...groupBy(writes, (w) => w.location).values()];
  const inOrder = places.flatMap((group) => pairsOf(group.map(({ id }) => id)));
  const sources = new Map([['rf', new Map(written)]]);
  const orders = new Map<string, OpenOrder>([['mo', total(inOrder)]]);
  for (const guess of guessesIn(structure)) {
    const { name, pairs, classes, choices } = guess;
    if (choices.length > 0) {
      const able = choices.map((c) => [c.of, c.sources.filter((s) => together([s, c.of]))]);
      sources.set(name, new Map(able as [EventId, EventId[]][]));
    } else if (classes.length > 0) orders.set(name, total(classes.flatMap(pairsOf)));
    else if (guess.chosen) {
      orders.set(name, { pairs: pairs.filter(together), first: () => undefined, total: false });
    }
  }
  return { structure, sources, orders };
}

const pairsOf = (group: readonly EventId[]): [EventId, EventId][] =>
  group.flatMap((a, i) => group.slice(i + 1).map((b): [EventId, EventId] => [a, b]));
