import type { TermId } from '../term-node.js';
import type { Operator } from './facts.js';

/** What is known of one event or one pair of events at a time, as a formula `L`. An event that is not executed is in nothing. */
export interface Points<L> {
  and(...all: readonly L[]): L;
  or(...some: readonly L[]): L;
  not(one: L): L;
  executed(a: number): L;
  member(set: TermId, a: number): L;
  pair(rel: TermId, a: number, b: number): L;
  /** Is there an event to which the first relation leads from a, and from which the second leads to b? */
  through(first: TermId, second: TermId, a: number, b: number): L;
  /** Is there a path of one or more steps? */
  path(rel: TermId, a: number, b: number): L;
  /** Events that a relation may relate an event to. */
  after(rel: TermId, a: number): Iterable<number>;
  /** Events that a relation may relate to an event. */
  before(rel: TermId, b: number): Iterable<number>;
}

/** When an event is in what an operator makes, or a pair, whichever it makes. Of a unary operator, `y` is nothing. */
interface Holds {
  readonly member?: <L>(points: Points<L>, a: number, x: TermId, y: TermId) => L;
  /** Bounds tell `r*` from `r+`: the identity is in any case in what they hold. */
  readonly pair?: <L>(points: Points<L>, a: number, b: number, x: TermId, y: TermId) => L;
}

/** What each operator means, event by event and pair by pair. Pairs of an event with itself are in `r*` and `r?`: they are not asked for. */
export const POINTS: Readonly<Record<Operator, Holds>> = {
  union: {
    member: (p, a, x, y) => p.or(p.member(x, a), p.member(y, a)),
    pair: (p, a, b, x, y) => p.or(p.pair(x, a, b), p.pair(y, a, b)),
  },
  inter: {
    member: (p, a, x, y) => p.and(p.member(x, a), p.member(y, a)),
    pair: (p, a, b, x, y) => p.and(p.pair(x, a, b), p.pair(y, a, b)),
  },
  diff: {
    member: (p, a, x, y) => p.and(p.member(x, a), p.not(p.member(y, a))),
    pair: (p, a, b, x, y) => p.and(p.pair(x, a, b), p.not(p.pair(y, a, b))),
  },
  compl: {
    member: (p, a, x) => p.and(p.executed(a), p.not(p.member(x, a))),
    pair: (p, a, b, x) => p.and(p.executed(a), p.executed(b), p.not(p.pair(x, a, b))),
  },
  seq: { pair: (p, a, b, x, y) => p.through(x, y, a, b) },
  product: { pair: (p, a, b, x, y) => p.and(p.member(x, a), p.member(y, b)) },
  inverse: { pair: (p, a, b, x) => p.pair(x, b, a) },
  identity: { pair: (p, a, _, x) => p.member(x, a) },
  opt: { pair: (p, a, b, x) => p.pair(x, a, b) },
  plus: { pair: (p, a, b, x) => p.path(x, a, b) },
  star: { pair: (p, a, b, x) => p.path(x, a, b) },
  domain: { member: (p, a, x) => p.or(...[...p.after(x, a)].map((b) => p.pair(x, a, b))) },
  range: { member: (p, b, x) => p.or(...[...p.before(x, b)].map((a) => p.pair(x, a, b))) },
};
