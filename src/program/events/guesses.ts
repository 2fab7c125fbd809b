import { OPERATORS, holds } from '../../model/operators/facts.js';
import type { Guess, InstructionSet } from '../../model/instructions/set.js';
import { interpret } from '../../model/interpret.js';
import { concreteDomain } from '../../model/relation/concrete.js';
import type { BitRel, BitSet } from '../../model/relation/matrix.js';
import * as m from '../../model/relation/matrix.js';
import { hasOperands, operandsOf } from '../../model/term.js';
import type { TermId } from '../../model/term.js';
import { fixedRelations } from './fixed.js';
import { baseSets, programOrder } from './relations.js';
import type { Event, EventStructure } from './structure.js';

/**
 * What there is to guess among some events, by the positions of the events in their list.
 *
 * - `either`: pairs of which each or its converse is in the relation
 * - `total`: the classes that are ordered, each in the order of the list
 * - `kth`: in each class, those that have partners, and those that may be their partners, both in the
 *   order of the list
 * - `one`: each event that has a source, with those that may be it
 */
export type Guessed = { readonly name: string } & (
  | { readonly how: 'either'; readonly pairs: readonly (readonly [number, number])[] }
  | { readonly how: 'total'; readonly classes: readonly (readonly number[])[] }
  | { readonly how: 'kth'; readonly unordered: boolean; readonly classes: readonly Ranked[] }
  | { readonly how: 'one'; readonly choices: readonly Sources[] }
);

export interface Ranked {
  readonly from: readonly number[];
  readonly to: readonly number[];
}

export interface Sources {
  readonly of: number;
  readonly sources: readonly number[];
}

/** What the guesses of an instruction set are about, among some events (docs/instructions.md). */
export function guessesOf(
  events: readonly Event[],
  instructions: InstructionSet,
): readonly Guessed[] {
  const { guesses } = instructions;
  if (guesses.length === 0) return [];
  // Most events are of no concern to any guess, and relations take room for each pair.
  const where = concerned(events, instructions);
  if (where.length === 0) return guesses.map(nothing);
  const list = where.map((i) => events[i]);
  const sets = baseSets(list, instructions);
  const relations = fixedRelations(list);
  const { terms } = instructions;
  const values = interpret(
    { terms, groups: [] },
    concreteDomain({ size: list.length, sets: { get: sets }, relations: { get: relations } }),
  );
  const at = (i: number): number => where[i];
  return guesses.map((guess) => guessed(guess, values, at));
}

const known = new WeakMap<EventStructure, readonly Guessed[]>();

/** The guesses among all events of a structure, by their ids; worked out once for each structure. */
export function guessesIn(structure: EventStructure): readonly Guessed[] {
  const before = known.get(structure);
  if (before !== undefined) return before;
  const made = guessesOf(structure.events, structure.program.instructions);
  known.set(structure, made);
  return made;
}

/**
 * The guesses among some events of a structure, by their positions in the list: those of the whole structure
 * between these events, where a pair of events is enough to tell.
 */
export function guessesAmong(
  structure: EventStructure,
  events: readonly Event[],
): readonly Guessed[] {
  const { instructions } = structure.program;
  if (!isPointwise(instructions)) return guessesOf(events, instructions);
  const at = new Map(events.map((e, i) => [e.id, i]));
  const kept = (ids: readonly number[]): readonly number[] => ids.flatMap((id) => at.get(id) ?? []);
  return guessesIn(structure).map((guess): Guessed => {
    switch (guess.how) {
      case 'either':
        return {
          ...guess,
          pairs: guess.pairs.flatMap(([a, b]) => {
            const [i, j] = [at.get(a), at.get(b)];
            return i === undefined || j === undefined ? [] : [[i, j] as const];
          }),
        };
      case 'total':
        return { ...guess, classes: guess.classes.map(kept) };
      case 'kth':
        return {
          ...guess,
          classes: guess.classes.map(({ from, to }) => ({ from: kept(from), to: kept(to) })),
        };
      case 'one':
        return {
          ...guess,
          choices: guess.choices.flatMap(({ of, sources }) => {
            const i = at.get(of);
            return i === undefined ? [] : [{ of: i, sources: kept(sources) }];
          }),
        };
    }
  });
}

/** Do the terms of all guesses say of two events, by these alone, whether they are related? */
export const isPointwise = ({ terms }: InstructionSet): boolean =>
  terms.every((term) => !hasOperands(term) || OPERATORS[term.op].pointwise);

/** A guess with nothing to guess. */
function nothing({ name, how, ...rest }: Guess): Guessed {
  switch (how) {
    case 'either':
      return { name, how, pairs: [] };
    case 'total':
      return { name, how, classes: [] };
    case 'kth':
      return { name, how, classes: [], unordered: 'unordered' in rest && rest.unordered };
    case 'one':
      return { name, how, choices: [] };
  }
}

