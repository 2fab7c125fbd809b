import { operandsOf } from './interpret.js';
import type { Model, Term } from './term.js';

/**
 * How a term over some of the events of an execution is related to the same term over all of them: it is the same as
 * far as these events go, or a part of that, or nothing is known.
 */
export type Share = 'same' | 'part' | 'unknown';

/** What is known of a term where some events are left out. */
export interface Left {
  readonly share: Share;
  /** Can nothing that is left out be in the set, or be where a pair of the relation begins? */
  readonly from: boolean;
  /** The same for where a pair ends; of a set, as `from`. */
  readonly to: boolean;
  /** Does each pair of the relation end where it begins? */
  readonly still?: boolean;
  /** Does each pair of the relation begin and end in what is left out, or do neither? */
  readonly within?: boolean;
}

/** Nothing is known of what a term has to do with the events that are left out. */
export const anywhere = (share: Share): Left => ({ share, from: false, to: false });

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
    } else
      left[id] = leftOf(
        term,
        operandsOf(term).map((operand) => left[operand]),
      );
  });
  return left;
}

/** What is in both of two terms. */
function both(a: Left, b: Left) {
  const [from, to] = [a.from || b.from, a.to || b.to];
  const still = a.still === true || b.still === true;
  if (a.within !== true && b.within !== true) return { from, to, still };
  return { from: from || to, to: from || to, still, within: true };
}

type Operator = Exclude<Term, { op: 'base' | 'rec' | 'fix' }>;

function leftOf({ op }: Operator, operands: readonly Left[]): Left {
  const shares = operands.map(({ share }) => share);
  const least: Share = shares.includes('unknown')
    ? 'unknown'
    : shares.includes('part')
      ? 'part'
      : 'same';
  const [a, b] = operands;
  /** The same where nothing that matters is left out, and else a part. */
  const partUnless = (isKept: boolean): Share => (least === 'same' && !isKept ? 'part' : least);
  switch (op) {
    case 'empty':
      return { share: 'same', from: true, to: true };
    case 'universe':
      return anywhere('same');
    // A pair or an event is in these by what it is in the operands, whatever other events there are.
    case 'union':
      return { share: least, from: a.from && b.from, to: a.to && b.to };
    case 'inter':
      return { ...both(a, b), share: least };
    case 'product':
      return { share: least, from: a.from, to: b.from };
    case 'identity':
      return { ...a, still: true };
    case 'inverse':
      return { ...a, share: least, from: a.to, to: a.from };
    case 'opt':
      return anywhere(least);
    case 'compl':
      return anywhere(least === 'same' ? 'same' : 'unknown');
    case 'diff':
      return { ...a, share: b.share === 'same' ? a.share : 'unknown' };
    // Other events may lie between two of these, or be related to one.
    case 'seq':
      if (a.still === true)
        return { share: least, from: a.from || b.from, to: b.to, still: b.still };
      if (b.still === true) return { share: least, from: a.from, to: a.to || b.to };
      return { share: partUnless(a.to || b.from), from: a.from, to: b.to };
    case 'plus':
      return { ...a, share: partUnless(a.from || a.to) };
    case 'star':
      return anywhere(partUnless(a.from || a.to));
    case 'domain':
      return { share: partUnless(a.to), from: a.from, to: a.from };
    case 'range':
      return { share: partUnless(a.from), from: a.to, to: a.to };
  }
}
