import type { Event } from '../events/structure.js';
import { exclusive, implies } from '../events/structure.js';
import type { Domain } from '../model/interpret.js';
import type { BitRel, BitSet } from '../relation/matrix.js';
import * as m from '../relation/matrix.js';

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

/** An operator that grows with its operand, on bounds. */
const lift =
  <A, B>(op: (a: A) => B) =>
  (a: Bound<A>): Bound<B> => {
    const may = op(a.may);
    return { may, must: a.must === a.may ? may : op(a.must) };
  };

/** An operator that grows with both of its operands, on bounds. */
export const lift2 =
  <A, B, C>(op: (a: A, b: B) => C) =>
  (a: Bound<A>, b: Bound<B>): Bound<C> => {
    const may = op(a.may, b.may);
    return { may, must: a.must === a.may && b.must === b.may ? may : op(a.must, b.must) };
  };

const opposite = <T>({ may, must }: Bound<T>): Bound<T> => ({ may: must, must: may });

// What does not depend on which events are executed
const unionSet = lift2(m.unionSet);
const interSet = lift2(m.interSet);
const diffSet = lift2(m.diffSet);
const complSet = lift(m.complSet);
const unionRel = lift2(m.unionRel);
const interRel = lift2(m.interRel);
const diffRel = lift2(m.diffRel);
const complRel = lift(m.complRel);
const product = lift2(m.product);
const inverse = lift(m.inverse);
const identity = lift(m.identity);

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
      if (!exclusive(a.path, b.path)) m.relate(together, a.id, b.id);
      if (implies(a.path, b.path)) m.relate(brings, a.id, b.id);
    }
  }
  return { size, together, brings, broughtBy: m.inverse(brings), straight };
}

/**
 * The domain of bounds. A composition must hold only through events that are executed for sure
 * when one of its ends is; a difference may hold where its right side need not.
 */
export function boundsDomain(
  { size, together, brings, broughtBy, straight }: Presence,
  baseSet: (name: string) => Bound<BitSet>,
  baseRel: (name: string) => Bound<BitRel>,
): Domain<Bound<BitSet>, Bound<BitRel>> {
  type S = Bound<BitSet>;
  type R = Bound<BitRel>;
  const within = lift((rel: BitRel) => m.interRel(rel, together));
  const both = (r: R): R => (straight ? r : within(r));
  const all = m.universe(size);
  const id = exact(m.identity(all));

  const seqMust = (a: BitRel, b: BitRel): BitRel =>
    straight
      ? m.seq(a, b)
      : m.unionRel(m.seq(m.interRel(a, brings), b), m.seq(a, m.interRel(b, broughtBy)));
  const plusMust = (a: BitRel): BitRel => {
    if (straight) return m.plus(a);
    for (let closed = a; ;) {
      const next = m.unionRel(closed, seqMust(closed, closed));
      if (m.equal(next, closed)) return closed;
      closed = next;
    }
  };
  const plus = (a: R): R => both({ may: m.plus(a.may), must: plusMust(a.must) });
  const opt = (a: R): R => unionRel(a, id);

  return {
    baseSet,
    baseRel: (name) => (name === 'id' ? id : baseRel(name)),
    emptySet: () => exact(m.emptySet(size)),
    emptyRel: () => exact(m.emptyRel(size)),
    universe: () => exact(all),
    unionSet,
    interSet,
    diffSet: (a, b) => diffSet(a, opposite(b)),
    complSet: (a) => complSet(opposite(a)),
    unionRel,
    interRel,
    diffRel: (a, b) => diffRel(a, opposite(b)),
    complRel: (a) => both(complRel(opposite(a))),
    seq: (a, b) => both({ may: m.seq(a.may, b.may), must: seqMust(a.must, b.must) }),
    product: (a, b) => both(product(a, b)),
    inverse,
    plus,
    star: (a) => opt(plus(a)),
    opt,
    identity,
    domain: (a): S => ({
      may: m.domain(a.may),
      must: m.domain(straight ? a.must : m.interRel(a.must, brings)),
    }),
    range: (a): S => ({
      may: m.range(a.may),
      must: m.range(straight ? a.must : m.interRel(a.must, broughtBy)),
    }),
    equalSet: equal,
    equalRel: equal,
  };
}
