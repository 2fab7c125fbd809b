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
  const exact = <T>(value: T): Bound<T> => ({ may: value, must: value });
  const both = (r: R): R =>
    straight ? r : { may: m.interRel(r.may, together), must: m.interRel(r.must, together) };
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
  const opt = (a: R): R => ({
    may: m.unionRel(a.may, id.may),
    must: m.unionRel(a.must, id.must),
  });

  return {
    baseSet,
    baseRel: (name) => (name === 'id' ? id : baseRel(name)),
    emptySet: () => exact(m.emptySet(size)),
    emptyRel: () => exact(m.emptyRel(size)),
    universe: () => exact(all),
    unionSet: (a, b) => ({ may: m.unionSet(a.may, b.may), must: m.unionSet(a.must, b.must) }),
    interSet: (a, b) => ({ may: m.interSet(a.may, b.may), must: m.interSet(a.must, b.must) }),
    diffSet: (a, b) => ({ may: m.diffSet(a.may, b.must), must: m.diffSet(a.must, b.may) }),
    complSet: (a) => ({ may: m.complSet(a.must), must: m.complSet(a.may) }),
    unionRel: (a, b) => ({ may: m.unionRel(a.may, b.may), must: m.unionRel(a.must, b.must) }),
    interRel: (a, b) => ({ may: m.interRel(a.may, b.may), must: m.interRel(a.must, b.must) }),
    diffRel: (a, b) => ({ may: m.diffRel(a.may, b.must), must: m.diffRel(a.must, b.may) }),
    complRel: (a) => both({ may: m.complRel(a.must), must: m.complRel(a.may) }),
    seq: (a, b) => both({ may: m.seq(a.may, b.may), must: seqMust(a.must, b.must) }),
    product: (a, b) => both({ may: m.product(a.may, b.may), must: m.product(a.must, b.must) }),
    inverse: (a) => ({ may: m.inverse(a.may), must: m.inverse(a.must) }),
    plus,
    star: (a) => opt(plus(a)),
    opt,
    identity: (a) => ({ may: m.identity(a.may), must: m.identity(a.must) }),
    domain: (a): S => ({
      may: m.domain(a.may),
      must: m.domain(straight ? a.must : m.interRel(a.must, brings)),
    }),
    range: (a): S => ({
      may: m.range(a.may),
      must: m.range(straight ? a.must : m.interRel(a.must, broughtBy)),
    }),
    equalSet: (a, b) => m.equal(a.may, b.may) && m.equal(a.must, b.must),
    equalRel: (a, b) => m.equal(a.may, b.may) && m.equal(a.must, b.must),
  };
}
