import { madeOf } from '../model/depends.js';
import type { Inherited } from '../model/interpret.js';
import { equalBounds } from '../model/relation/between.js';
import type { Between } from '../model/relation/between.js';
import type { BitRel, BitSet } from '../model/relation/matrix.js';
import type { TermId } from '../model/term.js';
import type { Case } from './case.js';
import type { CaseBounds, Claim } from './contradiction.js';
import { caseBoundsOf } from './contradiction.js';

/** The sets and relations of a model in a case. */
export interface NearbyBounds extends CaseBounds {
  readonly one: Case;
}

/** The sets and relations of a model in cases; what is made of the same in a case nearby is taken from there. Who checks proofs works out all of them. */
export function nearbyRelationsOf(claim: Claim): (one: Case, near?: NearbyBounds) => NearbyBounds {
  const { open, model } = claim;
  const all = [...open.structure.events.keys()];
  const relations = caseBoundsOf(claim);
  const otherTerms = new Map<string, ReadonlySet<TermId>>();

  return (one, near) => ({ one, ...relations(one, near && sameIn(one, near)) });

  /** The terms that have the same value in a case as in another, and their values there. */
  function sameIn(
    one: Case,
    from: NearbyBounds,
  ): Inherited<Between<BitSet>, Between<BitRel>> | undefined {
    const near = from.one;
    if (all.some((e) => one.executed(e) !== near.executed(e))) return undefined;
    const others = [...one.relations.keys()].filter(
      (name) => !equalBounds(one.relations.get(name)!, near.relations.get(name)!),
    );
    const key = others.join(' ');
    const terms = otherTerms.get(key) ?? madeOf(model, new Set(others));
    otherTerms.set(key, terms);
    return { has: (id) => !terms.has(id), from };
  }
}
