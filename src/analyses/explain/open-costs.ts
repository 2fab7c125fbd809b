import { memo } from '../../check/witness/memo.js';
import type { Verified } from '../../check/witness/verify.js';
import { varyingIn } from '../../model/instructions/chosen.js';
import { fixedTerms } from '../../model/relation/concrete.js';
import type { Execution } from '../../model/relation/concrete.js';
import type { Model } from '../../model/term.js';
import type { ReasonCosts, Openness } from './cost.js';
import { costsIn } from './cost.js';
import type { Fact } from './facts.js';

/** The costs in a candidate, where some facts are open: other candidates may choose them differently. */
export type OpenCosts = (
  verified: Pick<Verified, 'events' | 'execution'>,
  isOpen: (fact: Fact) => boolean,
) => ReasonCosts;

/**
 * ReasonCosts in one candidate after the other. How much of what a base edge rests on is open: the edge itself, and that its ends
 * are executed. So terms that rest on nothing that varies cost the same in all candidates with the same events, of which the
 * same are open. They are worked out once.
 */
export function openCosts(model: Model): OpenCosts {
  const names = varyingIn(model.instructions);
  const varying = new Set(names);
  const fixed = fixedTerms(model, names);
  const shared = memo((execution: Execution, open: Openness) => costsIn(model, execution, open));
  return ({ events, execution }, isOpen) => {
    const executed = events.map(({ id }) => isOpen({ kind: 'executed', event: id }));
    const open: Openness = (relation, i, j) => {
      const [from, to] = [events[i].id, events[j].id];
      const own =
        varying.has(relation) && isOpen({ kind: 'pair', relation, from, to, holds: true });
      return Number(own) + Number(executed[i]) + Number(executed[j]);
    };
    const key = events.map(({ id }, i) => `${id}${executed[i] ? ' open' : ''}`).join();
    const from = shared(key, execution, open);
    return costsIn(model, execution, open, { has: (id) => fixed[id], from });
  };
}
