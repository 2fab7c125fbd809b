import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  components,
  cyclicComponents,
  successorsFirst,
} from '../../src/model/relation/components.js';
import * as inPlace from '../../src/model/relation/in-place.js';
import * as m from '../../src/model/relation/matrix.js';
import type { BitRel, BitSet } from '../../src/model/relation/matrix.js';

/** Sizes around the width of a word matter most. */
const sizes = fc.constantFrom(0, 1, 5, 31, 32, 33, 70);
const sets = (size: number): fc.Arbitrary<BitSet> =>
  fc.array(fc.nat({ max: Math.max(0, size - 1) })).map((list) => m.setOf(size, size ? list : []));
/** Pairs of any events, or of a few in different words, so that there are cycles, too. */
const rels = (size: number): fc.Arbitrary<BitRel> => {
  const last = Math.max(0, size - 1);
  const few = [0, 1, 31, 32, 33, 69].filter((event) => event <= last);
  const pairsOf = (event: fc.Arbitrary<number>) => fc.tuple(event, event);
  return fc
    .oneof(
      fc.array(pairsOf(fc.nat({ max: last }))),
      fc.array(pairsOf(fc.constantFrom(...few)), { maxLength: 20, size: 'max' }),
    )
    .map((list) => m.relOf(size, size ? list : []));
};

/** A law of three relations and two sets over one universe. */
function law(
  name: string,
  holds: (a: BitRel, b: BitRel, c: BitRel, s: BitSet, t: BitSet) => boolean,
): void {
  const cases = sizes.chain((n) => fc.tuple(rels(n), rels(n), rels(n), sets(n), sets(n)));
  test(name, () => fc.assert(fc.property(cases, (values) => holds(...values))));
}

/** Transitive closure by its definition. */
function squared(a: BitRel): BitRel {
  const next = m.unionRel(a, m.seq(a, a));
  return m.equal(next, a) ? a : squared(next);
}

const listed = (rel: BitRel): string => [...m.pairs(rel)].map(([i, j]) => `${i}${j}`).join(' ');
const all = (size: number): BitSet => m.universe(size);
const id = (size: number): BitRel => m.identity(all(size));

describe('by hand', () => {
  const a = m.relOf(4, [
    [0, 1],
    [1, 2],
    [3, 3],
  ]);
  const b = m.relOf(4, [
    [1, 2],
    [2, 0],
  ]);
  const s = m.setOf(4, [0, 2]);

  test('sets', () => {
    expect([...m.elements(m.setOf(70, [69, 3, 31, 32, 3]))]).toEqual([3, 31, 32, 69]);
    expect([...m.elements(all(33))]).toHaveLength(33);
    expect([...m.elements(m.complSet(s))]).toEqual([1, 3]);
    expect(m.has(s, 2) && !m.has(s, 1)).toBe(true);
  });

  test('relations', () => {
    expect(listed(m.unionRel(a, b))).toBe('01 12 20 33');
    expect(listed(m.interRel(a, b))).toBe('12');
    expect(listed(m.diffRel(a, b))).toBe('01 33');
    expect(listed(m.complRel(m.relOf(2, [[0, 1]])))).toBe('00 10 11');
    expect(listed(m.seq(a, b))).toBe('02 10');
    expect(listed(m.inverse(a))).toBe('10 21 33');
    expect(listed(m.plus(a))).toBe('01 02 12 33');
    expect(listed(m.opt(b))).toBe('00 11 12 20 22 33');
    expect(listed(m.star(b))).toBe('00 10 11 12 20 22 33');
    expect(listed(m.product(s, m.setOf(4, [1, 3])))).toBe('01 03 21 23');
    expect(listed(m.identity(s))).toBe('00 22');
    expect([...m.elements(m.domain(a))]).toEqual([0, 1, 3]);
    expect([...m.elements(m.range(a))]).toEqual([1, 2, 3]);
    expect([...m.successors(a, 1)]).toEqual([2]);
    expect(m.related(a, 0, 1) && !m.related(a, 1, 0)).toBe(true);
  });

  test('tests', () => {
    expect([m.isAcyclic(a), m.isIrreflexive(a)]).toEqual([false, false]);
    expect([m.isAcyclic(b), m.isIrreflexive(b)]).toEqual([true, true]);
    const cycle = m.unionRel(b, m.relOf(4, [[0, 1]]));
    expect([m.isAcyclic(cycle), m.isIrreflexive(cycle)]).toEqual([false, true]);
    expect(m.isEmpty(m.emptyRel(4)) && m.isEmpty(m.emptySet(4)) && !m.isEmpty(a)).toBe(true);
    expect(m.equal(a, a) && !m.equal(a, b) && !m.equal(m.emptyRel(3), m.emptyRel(4))).toBe(true);
  });

  test('operations leave their operands alone', () => {
    const before = listed(a);
    m.plus(a);
    m.unionRel(a, b);
    expect(listed(a)).toBe(before);
  });
});

