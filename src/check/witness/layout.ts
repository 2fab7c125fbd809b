import { guessesOf, partnersByRank } from '../../program/events/guesses.js';
import type { Guessed } from '../../program/events/guessed.js';
import { baseSets } from '../../program/events/relations.js';
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
import { FIXED_NAMES } from '../../program/events/relations.js';
import type { Pair } from './witness.js';

/** What the executed events fix, whatever the execution chooses. */
export interface WitnessLayout {
  /** The executed events; relations are over their positions in this list. */
  readonly events: readonly Event[];
  readonly position: ReadonlyMap<EventId, number>;
  /** The writes of each location, by their positions. */
  readonly writes: readonly (readonly number[])[];
  /** The guesses, by positions of events. */
  readonly guesses: readonly Guessed[];
  /** The execution without the relations that it chooses. */
  readonly execution: Execution;
  /** The terms of the model that do not depend on the chosen relations. */
  readonly terms: Interpretation<BitSet, BitRel>;
}

/** The layout of some executed events, or what is wrong with them. */
export function witnessLayout(
  events: readonly Event[],
  model: Model,
): WitnessLayout | { readonly wrong: string } {
  const { instructions } = model;
  const guesses = guessesOf(events, instructions);
  const partners = new Map<string, BitRel>();
  for (const guess of guesses) {
    if (guess.chosen) continue;
    const found = partnersByRank(guess, events);
    if (found === undefined) return { wrong: `an event has no partner in ${guess.name}` };
    partners.set(guess.name, found);
  }
  const positions = [...events.keys()];
  const writes = positions.filter((i) => isWrite(events[i]));
  const fixed = fixedRelations(events);
  const isFixed = new Set(FIXED_NAMES);
  const execution = {
    size: events.length,
    sets: { get: baseSets(events, instructions) },
    relations: {
      get: (name: string) => partners.get(name) ?? (isFixed.has(name) ? fixed(name) : undefined),
    },
  };
  return {
    events,
    position: new Map(events.map((e, i) => [e.id, i])),
    writes: [...groupBy(writes, (i) => events[i].location).values()],
    guesses,
    execution,
    terms: interpret(model, concreteDomain(execution)),
  };
}

/**
 * Pairs of events as a relation over their positions; undefined if an event has no position, or a pair is there twice.
 */
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
