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
 * Computes costs in one candidate after the other. A base edge depends on up to three facts: the edge itself, and that each of its
 * events is executed. A term without relations that vary between executions costs the same in all candidates with the same events,
 * if the same of them are open: its costs are computed once and kept.
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
