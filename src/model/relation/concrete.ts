import { interpret } from '../interpret.js';
import { operandsOf } from '../term.js';
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
  const isTrue = (axiom: Axiom): boolean => passes(model, axiom, values) !== axiom.negated;
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

/** Is the test of an axiom true, whether that is asked for or must not be? */
export function passes(
  model: Model,
  axiom: Axiom,
  values: Interpretation<BitSet, BitRel>,
): boolean {
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

/**
 * The domain of bit vectors over the events of an execution. Most entries of a model's tables are empty in
 * most executions: `0` is one object, and nothing is computed from it.
 */
export function concreteDomain({ size, sets, relations }: Execution): Domain<BitSet, BitRel> {
  const none = matrix.emptyRel(size);
  const all = matrix.universe(size);
  return {
    unionSet: matrix.unionSet,
    interSet: matrix.interSet,
    diffSet: matrix.diffSet,
    complSet: matrix.complSet,
    unionRel: (a, b) => (a === none ? b : b === none ? a : matrix.unionRel(a, b)),
    interRel: (a, b) => (a === none || b === none ? none : matrix.interRel(a, b)),
    diffRel: (a, b) => (a === none || b === none ? a : matrix.diffRel(a, b)),
    complRel: matrix.complRel,
    seq: (a, b) => (a === none || b === none ? none : matrix.seq(a, b)),
    product: (a, b) => (matrix.isEmpty(a) || matrix.isEmpty(b) ? none : matrix.product(a, b)),
    inverse: (a) => (a === none ? none : matrix.inverse(a)),
    plus: (a) => (a === none ? none : matrix.plus(a)),
    star: matrix.star,
    opt: matrix.opt,
    identity: (a) => (matrix.isEmpty(a) ? none : matrix.identity(a)),
    domain: matrix.domain,
    range: matrix.range,
    baseSet: (name) => given(name, sets.get(name)),
    baseRel: (name) => (name === 'id' ? matrix.identity(all) : given(name, relations.get(name))),
    emptySet: () => matrix.emptySet(size),
    emptyRel: () => none,
    universe: () => all,
    equalSet: matrix.equal,
    equalRel: matrix.equal,
  };
}

function given<T>(name: string, value: T | undefined): T {
  if (value === undefined) throw new Error(`the execution has no '${name}'`);
  return value;
}
