import type { EventStructure } from '../events/structure.js';
import type { Interpretation } from '../model/interpret.js';
import type { Plan } from '../model/automaton.js';
import { planAxioms } from '../model/automaton.js';
import { interpret, operandsOf } from '../model/interpret.js';
import type { Model } from '../model/term.js';
import type { BitRel, BitSet } from '../relation/matrix.js';
import type { BaseBounds } from './base.js';
import { baseBounds } from './base.js';
import type { Bound } from './domain.js';
import { boundsDomain, presence } from './domain.js';
import { REFINED, refine } from './refine.js';
import { valueSets } from './values.js';

/** What is known of every execution of a program under a model before any solving. */
export interface Bounds {
  readonly base: BaseBounds;
  readonly terms: Interpretation<Bound<BitSet>, Bound<BitRel>>;
  /** The numbers that each symbolic value can be. */
  readonly values: readonly (readonly number[])[];
  /** How the axioms are checked; none without a model. */
  readonly plan: Plan;
}

export type BoundsResult =
  { readonly ok: true; readonly bounds: Bounds } | { readonly ok: false; readonly reason: string };

/**
 * Bounds of all values, base relations and terms. Without a model: of the program alone.
 * Fails, with the reason, where values cannot be bounded.
 */
export function computeBounds(structure: EventStructure, model: Model | undefined): BoundsResult {
  const present = presence(structure.events);
  let base = baseBounds(structure, present);
  let values = valueSets(structure, base.relations.get('rf')!.may);
  if (!values.ok) return values;
  const plan: Plan = model === undefined ? { acyclic: [], others: [] } : planAxioms(model);
  const table = model ?? { terms: [], groups: [] };
  const domain = (b: BaseBounds) => boundsDomain(present, lookUp(b.sets), lookUp(b.relations));
  let terms = interpret(table, domain(base));
  if (model !== undefined && present.straight) {
    const fixed = untouched(model);
    for (;;) {
      const refined = refine(structure, model, plan, base, terms);
      if (refined === undefined) break;
      base = refined;
      values = valueSets(structure, base.relations.get('rf')!.may);
      if (!values.ok) return values;
      terms = interpret(table, domain(base), { has: (id) => fixed[id] === 1, from: terms });
    }
  }
  return { ok: true, bounds: { base, terms, values: values.sets, plan } };
}

/** Marks the terms that refining leaves as they are: those that `rf`, `mo` and `nfo` are not in. */
function untouched({ terms }: Model): Uint8Array {
  const fixed = new Uint8Array(terms.length);
  terms.forEach((term, id) => {
    const open =
      term.op === 'rec' ||
      term.op === 'fix' ||
      (term.op === 'base' && REFINED.includes(term.name)) ||
      operandsOf(term).some((operand) => fixed[operand] === 0);
    fixed[id] = open ? 0 : 1;
  });
  return fixed;
}

function lookUp<T>(map: ReadonlyMap<string, T>) {
  return (name: string): T => {
    const found = map.get(name);
    if (found === undefined) throw new Error(`no bounds for '${name}'`);
    return found;
  };
}
