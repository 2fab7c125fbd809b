import type { BitRel } from '../model/relation/matrix.js';
import { inverse, successors } from '../model/relation/matrix.js';
import type { EventId } from '../program/events/structure.js';
import type { Formula, Lit } from './formula.js';
import { TRUE } from './formula.js';

/** For a read that is executed: the writes that it may read from, and when it reads from each. */
export type SourceLiterals = (read: EventId) => ReadonlyMap<EventId, Lit>;

/** A fresh variable for each source, but for a read that has only one. */
export function createSources(mayReadFrom: BitRel, formula: Formula): SourceLiterals {
  const writes = inverse(mayReadFrom);
  const made = new Map<EventId, ReadonlyMap<EventId, Lit>>();
  return (read) => {
    let of = made.get(read);
    if (of === undefined) {
      const sources = successors(writes, read);
      const only = sources.length === 1;
      of = new Map(sources.map((write) => [write, only ? TRUE : formula.fresh()]));
      made.set(read, of);
    }
    return of;
  };
}
