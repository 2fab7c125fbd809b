import type { Domain } from '../interpret.js';
import * as m from './matrix.js';
import type { BitRel, BitSet } from './matrix.js';
import { once } from '../../parse/once.js';

/**
 * A set or relation in some executions: `low` is in it in every one of them, and nothing but `high` is in any. Each is worked out
 * when it is first asked for.
 */
export interface Between<T extends Value> {
  readonly low: () => T;
  readonly high: () => T;
}

type Value = BitSet | BitRel;

export const between = <T extends Value>(low: () => T, high: () => T): Between<T> => ({
  low: once(low),
  high: once(high),
});

/** Sets and relations over the executed events, by the operators of cat. */
export function betweenDomain(
  executed: Between<BitSet>,
  baseSet: (name: string) => Between<BitSet>,
  baseRel: (name: string) => Between<BitRel>,
): Domain<Between<BitSet>, Between<BitRel>> {
  const { size } = executed.high();
  const identity = growing(m.identity);
  const all = growing(m.product)(executed, executed);
  const [diffSet, diffRel] = [difference(m.diffSet), difference(m.diffRel)];
  const [unionRel, plus] = [growing(m.unionRel), growing(m.plus)];
  const emptySet = growing(() => m.emptySet(size))();
  const emptyRel = growing(() => m.emptyRel(size))();
  return {
    baseSet,
    baseRel: (name) => (name === 'id' ? identity(executed) : baseRel(name)),
    emptySet: () => emptySet,
    emptyRel: () => emptyRel,
    universe: () => executed,
    unionSet: growing(m.unionSet),
    interSet: growing(m.interSet),
    diffSet,
    complSet: (a) => diffSet(executed, a),
    unionRel,
    interRel: growing(m.interRel),
    diffRel,
    complRel: (a) => diffRel(all, a),
    seq: growing(m.seq),
    product: growing(m.product),
    inverse: growing(m.inverse),
    plus,
    star: (a) => unionRel(plus(a), identity(executed)),
    opt: (a) => unionRel(a, identity(executed)),
    identity,
    domain: growing(m.domain),
    range: growing(m.range),
    equalSet: equal,
    equalRel: equal,
  };
}

/** An operation whose result grows with what it is applied to. */
export const growing =
  <A extends Value[], B extends Value>(f: (...operands: A) => B) =>
  (...operands: { [K in keyof A]: Between<A[K]> }): Between<B> =>
    between(
      () => f(...(operands.map((a) => a.low()) as A)),
      () => f(...(operands.map((a) => a.high()) as A)),
    );

/** What is left of the first operand shrinks where the second one grows. */
const difference =
  <A extends Value>(f: (a: A, b: A) => A) =>
  (a: Between<A>, b: Between<A>): Between<A> =>
    between(
      () => f(a.low(), b.high()),
      () => f(a.high(), b.low()),
    );

const equal = <A extends Value>(a: Between<A>, b: Between<A>): boolean =>
  m.equal(a.low(), b.low()) && m.equal(a.high(), b.high());
