import type { EventStructure } from '../events/structure.js';
import type { Interpretation } from '../model/interpret.js';
import { interpret } from '../model/interpret.js';
import type { Model } from '../model/term.js';
import type { BitRel, BitSet } from '../relation/matrix.js';
import type { BaseBounds } from './base.js';
import { baseBounds } from './base.js';
import type { Bound } from './domain.js';
import { boundsDomain, presence } from './domain.js';
import { refine } from './refine.js';
import { valueSets } from './values.js';

/** What is known of every execution of a program under a model before any solving. */
export interface Bounds {
  readonly base: BaseBounds;
  readonly terms: Interpretation<Bound<BitSet>, Bound<BitRel>>;
  /** The numbers that each symbolic value can be. */
  readonly values: readonly (readonly number[])[];
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
  const terms = (b: BaseBounds) =>
    interpret(
      model ?? { terms: [], groups: [] },
      boundsDomain(present, lookUp(b.sets), lookUp(b.relations)),
    );
  let values = valueSets(structure, base.relations.get('rf')!.may);
  if (!values.ok) return values;
  let interpreted = terms(base);
  while (model !== undefined) {
    const refined = refine(structure, model, present, base, interpreted);
    if (refined === undefined) break;
    base = refined;
    values = valueSets(structure, base.relations.get('rf')!.may);
    if (!values.ok) return values;
    interpreted = terms(base);
  }
  return { ok: true, bounds: { base, terms: interpreted, values: values.sets } };
}

function lookUp<T>(map: ReadonlyMap<string, T>) {
  return (name: string): T => {
    const found = map.get(name);
    if (found === undefined) throw new Error(`no bounds for '${name}'`);
    return found;
  };
}
