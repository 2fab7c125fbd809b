import type { Interpretation } from '../model/interpret.js';
import type { BitRel, BitSet } from '../model/relation/matrix.js';
import { pairs, related, successors } from '../model/relation/matrix.js';
import type { Model, TermId } from '../model/term.js';
import type { Bound } from './bounds/domain.js';
import type { Lit } from './formula.js';
import type { Literals } from './relations.js';

/**
 * A relation that is made of two, such as `(rf^-1;mo) \ id`. As paths over nodes in the middle it takes as many edges
 * as the two have pairs. Its own pairs would take a gate for each way.
 */
export interface Split {
  /**
   * Do several paths lead from an event, and all of them where the relation leads? A path that comes back to where it began,
   * as from a read that writes what comes after the write that it reads from, is not in the relation; and in the
   * middle nothing tells where a path began.
   */
  readonly leaves: (event: number) => boolean;
  /** The events in the middle that one may lead to, and those that one in the middle may lead to: each with when it does. */
  readonly first: (event: number) => readonly LiteralWay[];
  readonly second: (middle: number) => readonly LiteralWay[];
}

export type LiteralWay = readonly [to: number, lit: Lit];

/** The relations of a model that are made of two; undefined for others. */
export type Splits = (term: TermId) => Split | undefined;

export function createSplits(
  { terms }: Pick<Model, 'terms'>,
  bounds: Interpretation<Bound<BitSet>, Bound<BitRel>>,
  literals: Literals,
): Splits {
  const known = new Map<TermId, Split | undefined>();
  const ways = (term: TermId) => (a: number) =>
    successors(bounds.rel(term).may, a).map((b): LiteralWay => [b, literals.pair(term, a, b)]);
  const splitOf = (id: TermId): Split | undefined => {
    const term = terms[id];
    if (term.op !== 'diff') return undefined;
    const both = terms[term.left];
    if (both.op !== 'seq' || !isDiagonal(bounds.rel(term.right).may)) return undefined;
    const [all, first] = [bounds.rel(term.left).may, bounds.rel(both.left).may];
    return {
      leaves: (event) => successors(first, event).length > 1 && !related(all, event, event),
      first: ways(both.left),
      second: ways(both.right),
    };
  };
  return (id) => {
    if (!known.has(id)) known.set(id, splitOf(id));
    return known.get(id);
  };
}

const isDiagonal = (rel: BitRel): boolean => [...pairs(rel)].every(([a, b]) => a === b);
