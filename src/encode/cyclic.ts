import type { TermId } from '../model/term.js';
import { components } from '../model/relation/components.js';
import type { BitRel } from '../model/relation/matrix.js';
import { related, successors } from '../model/relation/matrix.js';
import type { Formula, Lit } from './formula.js';
import { FALSE } from './formula.js';
import type { Literals } from './relations.js';

/**
 * Asserts that a relation has a cycle: that there are chosen events, at least one, each of which has a
 * chosen successor. From any of these one can go on for ever, and there are finitely many. No
 * closure is needed, and the relation is bounded from above only.
 *
 * @param may the upper bound of the relation: cycles stay within its components
 */
export function assertCyclic(
  term: TermId,
  may: BitRel,
  literals: Pick<Literals, 'pair'>,
  formula: Formula,
): void {
  const chosen: Lit[] = [];
  for (const component of components(may)) {
    const [first, ...others] = component;
    if (others.length === 0) {
      if (related(may, first, first)) chosen.push(literals.pair(term, first, first));
      continue;
    }
    const members = new Map(component.map((e) => [e, formula.fresh()]));
    for (const [e, lit] of members) {
      const ways = [...successors(may, e)].flatMap((next) => {
        const there = members.get(next);
        const step = there === undefined ? FALSE : literals.pair(term, e, next);
        return step === FALSE ? [] : [formula.and(there!, step)];
      });
      formula.assert(-lit, ...ways);
    }
    chosen.push(...members.values());
  }
  formula.assert(...chosen);
}
