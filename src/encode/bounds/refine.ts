import type { EventStructure } from '../../program/events/structure.js';
import { chosenIn, givesSources } from '../../model/instructions/chosen.js';
import type { Interpretation } from '../../model/interpret.js';
import type { Model, TermId } from '../../model/term.js';
import type { BitRel, BitSet } from '../../model/relation/matrix.js';
import * as m from '../../model/relation/matrix.js';
import type { BaseBounds } from './base.js';
import { onlySources } from './base.js';
import type { Bound } from './domain.js';
import type { Product, ProductStep } from './product.js';

/**
 * Narrows the bounds of the chosen relations by what the model's acyclicity axioms rule out in
 * every execution: a pair that would close a cycle of steps that are there in any case. What comes
 * back are the relations that change.
 *
 * Only for programs without branches: elsewhere a step is there only if its events are.
 */
export function refineBounds(
  structure: EventStructure,
  model: Model,
  products: readonly Product[],
  base: BaseBounds,
  terms: Interpretation<Bound<BitSet>, Bound<BitRel>>,
): ReadonlyMap<string, Bound<BitRel>> {
  const refined = new Map<string, Bound<BitRel>>();
  for (const name of chosenIn(structure.program.instructions)) {
    const bound = base.relations.get(name)!;
    const open = [...m.pairs(m.diffRel(bound.may, bound.must))];
    const out = m.emptyRel(bound.may.size);
    for (const product of products) {
      for (const step of product.steps) {
        if (!step.terms.some((term) => isBase(model, term, name))) continue;
        for (const [a, b] of open) if (closesCycle(product, step, terms, a, b)) m.relate(out, a, b);
      }
    }
    if (!m.isEmpty(out)) refined.set(name, narrowedBounds(name, bound, out, structure));
  }
  return refined;
}

/** The bound of a chosen relation without pairs that no execution has. */
export function narrowedBounds(
  name: string,
  bound: Bound<BitRel>,
  out: BitRel,
  { events, program }: EventStructure,
): Bound<BitRel> {
  const may = m.diffRel(bound.may, out);
  if (name === 'rf') return { may, must: onlySources(events, may) };
  if (givesSources(name, program.instructions)) return { may, must: bound.must };
  // Two events that are ordered in every execution, and cannot be in the one order, are in the other.
  return { may, must: m.unionRel(bound.must, m.interRel(may, m.inverse(out))) };
}

/** Is a term a base relation of a name? */
export function isBase({ terms }: Pick<Model, 'terms'>, id: TermId, name: string): boolean {
  const term = terms[id];
  return term.op === 'base' && term.name === name;
}

/** Does a pair of events, as a step, close a cycle of sure steps? */
function closesCycle(
  { place }: Product,
  { from, to, before, after }: ProductStep,
  terms: Interpretation<Bound<BitSet>, Bound<BitRel>>,
  a: number,
  b: number,
): boolean {
  const [start, end] = [place(a, from), place(b, to)];
  if (start === undefined || start.component !== end?.component) return false;
  if (!m.related(start.component.reach, end.position, start.position)) return false;
  const isSure = (event: number) => (set: number) => m.has(terms.set(set).must, event);
  return before.every(isSure(a)) && after.every(isSure(b));
}
