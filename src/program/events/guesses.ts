import { OPERATORS, holdsFor } from '../../model/operators/facts.js';
import type { InstructionSet } from '../../model/instructions/set.js';
import { interpret } from '../../model/interpret.js';
import { concreteDomain } from '../../model/relation/concrete.js';
import type { BitRel } from '../../model/relation/matrix.js';
import * as m from '../../model/relation/matrix.js';
import { hasOperands, operandsOf } from '../../model/term.js';
import type { Term, TermId } from '../../model/term.js';
import { fixedRelations } from './fixed.js';
import { guessed, moved, nothingOf } from './guessed.js';
import type { Guessed } from './guessed.js';
import { guessingOver } from './narrow.js';
import { BY_PLACES, baseSets, programOrder } from './relations.js';
import type { Event, EventStructure } from './structure.js';

/** What the guesses of an instruction set choose among some events (docs/instructions.md). */
export function guessesOf(
  events: readonly Event[],
  instructions: InstructionSet,
): readonly Guessed[] {
  const { guesses } = instructions;
  if (guesses.length === 0) return [];
  // Most events concern no guess, and relations take room for each pair.
  const where = concerned(events, instructions);
  if (where.length === 0) return guesses.map(nothingOf);
  const list = where.map((i) => events[i]);
  const sets = baseSets(list, instructions);
  const relations = fixedRelations(list);
  const { terms } = instructions;
  const values = interpret(
    { terms, groups: [] },
    concreteDomain({ size: list.length, sets: { get: sets }, relations: { get: relations } }),
  );
  return guesses.map((guess) => moved(guessed(guess, values), (i) => where[i]));
}

/** By how much the numbers of events are greater: the guesses of a structure, and of those like it. */
const known = new WeakMap<EventStructure, Map<number, readonly Guessed[]>>();

/** The guesses among all events of a structure, by their ids; worked out once for all structures like it. */
export function guessesIn(structure: EventStructure): readonly Guessed[] {
  const { like } = structure;
  const isMoved = like !== undefined && !isAboutPlaces(guessingOver(structure));
  const { structure: from, by } = isMoved ? like : { structure, by: 0 };
  const all = known.get(from) ?? new Map<number, readonly Guessed[]>();
  known.set(from, all);
  const before = all.get(by);
  if (before !== undefined) return before;
  const made = isMoved
    ? guessesIn(from).map((guess) => moved(guess, (id) => id + by))
    : guessesOver(from, from.events);
  all.set(by, made);
  return made;
}

/** The guesses among some events of a structure. Most are about none of its events. */
function guessesOver(structure: EventStructure, events: readonly Event[]): readonly Guessed[] {
  const made = guessesOf(events, guessingOver(structure));
  return structure.program.instructions.guesses.map(
    (guess) => made.find(({ name }) => name === guess.name) ?? nothingOf(guess),
  );
}

/** Do guesses ask about places, or about the writes in the beginning? */
const isAboutPlaces = perSet(
  (instructions) =>
    labelsGuessed(instructions)?.has(instructions.initial ?? '') !== false ||
    instructions.terms.some((term) => term.op === 'base' && BY_PLACES.has(term.name)),
);

/**
 * The guesses among some events of a structure, by their positions in the list. They are those of the whole structure,
 * restricted to these events, if each pair can be judged by itself.
 */
export function guessesAmong(
  structure: EventStructure,
  events: readonly Event[],
): readonly Guessed[] {
  if (!isPointwise(guessingOver(structure))) return guessesOver(structure, events);
  if (events.length === structure.events.length) return guessesIn(structure);
  const at = new Map(events.map((e, i) => [e.id, i]));
  return guessesIn(structure).map((guess) => moved(guess, (id) => at.get(id)));
}

/** Does it depend only on two events whether the terms of guesses relate them? */
export const isPointwise = perSet(({ terms }) =>
  terms.every((term) => !hasOperands(term) || OPERATORS[term.op].pointwise),
);

/** The positions of the events that a guess may be about: all, unless labels say which. */
function concerned(events: readonly Event[], instructions: InstructionSet): number[] {
  const all = [...events.keys()];
  const labels = labelsGuessed(instructions);
  return labels === undefined ? all : all.filter((i) => labels.has(events[i].label));
}

/** The labels that guesses are about; undefined if some guess may be about all events. */
export const labelsGuessed = perSet(labelsAsked);

/** What is found out once for each instruction set. */
function perSet<Found>(find: (instructions: InstructionSet) => Found) {
  const found = new WeakMap<InstructionSet, Found>();
  return (instructions: InstructionSet): Found => {
    if (!found.has(instructions)) found.set(instructions, find(instructions));
    return found.get(instructions)!;
  };
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
    return hasOperands(term) && holdsFor(OPERATORS[term.op].about, operandsOf(term), bounded);
  };
  /** Has a relation no pairs with another event at this end? */
  const boundedAt = (id: TermId, isFirst: boolean): boolean => {
    const term = terms[id];
    if (term.op === 'product') return bounded(isFirst ? term.left : term.right);
    if (term.op === 'inverse') return boundedAt(term.arg, !isFirst);
    if (!hasOperands(term) || !OPERATORS[term.op].pointwise) return bounded(id);
    const isAt = (operand: TermId): boolean =>
      terms[operand].kind === 'set' ? bounded(operand) : boundedAt(operand, isFirst);
    return holdsFor(OPERATORS[term.op].about, operandsOf(term), isAt);
  };
  /** Are the other events, by which a term is about its own, of these as well? */
  const isByThese = (term: Term): boolean => {
    if (!hasOperands(term) || OPERATORS[term.op].pointwise) return true;
    if (term.op === 'domain') return boundedAt(term.arg, false);
    if (term.op === 'range') return boundedAt(term.arg, true);
    const operands = operandsOf(term);
    return boundedAt(operands[0], false) || boundedAt(operands.at(-1)!, true);
  };
  if (!terms.every(isByThese)) return undefined;
  const isBounded = guesses.every((guess) =>
    'pairs' in guess ? bounded(guess.pairs) : bounded(guess.from) && bounded(guess.to),
  );
  return isBounded ? named : undefined;
}

/**
 * The relation to partners by rank, among executed events; undefined if a partner is missing, so that there is no such
 * execution.
 */
export function partnersByRank({ ranked }: Guessed, events: readonly Event[]): BitRel | undefined {
  const partners = m.emptyRel(events.length);
  for (const { from, to, unordered } of ranked) {
    for (const [k, p] of to.entries()) {
      if (k >= from.length) return undefined;
      if (!unordered && !programOrder(events[from[k]], events[p])) return undefined;
      m.relate(partners, from[k], p);
    }
  }
  return partners;
}
