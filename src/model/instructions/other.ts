import { BASE_RELATIONS, BASE_SETS } from '../bases.js';
import type { Model, Term } from '../term.js';
import type { InstructionSet } from './set.js';

/**
 * A model, to be asked about executions of programs in another instruction set: labels, tags and guesses that this
 * set does not declare are empty in them. A program that calls an operation which the model lacks has no meaning
 * under it for all that (`inInstructionsOf`).
 */
export function aboutOther(model: Model, instructions: InstructionSet): Model {
  if (model.instructions === instructions) return model;
  const { labels, tags, guesses } = instructions;
  const known = new Set([...labels, ...tags, ...guesses].map(({ name }) => name));
  for (const name of [...BASE_SETS, ...BASE_RELATIONS]) known.add(name);
  const terms = model.terms.map((term): Term =>
    term.op === 'base' && !known.has(term.name) ? { op: 'empty', kind: term.kind } : term,
  );
  const bases = model.bases.filter((name) => known.has(name));
  return { ...model, instructions, terms, bases };
}
