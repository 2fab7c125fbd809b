import { BASE_SETS } from '../../model/bases.js';
import { setsOf } from '../../model/instructions/library.js';
import { foldedTerms, narrowed } from '../../model/narrow.js';
import type { Model } from '../../model/term.js';
import { membership } from './relations.js';
import type { EventStructure } from './structure.js';

/** For each model, the narrowed models made so far, by the names of the empty bases. */
const known = new WeakMap<Model, Map<string, Model>>();

/**
 * A model without the base sets and guesses that are empty over the events of a program. Most programs use few
 * operations, so this removes much.
 */
export function modelOver(structure: EventStructure, model: Model): Model {
  const empty = emptyBases(structure);
  const key = [...empty].join(' ');
  const ofModel = known.get(model) ?? new Map<string, Model>();
  known.set(model, ofModel);
  const made = ofModel.get(key) ?? narrowed(model, (name) => empty.has(name));
  ofModel.set(key, made);
  return made;
}

const emptyIn = new WeakMap<EventStructure, ReadonlySet<string>>();

/** The base sets and guesses that are empty over the events of a program. */
export function emptyBases(structure: EventStructure): ReadonlySet<string> {
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
  emptyIn.set(structure, empty);
  return empty;
}