/** The names of the guesses that say which pairs are chosen; partners by rank follow from the path. */
export const chosenGuesses = ({ guesses }: InstructionSet): readonly string[] =>
  guesses.flatMap((guess) => (guess.how === 'kth' ? [] : [guess.name]));

interface Values {
  readonly set: (id: TermId) => BitSet;
  readonly rel: (id: TermId) => BitRel;
}

function guessed(guess: Guess, values: Values, at: (i: number) => number): Guessed {
  const { name } = guess;
  switch (guess.how) {
    case 'either': {
      const pairs = [...m.pairs(values.rel(guess.pairs))].flatMap(([a, b]) =>
        a === b ? [] : [[at(a), at(b)] as const],
      );
      return { name, how: 'either', pairs: unoriented(pairs) };
    }
    case 'total':
      return {
        name,
        how: 'total',
        classes: classesOf(values.rel(guess.pairs)).map((c) => c.map(at)),
      };
    case 'kth': {
      const [from, to] = [values.set(guess.from), values.set(guess.to)];
      const classes = classesOf(values.rel(guess.within)).flatMap((members): Ranked[] => {
        const asked = members.filter((i) => m.has(to, i));
        if (asked.length === 0) return [];
        return [{ from: members.filter((i) => m.has(from, i)).map(at), to: asked.map(at) }];
      });
      return { name, how: 'kth', unordered: guess.unordered, classes };
    }
    case 'one': {
      const within = m.inverse(values.rel(guess.within));
      const from = values.set(guess.from);
      const choices = [...m.elements(values.set(guess.to))].map((of) => ({
        of: at(of),
        sources: [...m.successors(within, of)].filter((i) => m.has(from, i)).map(at),
      }));
      return { name, how: 'one', choices };
    }
  }
}

/** Each pair once, whichever way round it was given. */
function unoriented(
  pairs: readonly (readonly [number, number])[],
): readonly (readonly [number, number])[] {
  const seen = new Set<string>();
  return pairs.filter(([a, b]) => {
    if (seen.has(`${b} ${a}`)) return false;
    seen.add(`${a} ${b}`);
    return true;
  });
}

/** The classes of an equivalence, with its members in order; events that it leaves out are in none. */
function classesOf(rel: BitRel): readonly (readonly number[])[] {
  const classes: number[][] = [];
  const done = new Set<number>();
  for (let i = 0; i < rel.size; i++) {
    if (done.has(i)) continue;
    const members = [...m.successors(rel, i)];
    for (const member of members) done.add(member);
    if (members.length > 0) classes.push(members);
  }
  return classes;
}

/** The positions of the events that a guess may be about: all, unless labels say which. */
function concerned(events: readonly Event[], instructions: InstructionSet): number[] {
  const all = [...events.keys()];
  const labels = labelsGuessed(instructions);
  return labels === undefined ? all : all.filter((i) => labels.has(events[i].label));
}

const about = new WeakMap<InstructionSet, ReadonlySet<string> | undefined>();

/** The labels that all guesses are about; undefined where some guess may be about all events. */
export function labelsGuessed(instructions: InstructionSet): ReadonlySet<string> | undefined {
  if (!about.has(instructions)) about.set(instructions, labelsAsked(instructions));
  return about.get(instructions);
}

function labelsAsked({ guesses, terms, labels }: InstructionSet): ReadonlySet<string> | undefined {
  const isLabel = new Set(labels.map((label) => label.name));
  const named = new Set<string>();
  for (const term of terms) {
    if (term.op === 'base' && isLabel.has(term.name)) named.add(term.name);
  }
  /** Is a term empty outside of the events with these labels? */
  const bounded = (id: TermId): boolean => {
    const term = terms[id];
    if (term.op === 'base') return named.has(term.name);
    if (term.op === 'empty') return true;
    return hasOperands(term) && holds(OPERATORS[term.op].about, operandsOf(term), bounded);
  };
  const isBounded = guesses.every((guess) =>
    'pairs' in guess ? bounded(guess.pairs) : bounded(guess.from) && bounded(guess.to),
  );
  return isBounded ? named : undefined;
}

/**
 * The partner of each event that has one by rank, among executed events; undefined where one is missing,
 * so that there is no such execution.
 */
export function partnersByRank(
  { classes, unordered }: Extract<Guessed, { how: 'kth' }>,
  events: readonly Event[],
): BitRel | undefined {
  const partners = m.emptyRel(events.length);
  for (const { from, to } of classes) {
    for (const [k, p] of to.entries()) {
      if (k >= from.length) return undefined;
      if (!unordered && !programOrder(events[from[k]], events[p])) return undefined;
      m.relate(partners, from[k], p);
    }
  }
  return partners;
}
