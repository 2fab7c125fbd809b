import type { Chosen } from '../../model/bases.js';
import { CHOSEN, isChosen } from '../../model/bases.js';
import { operandsOf } from '../../model/interpret.js';
import type { Model, TermId } from '../../model/term.js';

/** Each base relation that an execution chooses has a bit of its own, so that a number is a set of them. */
export const bitOf = (name: Chosen): number => 1 << CHOSEN.indexOf(name);

/** All of them. */
export const ALL_CHOSEN = CHOSEN.reduce((bits, name) => bits | bitOf(name), 0);

/** Which terms of a model depend on what. */
export interface Dependence {
  /** For each term, the bits of the chosen relations that it depends on. */
  readonly on: Uint8Array;
  /** For each term, whether it depends on a variable of the `let rec` that it lies in. */
  readonly recursive: readonly boolean[];
  /** The bits of the chosen relations that axioms and flags depend on. */
  readonly seen: number;
}

export function dependenceOf(model: Model): Dependence {
  const { terms, groups } = model;
  const on = new Uint8Array(terms.length);
  const recursive: boolean[] = [];
  const visit = (id: TermId): void => {
    const term = terms[id];
    const operands = operandsOf(term);
    recursive[id] = term.op === 'rec' || operands.some((operand) => recursive[operand]);
    if (term.op === 'base' && isChosen(term.name)) on[id] = bitOf(term.name);
    else if (term.op === 'fix') on[id] = on[groups[term.group].vars[term.index]];
    else if (term.op !== 'rec') on[id] = operands.reduce((bits, a) => bits | on[a], 0);
  };
  const closing = new Map(groups.map((group) => [group.end - 1, group]));
  terms.forEach((_, id) => {
    visit(id);
    const group = closing.get(id);
    if (group === undefined) return;
    // What one variable depends on, all may; then once more for what is made of them.
    const bits = group.bodies.reduce((all, body) => all | on[body], 0);
    for (const variable of group.vars) on[variable] = bits;
    for (let inside = group.start; inside < group.end; inside++) visit(inside);
  });
  const seen = model.axioms.reduce((bits, { term }) => bits | on[term], 0);
  return { on, recursive, seen };
}
