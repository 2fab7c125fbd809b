import { interpret } from '../model/interpret.js';
import type { Domain, Interpretation } from '../model/interpret.js';
import type { Axiom, Model } from '../model/term.js';
import * as matrix from './matrix.js';
import type { BitRel, BitSet } from './matrix.js';

/**
 * The concrete interpreter: one execution, given in full, judged by a model. It shares nothing
 * with the encoding but the term table, so that it is a second opinion on the solver's answers.
 */

/** An execution of `size` events, by the base names of `bases.ts`. `id` need not be given. */
export interface Execution {
  readonly size: number;
  readonly sets: ReadonlyMap<string, BitSet>;
  readonly relations: ReadonlyMap<string, BitRel>;
}

/** A model's judgement of an execution. */
export interface Judgement extends Interpretation<BitSet, BitRel> {
  /** Whether all axioms hold; flags do not matter. */
  readonly consistent: boolean;
  /** Every axiom that is not a flag, in the model's order, and whether it holds. */
  readonly axioms: readonly { readonly axiom: Axiom; readonly holds: boolean }[];
  /** The flags that are raised: those whose condition is true. */
  readonly flags: readonly Axiom[];
}

/**
 * Judges an execution.
 *
 * @throws Error if the model names a base set or relation that the execution lacks
 */
export function evaluate(model: Model, execution: Execution): Judgement {
  const values = interpret(model, concreteDomain(execution));
  const isTrue = (axiom: Axiom): boolean => test(model, axiom, values) !== axiom.negated;
  const axioms = model.axioms
    .filter((axiom) => !axiom.flag)
    .map((axiom) => ({ axiom, holds: isTrue(axiom) }));
  return {
    ...values,
    consistent: axioms.every(({ holds }) => holds),
    axioms,
    flags: model.axioms.filter((axiom) => axiom.flag && isTrue(axiom)),
  };
}

function test(model: Model, axiom: Axiom, values: Interpretation<BitSet, BitRel>): boolean {
  const { term } = axiom;
  switch (axiom.test) {
    case 'acyclic':
      return matrix.isAcyclic(values.rel(term));
    case 'irreflexive':
      return matrix.isIrreflexive(values.rel(term));
    case 'empty':
      return matrix.isEmpty(model.terms[term].kind === 'set' ? values.set(term) : values.rel(term));
  }
}

/** The domain of bit vectors over the events of an execution. */
export function concreteDomain({ size, sets, relations }: Execution): Domain<BitSet, BitRel> {
  return {
    ...matrix,
    baseSet: (name) => given(name, sets.get(name)),
    baseRel: (name) =>
      name === 'id' ? matrix.identity(matrix.universe(size)) : given(name, relations.get(name)),
    emptySet: () => matrix.emptySet(size),
    emptyRel: () => matrix.emptyRel(size),
    universe: () => matrix.universe(size),
    equalSet: matrix.equal,
    equalRel: matrix.equal,
  };
}

function given<T>(name: string, value: T | undefined): T {
  if (value === undefined) throw new Error(`the execution has no '${name}'`);
  return value;
}
