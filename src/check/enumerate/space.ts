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
 * @param models decide which base sets and relations are needed
 */
export function spaceOf(
  structure: EventStructure,
  paths: readonly ThreadPath[],
  models: readonly Model[],
): Space | undefined {
  const executed = executedOn(structure, paths);
  if (executed === undefined) return undefined;
  const { base, ...rest } = executed;
  const fixed = new Map<string, BitSet | BitRel>();
  for (const { bases } of models) {
    for (const name of bases) {
      const value = fixed.get(name) ?? base(name);
      if (value !== undefined) fixed.set(name, value);
    }
  }
  return { ...rest, fixed };
}

/** What executions on some paths have in common under all models. */
interface Executed extends Omit<Space, 'fixed'> {
  /** The base sets and relations that the events fix. */
  readonly base: (name: string) => BitSet | BitRel | undefined;
}

/** What is known of structures without branches, which have one path. */
const straight = new WeakMap<EventStructure, { readonly executed: Executed | undefined }>();

function executedOn(structure: EventStructure, paths: readonly ThreadPath[]): Executed | undefined {
  if (paths.some(({ taken }) => taken.size > 0)) return execute(structure, paths);
  const { executed } = straight.get(structure) ?? { executed: execute(structure, paths) };
  straight.set(structure, { executed });
  return executed;
}

function execute(structure: EventStructure, paths: readonly ThreadPath[]): Executed | undefined {
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
    ...{ events, position, reads, writes: [...writes.values()], guesses },
    base: basesOf(events, structure.program.instructions, partners),
    taken: new Map(paths.flatMap((path) => [...path.taken])),
    required: paths.flatMap((path) => path.required),
  };
}

/** The base sets and relations that the executed events fix, each made when it is first asked for. */
function basesOf(
  events: readonly Event[],
  instructions: InstructionSet,
  partners: ReadonlyMap<string, BitRel>,
): Executed['base'] {
  const relation = fixedRelations(events);
  const sets = baseSets(events, instructions);
  const isSet = membership(instructions);
  return (name) => {
    const known = partners.get(name);
    if (known !== undefined) return known;
    if (isSet(name) !== undefined) return sets(name);
    if (name === 'id') return identity(universe(events.length));
    return FIXED_RELATIONS.has(name) ? relation(name) : undefined;
  };
}
