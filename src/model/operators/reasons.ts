import type { TermId } from '../term-node.js';
import { OPERATOR, STEP } from './costs.js';
import type { Operator } from './facts.js';

/** The cheapest reasons in one execution, told as `D`; their costs are those of `costs.ts`. */
export interface Reasoning<D> {
  readonly size: number;
  /** How much a reason for a pair costs; Infinity: the pair is not in the relation. */
  cost(rel: TermId, a: number, b: number): number;
  /** The same for an event and a set. */
  memberCost(set: TermId, a: number): number;
  /** The reason for a pair that is in the relation. */
  pair(rel: TermId, a: number, b: number): D;
  /** The reason for an event that is in the set. */
  member(set: TermId, a: number): D;
  /** The reasons for the steps of a shortest path, of which there is at least one. */
  path(rel: TermId, a: number, b: number): readonly D[];
}

/**
 * The reasons in the operands of which the cheapest reason for a member or a pair of the result consists, whichever the operator
 * makes. `total` is what that reason costs. Of a unary operator, `y` is nothing.
 */
interface Parts {
  readonly member?: <D>(
    reasons: Reasoning<D>,
    total: number,
    a: number,
    x: TermId,
    y: TermId,
  ) => readonly D[];
  readonly pair?: <D>(
    reasons: Reasoning<D>,
    total: number,
    a: number,
    b: number,
    x: TermId,
    y: TermId,
  ) => readonly D[];
}

/**
 * What the cheapest reasons for the results of operators consist of. That something is not in the right operand of a difference
 * belongs to the reason, but is no part of it: of what is missing, there is no derivation.
 */
export const CHEAPEST_REASONS: Readonly<Record<Operator, Parts>> = {
  union: {
    member: (r, total, a, x, y) => [r.member(r.memberCost(x, a) + OPERATOR === total ? x : y, a)],
    pair: (r, total, a, b, x, y) => [r.pair(r.cost(x, a, b) + OPERATOR === total ? x : y, a, b)],
  },
  inter: {
    member: (r, _, a, x, y) => [r.member(x, a), r.member(y, a)],
    pair: (r, _, a, b, x, y) => [r.pair(x, a, b), r.pair(y, a, b)],
  },
  diff: {
    member: (r, _, a, x) => [r.member(x, a)],
    pair: (r, _, a, b, x) => [r.pair(x, a, b)],
  },
  compl: { member: () => [], pair: () => [] },
  // By way of the best event in between.
  seq: {
    pair: (r, total, a, b, x, y) => {
      for (let k = 0; k < r.size; k++) {
        if (r.cost(x, a, k) + r.cost(y, k, b) + STEP === total) {
          return [r.pair(x, a, k), r.pair(y, k, b)];
        }
      }
      throw new Error('a sequence without a middle');
    },
  },
  product: { pair: (r, _, a, b, x, y) => [r.member(x, a), r.member(y, b)] },
  inverse: { pair: (r, _, a, b, x) => [r.pair(x, b, a)] },
  identity: { pair: (r, _, a, __, x) => [r.member(x, a)] },
  opt: { pair: (r, _, a, b, x) => (a === b ? [] : [r.pair(x, a, b)]) },
  plus: { pair: (r, _, a, b, x) => r.path(x, a, b) },
  star: { pair: (r, _, a, b, x) => (a === b ? [] : r.path(x, a, b)) },
  domain: {
    member: (r, total, a, x) => {
      const b = endOf(r.size, (b) => r.cost(x, a, b) + OPERATOR === total);
      return [r.pair(x, a, b)];
    },
  },
  range: {
    member: (r, total, b, x) => {
      const a = endOf(r.size, (a) => r.cost(x, a, b) + OPERATOR === total);
      return [r.pair(x, a, b)];
    },
  },
};

/** The first event that is the other end of a cheapest pair. */
function endOf(size: number, isEnd: (event: number) => boolean): number {
  for (let event = 0; event < size; event++) if (isEnd(event)) return event;
  throw new Error('an end without an edge');
}
