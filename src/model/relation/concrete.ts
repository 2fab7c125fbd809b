import { interpret, operandsOf } from '../interpret.js';
import type { Domain, Interpretation } from '../interpret.js';
import type { Axiom, Model } from '../term.js';
import * as matrix from './matrix.js';
import type { BitRel, BitSet } from './matrix.js';

/**
 * The concrete interpreter: one execution, given in full, judged by a model. It shares nothing
 * with the encoding but the term table, so that it is a second opinion on the solver's answers.
 */

/** An execution of `size` events, by the base names of `bases.ts`. `id` need not be given. */
export interface Execution {
  readonly size: number;
  readonly sets: Pick<ReadonlyMap<string, BitSet>, 'get'>;
  readonly relations: Pick<ReadonlyMap<string, BitRel>, 'get'>;
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

type Known = Parameters<typeof interpret<BitSet, BitRel>>[2];

/**
 * Judges an execution.
 *
 * @param known values of terms that have been worked out before, as for `interpret`
 * @throws Error if the model names a base set or relation that the execution lacks
 */
export function evaluate(model: Model, execution: Execution, known?: Known): Judgement {
  const values = interpret(model, concreteDomain(execution), known);
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

/**
 * Marks terms that do not depend on the given base relations. A `let rec` is worked out as a whole,
 * so that nothing that lies in one is marked.
 */
export function fixedTerms({ terms, groups }: Model, open: readonly string[]): readonly boolean[] {
  const fixed: boolean[] = [];
  terms.forEach((term, id) => {
    const recursive = term.op === 'fix' || groups.some((g) => id >= g.start && id < g.end);
    const depends = recursive || (term.op === 'base' && open.includes(term.name));
    fixed.push(!depends && operandsOf(term).every((operand) => fixed[operand]));
  });
  return fixed;
}

function test(model: Model, axiom: Axiom, values: Interpretation<BitSet, BitRel>): boolean {
  const term = model.terms[axiom.term];
  switch (axiom.test) {
    case 'acyclic':
      return matrix.isAcyclic(values.rel(axiom.term));
    case 'irreflexive':
      // No closure is needed to see whether there is a cycle.
      return term.op === 'plus'
        ? matrix.isAcyclic(values.rel(term.arg))
        : matrix.isIrreflexive(values.rel(axiom.term));
    case 'empty':
      return matrix.isEmpty(term.kind === 'set' ? values.set(axiom.term) : values.rel(axiom.term));
  }
}

/** The domain of bit vectors over the events of an execution. */
export function concreteDomain({ size, sets, relations }: Execution): Domain<BitSet, BitRel> {
  return {
    unionSet: matrix.unionSet,
    interSet: matrix.interSet,
    diffSet: matrix.diffSet,
    complSet: matrix.complSet,
    unionRel: matrix.unionRel,
    interRel: matrix.interRel,
    diffRel: matrix.diffRel,
    complRel: matrix.complRel,
    seq: matrix.seq,
    product: matrix.product,
    inverse: matrix.inverse,
    plus: matrix.plus,
    star: matrix.star,
    opt: matrix.opt,
    identity: matrix.identity,
    domain: matrix.domain,
    range: matrix.range,
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
