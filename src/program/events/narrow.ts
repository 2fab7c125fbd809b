import { BASE_SETS } from '../../model/bases.js';
import { setsOf } from '../../model/instructions/library.js';
import { foldedTerms, narrowed } from '../../model/narrow.js';
import type { Guess, InstructionSet } from '../../model/instructions/set.js';
import type { Model, Term, TermId } from '../../model/term.js';
import { operandsOf } from '../../model/term.js';
import { membership } from './relations.js';
import type { EventStructure } from './structure.js';

/** Bases that are empty, and their names as one text. */
interface Empty {
  readonly bases: ReadonlySet<string>;
  readonly key: string;
}

/** For each model, the narrowed models made so far, by the names of the empty bases. */
const known = new WeakMap<Model, Map<string, Model>>();

/**
 * A model without the base sets and guesses that are empty over the events of a program. Most programs use few
 * operations, so this removes much.
 */
export function modelOver(structure: EventStructure, model: Model): Model {
  const { bases, key } = emptyOf(structure);
  const ofModel = known.get(model) ?? new Map<string, Model>();
  known.set(model, ofModel);
  const made = ofModel.get(key) ?? narrowed(model, (name) => bases.has(name));
  ofModel.set(key, made);
  return made;
}

const guessing = new WeakMap<InstructionSet, Map<string, InstructionSet>>();

/**
 * The instruction set of a program with those guesses alone that may be about some of its events, and without the terms
 * that these do not need.
 */
export function guessingOver(structure: EventStructure): InstructionSet {
  const { bases, key } = emptyOf(structure);
  const { instructions } = structure.program;
  const ofSet = guessing.get(instructions) ?? new Map<string, InstructionSet>();
  guessing.set(instructions, ofSet);
  const made = ofSet.get(key) ?? withoutIdle(instructions, bases);
  ofSet.set(key, made);
  return made;
}

function withoutIdle(instructions: InstructionSet, empty: ReadonlySet<string>): InstructionSet {
  const { terms } = foldedTerms(instructions.terms, (name) => empty.has(name));
  const guesses = instructions.guesses.filter(({ name }) => !empty.has(name));
  const needed = new Set(guesses.flatMap(termsOfGuess));
  for (const id of needed) for (const operand of operandsOf(terms[id])) needed.add(operand);
  const none = ({ kind }: Term): Term => ({ op: 'empty', kind });
  return {
    ...instructions,
    guesses,
    terms: terms.map((term, id) => (needed.has(id) ? term : none(term))),
  };
}

const termsOfGuess = (guess: Guess): readonly TermId[] =>
  'pairs' in guess ? [guess.pairs] : [guess.from, guess.to, guess.within];

const emptyIn = new WeakMap<EventStructure, Empty>();

/** The base sets and guesses that are empty over the events of a program. */
export const emptyBases = (structure: EventStructure): ReadonlySet<string> =>
  emptyOf(structure).bases;

function emptyOf(structure: EventStructure): Empty {
  if (structure.like !== undefined) return emptyOf(structure.like.structure);
  const before = emptyIn.get(structure);
  if (before !== undefined) return before;
  const { events, program } = structure;
  const { labels, tags, operations, libraries, terms, guesses } = program.instructions;
  const isIn = membership(program.instructions);
  const names = [
    ...BASE_SETS,
    ...[...labels, ...tags].map((one) => one.name),
    ...libraries.flatMap((library) => setsOf(library, operations)),
  ];
  const empty = new Set(names.filter((name) => !events.some(isIn(name)!)));
  const left = foldedTerms(terms, (name) => empty.has(name)).terms;
  for (const guess of guesses) {
    const about = 'pairs' in guess ? guess.pairs : guess.to;
    if (left[about].op === 'empty') empty.add(guess.name);
  }
  const made = { bases: empty, key: [...empty].join(' ') };
  emptyIn.set(structure, made);
  return made;
}
