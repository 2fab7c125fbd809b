import type { Guessed } from '../../program/events/guessed.js';
import { guessesAmong, partnersByRank } from '../../program/events/guesses.js';
import {
  BY_PLACES,
  FIXED_RELATIONS,
  baseSets,
  membership,
} from '../../program/events/relations.js';
import type { Event, EventStructure, ValueId } from '../../program/events/structure.js';
import { INITIAL, isRead, isWrite } from '../../program/events/structure.js';
import type { Fixed } from '../../encode/exclusion/intervals.js';
import { once } from '../../parse/once.js';
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
  readonly position: readonly (number | undefined)[];
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

/**
 * What is known of the structure that was asked about last, if it has no branches, and so one path. To remember it weakly for
 * all structures would keep them alive for long.
 */
let last:
  | { readonly structure: EventStructure; readonly executed: Executed | undefined }
  | undefined;

function executedOn(structure: EventStructure, paths: readonly ThreadPath[]): Executed | undefined {
  if (paths.some(({ taken }) => taken.size > 0)) return execute(structure, paths);
  if (last?.structure !== structure) last = { structure, executed: execute(structure, paths) };
  return last.executed;
}

function execute(structure: EventStructure, paths: readonly ThreadPath[]): Executed | undefined {
  const initial = structure.events.filter((e) => e.thread === INITIAL);
  const events = [...initial, ...paths.flatMap((path) => path.events)];
  const position: (number | undefined)[] = [];
  const [written, read]: [number[], number[]] = [[], []];
  for (const [i, event] of events.entries()) {
    position[event.id] = i;
    if (isWrite(event)) written.push(i);
    if (isRead(event)) read.push(i);
  }
  const writes = groupBy(written, (i) => events[i].location!);
  const reads = read.map((own) => {
    const all = writes.get(events[own].location!) ?? [];
    return { read: own, sources: all.filter((write) => write !== own) };
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
    base: basesOf(structure, events, partners),
    taken: new Map(paths.flatMap((path) => [...path.taken])),
    required: paths.flatMap((path) => path.required),
  };
}

/** The base sets and relations that the executed events fix, each made when it is first asked for. */
function basesOf(
  structure: EventStructure,
  events: readonly Event[],
  partners: ReadonlyMap<string, BitRel>,
): Executed['base'] {
  const { instructions } = structure.program;
  const relations = once(() => fixedRelations(events));
  const sets = baseSets(events, instructions);
  const isSet = membership(instructions);
  const known = events.length === structure.events.length ? knownOf(structure) : new Map();
  return (name) => {
    const before = partners.get(name) ?? known.get(name);
    if (before !== undefined) return before;
    const base =
      name === 'id'
        ? identity(universe(events.length))
        : isSet(name) !== undefined
          ? sets(name)
          : FIXED_RELATIONS.has(name)
            ? relations()(name)
            : undefined;
    if (base !== undefined && !BY_PLACES.has(name)) known.set(name, base);
    return base;
  };
}

type Bases = Map<string, BitSet | BitRel>;

/** The bases that are not about places, of all events of structures, by how much the numbers of events are greater in those like them. */
const basesLike = new WeakMap<EventStructure, Map<number, Bases>>();

/** The bases of a structure that have been found in structures like it. */
function knownOf({ like }: EventStructure): Bases {
  if (like === undefined) return new Map();
  const all = basesLike.get(like.structure) ?? new Map<number, Bases>();
  basesLike.set(like.structure, all);
  const known = all.get(like.by) ?? new Map<string, BitSet | BitRel>();
  all.set(like.by, known);
  return known;
}
