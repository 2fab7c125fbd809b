import type { Event } from '../../program/events/structure.js';
import { areExclusive, implies } from '../../program/events/structure.js';
import type { Domain } from '../../model/interpret.js';
import { lifted } from '../../model/operators/operations.js';
import type { BitRel, BitSet } from '../../model/relation/matrix.js';
import * as m from '../../model/relation/matrix.js';

/**
 * Bounds of a set or relation over all executions of a program. `may` holds whatever is in it in
 * some execution; `must` holds what is in it in every execution in which its events are executed.
 */
export interface Bound<T> {
  readonly may: T;
  readonly must: T;
}

/** Bounds of what is the same in every execution: one value, so that it is worked out once. */
export const exact = <T>(value: T): Bound<T> => ({ may: value, must: value });

/** Is it known to be the same in every execution? */
export const isExact = <T>({ may, must }: Bound<T>): boolean => may === must;

/** An operator that grows with its operand, on bounds. */
const lift =
  <A, B>(op: (a: A) => B) =>
  (a: Bound<A>): Bound<B> => {
    const may = op(a.may);
    return { may, must: isExact(a) ? may : op(a.must) };
  };

/** An operator on bounds: of what the result shrinks with, the other bound gives the bound of the result. */
export const onBounds =
  <A, B>(op: (a: A, b: A) => B, grows: readonly boolean[]) =>
  (a: Bound<A>, b?: Bound<A>): Bound<B> => {
    const side = (isMay: boolean): B =>
      op(
        isMay === grows[0] ? a.may : a.must,
        // Of a unary operator, there is no other operand.
        (isMay === grows[1] ? b?.may : b?.must) as A,
      );
    const may = side(true);
    return { may, must: isExact(a) && (b === undefined || isExact(b)) ? may : side(false) };
  };

function equal<T extends BitSet | BitRel>(a: Bound<T>, b: Bound<T>): boolean {
  return m.equal(a.may, b.may) && m.equal(a.must, b.must);
}

/** Which events can be executed together, and which events bring others with them. */
export interface Presence {
  readonly size: number;
  /** Pairs that no branch keeps apart. */
  readonly together: BitRel;
  /** (a, b): whenever a is executed, b is. */
  readonly brings: BitRel;
  readonly broughtBy: BitRel;
  /** No event depends on a branch: both relations are full. */
  readonly straight: boolean;
}

export function presence(events: readonly Event[]): Presence {
  const size = events.length;
  const straight = events.every((e) => e.path.length === 0);
  const all = m.universe(size);
  if (straight) {
    const full = m.product(all, all);
    return { size, together: full, brings: full, broughtBy: full, straight };
  }
  const together = m.emptyRel(size);
  const brings = m.emptyRel(size);
  for (const a of events) {
    for (const b of events) {
      if (!areExclusive(a.path, b.path)) m.relate(together, a.id, b.id);
      if (implies(a.path, b.path)) m.relate(brings, a.id, b.id);
    }
  }
  return { size, together, brings, broughtBy: m.inverse(brings), straight };
}

/** The domain of bounds. */
export function boundsDomain(
  present: Presence,
  baseSet: (name: string) => Bound<BitSet>,
  baseRel: (name: string) => Bound<BitRel>,
): Domain<Bound<BitSet>, Bound<BitRel>> {
  const domain = straightDomain(present.size, baseSet, baseRel);
  return present.straight ? domain : branchingDomain(domain, present);
}

/** Where every event is executed, both bounds are what the operators make of them. */
function straightDomain(
  size: number,
  baseSet: (name: string) => Bound<BitSet>,
  baseRel: (name: string) => Bound<BitRel>,
): Domain<Bound<BitSet>, Bound<BitRel>> {
  const all = exact(m.universe(size));
  const id = exact(m.identity(all.may));
  return {
    ...lifted<Bound<BitSet>, Bound<BitRel>>(m, onBounds),
    baseSet,
    baseRel: (name) => (name === 'id' ? id : baseRel(name)),
    emptySet: () => exact(m.emptySet(size)),
    emptyRel: () => exact(m.emptyRel(size)),
    universe: () => all,
    equalSet: equal,
    equalRel: equal,
  };
}

/**
 * Where events depend on branches, a composition must hold only through events that are executed for sure
 * when one of its ends is, and nothing relates events that no execution has together.
 */
function branchingDomain(
  domain: Domain<Bound<BitSet>, Bound<BitRel>>,
  { together, brings, broughtBy }: Presence,
): Domain<Bound<BitSet>, Bound<BitRel>> {
  type R = Bound<BitRel>;
  const both = lift((rel: BitRel) => m.interRel(rel, together));
  const seqMust = (a: BitRel, b: BitRel): BitRel =>
    m.unionRel(m.seq(m.interRel(a, brings), b), m.seq(a, m.interRel(b, broughtBy)));
  const plusMust = (a: BitRel): BitRel => {
    for (let closed = a; ;) {
      const next = m.unionRel(closed, seqMust(closed, closed));
      if (m.equal(next, closed)) return closed;
      closed = next;
    }
  };
  const plus = (a: R): R => both({ may: m.plus(a.may), must: plusMust(a.must) });
  return {
    ...domain,
    complRel: (a) => both(domain.complRel(a)),
    seq: (a, b) => both({ may: m.seq(a.may, b.may), must: seqMust(a.must, b.must) }),
    product: (a, b) => both(domain.product(a, b)),
    plus,
    star: (a) => domain.opt(plus(a)),
    domain: ({ may, must }) => ({
      may: m.domain(may),
      must: m.domain(m.interRel(must, brings)),
    }),
    range: ({ may, must }) => ({
      may: m.range(may),
      must: m.range(m.interRel(must, broughtBy)),
    }),
  };
}
