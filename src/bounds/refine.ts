import type { EventStructure } from '../events/structure.js';
import type { Plan } from '../model/automaton.js';
import type { Interpretation } from '../model/interpret.js';
import type { Model } from '../model/term.js';
import type { BitRel, BitSet } from '../relation/matrix.js';
import * as m from '../relation/matrix.js';
import type { BaseBounds } from './base.js';
import { onlySources } from './base.js';
import type { Bound } from './domain.js';
import { productOf } from './product.js';

/** The base relations that refining can narrow. */
export const REFINED: readonly string[] = ['rf', 'mo', 'nfo'];

/**
 * Narrows the bounds of `rf`, `mo` and `nfo` by what the model's acyclicity axioms rule out in
 * every execution: a pair that would close a cycle of steps that are there in any case.
 * Undefined: nothing to gain.
 *
 * Only for programs without branches: elsewhere a step is there only if its events are.
 */
export function refine(
  structure: EventStructure,
  model: Model,
  plan: Plan,
  base: BaseBounds,
  terms: Interpretation<Bound<BitSet>, Bound<BitRel>>,
): BaseBounds | undefined {
  const { events } = structure;
  const may = new Map(REFINED.map((n) => [n, copy(base.relations.get(n)!.may)]));
  let changed = false;

  for (const { automaton } of plan.acyclic) {
    const { sure, node } = productOf(automaton, terms, events);
    const reach = m.plus(sure);
    for (const { from, to, term } of automaton.steps) {
      const relation = model.terms[term];
      const open = relation.op === 'base' ? may.get(relation.name) : undefined;
      if (open === undefined) continue;
      for (const [a, b] of m.pairs(open)) {
        if (!m.related(reach, node(b, to), node(a, from))) continue;
        m.unrelate(open, a, b);
        changed = true;
      }
    }
  }

  if (!changed) return undefined;

  const rf = may.get('rf')!;
  const relations = new Map(base.relations);
  relations.set('rf', { may: rf, must: onlySources(events, rf) });
  for (const name of ['mo', 'nfo']) {
    const open = may.get(name)!;
    // Total orders: what cannot go back goes forth.
    const must = m.interRel(base.relations.get(name)!.may, m.complRel(m.inverse(open)));
    relations.set(name, {
      may: open,
      must: m.unionRel(base.relations.get(name)!.must, m.interRel(open, must)),
    });
  }
  return { sets: base.sets, relations };
}

function copy(rel: BitRel): BitRel {
  return { ...rel, words: rel.words.slice() };
}