describe('laws', () => {
  law('`;` is associative', (a, b, c) => m.equal(m.seq(m.seq(a, b), c), m.seq(a, m.seq(b, c))));
  law('`;` distributes over `|`', (a, b, c) =>
    m.equal(m.seq(a, m.unionRel(b, c)), m.unionRel(m.seq(a, b), m.seq(a, c))),
  );
  law(
    '`id` is the unit of `;`',
    (a) => m.equal(m.seq(a, id(a.size)), a) && m.equal(m.seq(id(a.size), a), a),
  );
  law('inverse turns `;` around', (a, b) =>
    m.equal(m.inverse(m.seq(a, b)), m.seq(m.inverse(b), m.inverse(a))),
  );
  law(
    'inverse and complement are their own inverses',
    (a, _b, _c, s) =>
      m.equal(m.inverse(m.inverse(a)), a) &&
      m.equal(m.complRel(m.complRel(a)), a) &&
      m.equal(m.complSet(m.complSet(s)), s),
  );
  law(
    'De Morgan',
    (a, b, _c, s, t) =>
      m.equal(m.complRel(m.unionRel(a, b)), m.interRel(m.complRel(a), m.complRel(b))) &&
      m.equal(m.complSet(m.unionSet(s, t)), m.interSet(m.complSet(s), m.complSet(t))),
  );
  law(
    '`\\` is `&` with the complement',
    (a, b, _c, s, t) =>
      m.equal(m.diffRel(a, b), m.interRel(a, m.complRel(b))) &&
      m.equal(m.diffSet(s, t), m.interSet(s, m.complSet(t))),
  );
  law(
    'plus is the least transitive relation around its operand',
    (a) =>
      m.equal(m.plus(a), m.unionRel(a, m.seq(a, m.plus(a)))) &&
      m.equal(m.plus(m.plus(a)), m.plus(a)) &&
      m.equal(m.plus(m.inverse(a)), m.inverse(m.plus(a))),
  );
  law('plus is what squaring comes to, for few and for many edges', (a, b, c) => {
    const many = m.unionRel(m.product(m.domain(a), m.range(b)), m.unionRel(b, m.seq(b, c)));
    return [a, many].every((rel) => m.equal(m.plus(rel), squared(rel)));
  });
  law(
    'star is plus and identity',
    (a) =>
      m.equal(m.star(a), m.unionRel(id(a.size), m.plus(a))) && m.equal(m.star(a), m.plus(m.opt(a))),
  );
  law('`[S] ; r ; [T]` is `r & S * T`', (a, _b, _c, s, t) =>
    m.equal(m.seq(m.seq(m.identity(s), a), m.identity(t)), m.interRel(a, m.product(s, t))),
  );
  law('components are where each reaches each, and come after those that they lead to', (a) => {
    const found = components(a);
    const reach = m.star(a);
    const together = m.interRel(reach, m.inverse(reach));
    const place = new Map(found.flatMap((list, i) => list.map((e) => [e, i] as const)));
    return (
      [...m.pairs(a)].every(([i, j]) => place.get(i)! >= place.get(j)!) &&
      m.equal(
        together,
        m.relOf(
          a.size,
          found.flatMap((list) => list.flatMap((i) => list.map((j) => [i, j] as const))),
        ),
      )
    );
  });
  law('components are listed in ascending order', (a) =>
    components(a).every((list) => list.every((event, i) => i === 0 || list[i - 1] < event)),
  );
  law('without a cycle, each event comes once, and after all that it leads to', (a) => {
    const order = successorsFirst(a);
    const hasCycle = !m.isEmpty(m.interRel(m.plus(a), id(a.size)));
    if (order === undefined) return hasCycle;
    const place = new Map(order.map((event, i) => [event, i] as const));
    return (
      !hasCycle &&
      order.length === a.size &&
      place.size === a.size &&
      [...m.pairs(a)].every(([i, j]) => place.get(i)! > place.get(j)!)
    );
  });
  law('components with a cycle hold the events that reach themselves', (a) => {
    const cyclic = cyclicComponents(a).flat();
    return m.equal(m.setOf(a.size, cyclic), m.domain(m.interRel(m.plus(a), id(a.size))));
  });
  law('a restriction has the pairs of those that are left', (a, _b, _c, s) => {
    const left = m.elements(s);
    const inside = [...m.pairs(m.restrict(a, left))].map(([i, j]) => [left[i], left[j]] as const);
    return m.equal(m.relOf(a.size, inside), m.interRel(a, m.product(s, s)));
  });
  law('a restricted set has the elements that are left', (_a, _b, _c, s, t) => {
    const left = m.elements(s);
    const inside = m.elements(m.restrictSet(t, left)).map((i) => left[i]);
    return m.equal(m.setOf(t.size, inside), m.interSet(s, t));
  });
  law('relations grow by what is added', (a, b) => {
    const grown = m.relOf(a.size, m.pairs(a));
    inPlace.addAll(grown, b);
    return m.equal(grown, m.unionRel(a, b));
  });
  law(
    'domain and range',
    (a) =>
      m.equal(m.domain(a), m.range(m.inverse(a))) && m.equal(m.seq(m.identity(m.domain(a)), a), a),
  );
  law(
    'pairs make the relation again',
    (a, _b, _c, s) =>
      m.equal(m.relOf(a.size, m.pairs(a)), a) && m.equal(m.setOf(s.size, m.elements(s)), s),
  );
  law(
    'what is empty has no elements, and what is irreflexive no pair of an event with itself',
    (a, _b, _c, s) => {
      const own = [...m.pairs(a)].some(([i, j]) => i === j);
      return (
        m.isEmpty(a) === ([...m.pairs(a)].length === 0) &&
        m.isEmpty(s) === (m.elements(s).length === 0) &&
        m.isIrreflexive(a) !== own
      );
    },
  );
  law('what is equal has the same pairs', (a, b) => m.equal(a, b) === (listed(a) === listed(b)));
  law('what is taken out of a relation is not in it, and all else is', (a, b) => {
    const left = m.unionRel(a, b);
    for (const [i, j] of m.pairs(b)) m.unrelate(left, i, j);
    return m.equal(left, m.diffRel(a, b));
  });
  law('rows meet where an event leads to both', (a, b) => {
    const both = m.seq(a, m.inverse(b));
    const events = [...Array(a.size).keys()];
    return events.every((i) =>
      events.every((j) => m.rowsMeet(a, i, b, j) === m.related(both, i, j)),
    );
  });
});

