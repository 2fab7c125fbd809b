import type { Domain } from '../interpret.js';
import { lifted } from '../operators/operations.js';
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
  const { diffSet, diffRel, unionRel, plus, identity } = OPERATIONS;
  const all = OPERATIONS.product(executed, executed);
  const emptySet = growing(() => m.emptySet(size))();
  const emptyRel = growing(() => m.emptyRel(size))();
  return {
    ...OPERATIONS,
    baseSet,
    baseRel: (name) => (name === 'id' ? identity(executed) : baseRel(name)),
    emptySet: () => emptySet,
    emptyRel: () => emptyRel,
    universe: () => executed,
    complSet: (a) => diffSet(executed, a),
    complRel: (a) => diffRel(all, a),
    star: (a) => unionRel(plus(a), identity(executed)),
    opt: (a) => unionRel(a, identity(executed)),
    equalSet: equalBounds,
    equalRel: equalBounds,
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

/** An operation of a table of operators: of what its result shrinks with, the other bound is taken. */
const onBounds =
  <A extends Value>(f: (a: A, b: A) => A, grows: readonly boolean[]) =>
  (a: Between<A>, b?: Between<A>): Between<A> => {
    const side = (isHigh: boolean): A => {
      const [first, second] = [a, b].map((of, i) => (isHigh === grows[i] ? of?.high : of?.low));
      // Of a unary operator, there is no other operand.
      return f(first!(), second?.() as A);
    };
    return between(
      () => side(false),
      () => side(true),
    );
  };

const OPERATIONS = lifted<Between<BitSet>, Between<BitRel>>(m, onBounds);

/** Whether the bounds of two sets or relations are the same. */
export const equalBounds = <A extends Value>(a: Between<A>, b: Between<A>): boolean =>
  m.equal(a.low(), b.low()) && m.equal(a.high(), b.high());
