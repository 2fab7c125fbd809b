import type { Guessed } from '../../program/events/guessed.js';
import { guessesAmong, partnersByRank } from '../../program/events/guesses.js';
import { FIXED_RELATIONS, baseSets, membership } from '../../program/events/relations.js';
import type { Event, EventStructure, ValueId } from '../../program/events/structure.js';
import { INITIAL, isRead, isWrite } from '../../program/events/structure.js';
import type { Fixed } from '../../encode/exclusion/intervals.js';
import type { InstructionSet } from '../../model/instructions/set.js';
import type { Model } from '../../model/term.js';
import { fixedRelations } from '../../program/events/fixed.js';
import { groupBy } from '../../model/relation/groups.js';
import type { BitRel, BitSet } from '../../model/relation/matrix.js';
import { identity, universe } from '../../model/relation/matrix.js';
import type { ThreadPath } from './paths.js';

/** The executions that take a given path through each thread: what is fixed, and what is chosen. */
export interface Space {
  /** The executed events; everything below is over their positions in this list. */
  readonly events: readonly Event[];
  /** The base sets and relations of the model that the events fix. */
  readonly fixed: Fixed;
  /** The position of each event in the list, by its id. */
  readonly position: ReadonlyMap<number, number>;
  /** Each read with the writes that it can read from. */
  readonly reads: readonly { readonly read: number; readonly sources: readonly number[] }[];
  /** The writes of each location, the initial one first. */
  readonly writes: readonly (readonly number[])[];
  /** The other choices. */
  readonly guesses: readonly Guessed[];
  /** The required truth value of each condition. */
  readonly taken: ReadonlyMap<ValueId, boolean>;
  /** The values that must not be 0. */
  readonly required: readonly ValueId[];
}

/**
 * Makes the space; undefined if an event lacks a partner by rank, so that there is no such execution.
 *
 * @param model decides which base sets and relations are needed
 */
export function spaceOf(
  structure: EventStructure,
  paths: readonly ThreadPath[],
  model: Model,
): Space | undefined {
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
  const partners = new Map<string, BitRel>();
  const guesses: Guessed[] = [];
  for (const guess of guessesAmong(structure, events)) {
    if (guess.chosen) guesses.push(guess);
    else {
      const found = partnersByRank(guess, events);
      if (found === undefined) return undefined;
      partners.set(guess.name, found);
    }
  }
  return {
    events,
    fixed: fixedBy(events, structure.program.instructions, partners, model),
    position,
    reads,
    writes: [...writes.values()],
    guesses,
    taken: new Map(paths.flatMap((path) => [...path.taken])),
    required: paths.flatMap((path) => path.required),
  };
}

/** The base sets and relations of a model that the executed events fix. */
function fixedBy(
  events: readonly Event[],
  instructions: InstructionSet,
  partners: ReadonlyMap<string, BitRel>,
  model: Model,
): Fixed {
  const size = events.length;
  const relation = fixedRelations(events);
  const sets = baseSets(events, instructions);
  const isSet = membership(instructions);
  const fixed = new Map<string, BitSet | BitRel>(partners);
  for (const name of model.bases) {
    if (isSet(name) !== undefined) fixed.set(name, sets(name));
    else if (name === 'id') fixed.set(name, identity(universe(size)));
    else if (FIXED_RELATIONS.has(name)) fixed.set(name, relation(name));
  }
  return fixed;
}
