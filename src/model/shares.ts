import { operandsOf } from './term.js';
import type { Left } from './operators/leaving.js';
import { LEAVING, anywhere, leastShare } from './operators/leaving.js';
import type { Model, Term } from './term.js';

/**
 * What is known of each term of a model where some events are left out.
 *
 * @param base what is known of base sets and relations
 */
export function sharesOf(
  { terms, groups }: Pick<Model, 'terms' | 'groups'>,
  base: (term: Extract<Term, { op: 'base' }>) => Left,
): readonly Left[] {
  // The rounds of a least fixpoint begin with nothing, which is the same without the events. If each round then makes the
  // same without them, the fixpoint is the same: that is supposed of each, and given up where it does not come out.
  const changed = new Set<number>();
  for (;;) {
    const left = sharesWhere({ terms, groups }, base, changed);
    const wrong = groups.findIndex(
      ({ bodies }, group) => !changed.has(group) && !bodies.every((body) => isKept(left[body])),
    );
    if (wrong < 0) return left;
    changed.add(wrong);
  }
}

/** Nothing that is left out has to do with it. */
const KEPT: Left = { share: 'same', from: true, to: true };

const isKept = ({ share, from, to }: Left): boolean => share === 'same' && from && to;

/** @param changed the groups of which not even this is known */
function sharesWhere(
  { terms, groups }: Pick<Model, 'terms' | 'groups'>,
  base: (term: Extract<Term, { op: 'base' }>) => Left,
  changed: ReadonlySet<number>,
): readonly Left[] {
  const left: Left[] = [];
  terms.forEach((term, id) => {
    if (term.op === 'base') left[id] = base(term);
    else if ((term.op === 'rec' || term.op === 'fix') && !changed.has(term.group)) left[id] = KEPT;
    // A part to begin with: each round of a least fixpoint makes a part of what it makes over all events, if the bodies do.
    else if (term.op === 'rec') left[id] = anywhere('part');
    else if (term.op === 'fix') {
      const bodies = groups[term.group].bodies.map((body) => left[body].share);
      left[id] = anywhere(bodies.includes('unknown') ? 'unknown' : 'part');
    } else if (term.op === 'empty') left[id] = KEPT;
    else if (term.op === 'universe') left[id] = anywhere('same');
    else {
      const operands = operandsOf(term).map((operand) => left[operand]);
      left[id] = LEAVING[term.op](leastShare(operands), operands[0], operands[1]);
    }
  });
  return left;
}
