import type { Operator } from './facts.js';

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

/** What is in both of two terms. */
function both(a: Left, b: Left): Omit<Left, 'share'> {
  const [from, to] = [a.from || b.from, a.to || b.to];
  const still = a.still === true || b.still === true;
  if (a.within !== true && b.within !== true) return { from, to, still };
  return { from: from || to, to: from || to, still, within: true };
}

/** The same where nothing that matters is left out, and else a part. */
const partUnless = (isKept: boolean, share: Share): Share =>
  share === 'same' && !isKept ? 'part' : share;

/** @param share the least that is known of the operands. Of a unary operator, `b` is nothing */
type Leaving = (share: Share, a: Left, b: Left) => Left;

/** What is known of what each operator makes of operands from which events are left out. */
export const LEAVING: Readonly<Record<Operator, Leaving>> = {
  // A pair or an event is in these by what it is in the operands, whatever other events there are.
  union: (share, a, b) => ({ share, from: a.from && b.from, to: a.to && b.to }),
  inter: (share, a, b) => ({ ...both(a, b), share }),
  product: (share, a, b) => ({ share, from: a.from, to: b.from }),
  identity: (_, a) => ({ ...a, still: true }),
  inverse: (share, a) => ({ ...a, share, from: a.to, to: a.from }),
  opt: (share) => anywhere(share),
  compl: (share) => anywhere(share === 'same' ? 'same' : 'unknown'),
  diff: (_, a, b) => ({ ...a, share: b.share === 'same' ? a.share : 'unknown' }),
  // Other events may lie between two of these, or be related to one.
  seq: (share, a, b) => {
    if (a.still === true) return { share, from: a.from || b.from, to: b.to, still: b.still };
    if (b.still === true) return { share, from: a.from, to: a.to || b.to };
    return { share: partUnless(a.to || b.from, share), from: a.from, to: b.to };
  },
  plus: (share, a) => ({ ...a, share: partUnless(a.from || a.to, share) }),
  star: (share, a) => anywhere(partUnless(a.from || a.to, share)),
  domain: (share, a) => ({ share: partUnless(a.to, share), from: a.from, to: a.from }),
  range: (share, a) => ({ share: partUnless(a.from, share), from: a.to, to: a.to }),
};

/** The least that is known of some terms. */
export function leastShare(all: readonly Left[]): Share {
  const shares = all.map(({ share }) => share);
  if (shares.includes('unknown')) return 'unknown';
  return shares.includes('part') ? 'part' : 'same';
}