/** In the place of `c`, or of `t`, which are there already. */
describe('in place', () => {
  const grown = (c: BitRel, change: (out: BitRel) => void): BitRel => {
    const out = m.relOf(c.size, m.pairs(c));
    change(out);
    return out;
  };
  law(
    'what is added to a relation leaves what was in it',
    (a, b, c) =>
      m.equal(
        grown(c, (out) => inPlace.addInter(out, a, b)),
        m.unionRel(c, m.interRel(a, b)),
      ) &&
      m.equal(
        grown(c, (out) => inPlace.addDiff(out, a, b)),
        m.unionRel(c, m.diffRel(a, b)),
      ) &&
      m.equal(
        grown(c, (out) => inPlace.addSeq(out, a, b)),
        m.unionRel(c, m.seq(a, b)),
      ) &&
      m.equal(
        grown(c, (out) => inPlace.addSeqInverse(out, a, b)),
        m.unionRel(c, m.seq(a, m.inverse(b))),
      ) &&
      m.equal(
        grown(c, (out) => inPlace.addInverseSeq(out, a, b)),
        m.unionRel(c, m.seq(m.inverse(a), b)),
      ) &&
      m.equal(
        grown(c, (out) => inPlace.addInverse(out, a)),
        m.unionRel(c, m.inverse(a)),
      ),
  );
  law('what is added says whether it is anything new', (a, b) => {
    const out = m.relOf(a.size, m.pairs(a));
    return inPlace.addAll(out, b) !== m.equal(out, a);
  });
  law(
    'what is written over a relation or a set leaves nothing of it',
    (a, _b, c, s, t) =>
      m.equal(
        grown(c, (out) => inPlace.identity(out, s)),
        m.identity(s),
      ) &&
      m.equal(
        grown(c, (out) => inPlace.product(out, s, t)),
        m.product(s, t),
      ) &&
      m.equal(
        grown(c, (out) => inPlace.close(out, a)),
        m.plus(a),
      ) &&
      m.equal(
        grown(c, (out) => inPlace.clear(out)),
        m.emptyRel(c.size),
      ) &&
      m.equal(replaced(t, inPlace.domain, a), m.domain(a)) &&
      m.equal(replaced(t, inPlace.range, a), m.range(a)),
  );

  function replaced(t: BitSet, write: (out: BitSet, a: BitRel) => void, a: BitRel): BitSet {
    const out = m.setOf(t.size, m.elements(t));
    write(out, a);
    return out;
  }
});
