import { chosenIn } from '../../model/instructions/chosen.js';
import type { InstructionSet } from '../../model/instructions/set.js';
import { operandsOf } from '../../model/term.js';
import type { Model, TermId } from '../../model/term.js';

/** How many bits there are. If a model chooses more relations than this, some share one: then more is worked out anew than need be. */
const BITS = 8;

/** Which terms of a model depend on what. */
export interface Dependence {
  /** The relations that an execution chooses. */
  readonly chosen: readonly string[];
  /** The terms of those that the model has. */
  readonly chosenTerms: ReadonlyMap<string, TermId>;
  /** The bit of a chosen relation, so that a number is a set of them; 0 for all other names. */
  readonly bitOf: (name: string) => number;
  /** The bits of all of them. */
  readonly all: number;
  /** For each term, the bits of the chosen relations that it depends on. */
  readonly on: Uint8Array;
  /** For each term, whether it depends on a variable of the `let rec` that it lies in. */
  readonly recursive: readonly boolean[];
  /** The bits of the chosen relations that axioms and flags depend on. */
  readonly seen: number;
}

/**
 * What the terms of a model depend on. It is worked out once for each model.
 *
 * @param instructions what executions choose: without guesses that are about nothing in a program, it is less
 */
export function dependenceOf(
  model: Model,
  instructions: InstructionSet = model.instructions,
): Dependence {
  const ofModel = known.get(model) ?? new Map<InstructionSet, Dependence>();
  known.set(model, ofModel);
  const made = ofModel.get(instructions) ?? dependence(model, chosenIn(instructions));
  ofModel.set(instructions, made);
  return made;
}

const known = new WeakMap<Model, Map<InstructionSet, Dependence>>();

function dependence(model: Model, chosen: readonly string[]): Dependence {
  const { terms, groups } = model;
  const bits = new Map(chosen.map((name, i) => [name, 1 << Math.min(i, BITS - 1)]));
  const bitOf = (name: string): number => bits.get(name) ?? 0;
  const on = new Uint8Array(terms.length);
  const recursive: boolean[] = [];
  const visit = (id: TermId): void => {
    const term = terms[id];
    const operands = operandsOf(term);
    recursive[id] = term.op === 'rec' || operands.some((operand) => recursive[operand]);
    if (term.op === 'base') on[id] = bitOf(term.name);
    else if (term.op === 'fix') on[id] = on[groups[term.group].vars[term.index]];
    else if (term.op !== 'rec') on[id] = operands.reduce((some, a) => some | on[a], 0);
  };
  const closing = new Map(groups.map((group) => [group.end - 1, group]));
  terms.forEach((_, id) => {
    visit(id);
    const group = closing.get(id);
    if (group === undefined) return;
    // Variables of one group may depend on each other, so that each gets the bits of all; then once more for the terms made of them.
    const all = group.bodies.reduce((some, body) => some | on[body], 0);
    for (const variable of group.vars) on[variable] = all;
    for (let inside = group.start; inside < group.end; inside++) visit(inside);
  });
  const seen = model.axioms.reduce((some, { term }) => some | on[term], 0);
  const all = chosen.reduce((some, name) => some | bitOf(name), 0);
  const chosenTerms = new Map(
    terms.flatMap((term, id) =>
      term.op === 'base' && chosen.includes(term.name) ? [[term.name, id] as const] : [],
    ),
  );
  return { chosen, chosenTerms, bitOf, all, on, recursive, seen };
}
