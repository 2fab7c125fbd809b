import fc from 'fast-check';
import { expect, test } from 'vitest';
import { enumerateCandidates } from '../../src/check/enumerate/candidates.js';
import type { Execution } from '../../src/model/relation/concrete.js';
import { evaluate } from '../../src/model/relation/concrete.js';
import * as m from '../../src/model/relation/matrix.js';
import { unroll } from '../../src/program/events/unroll.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import { cat, litmus, modelOf } from '../support/checker.js';

/** RDMA^TSO of programs without remote operations, against TSO by an order in which all stores come to memory. */

/** All ways to order a list. */
function* ordersOf(list: readonly number[]): Generator<readonly number[]> {
  if (list.length === 0) yield [];
  for (const [i, first] of list.entries()) {
    for (const rest of ordersOf(list.toSpliced(i, 1))) yield [first, ...rest];
  }
}

/**
 * TSO paper, Def. C.1, of the events, program order and reads-from of an execution. More pairs in `tso` never help, so of each order of
 * the writes the least `tso` is tried.
 */
function isTso({ size, sets, relations }: Execution): boolean {
  const [po, rf, loc] = ['po', 'rf', 'loc'].map((name) => relations.get(name)!);
  const [W, lW, lR] = ['W', 'lW', 'lR'].map((name) => sets.get(name)!);
  const ppo = m.diffRel(po, m.product(lW, lR));
  const external = m.diffRel(rf, po);
  const needed = m.unionRel(ppo, external);
  for (const order of ordersOf(m.elements(W))) {
    const total = order.flatMap((a, i) => order.slice(i + 1).map((b) => [a, b] as const));
    const tso = m.plus(m.unionRel(m.relOf(size, total), needed));
    if (!m.isAcyclic(tso)) continue;
    // Where w' comes before a read, in either order, it is not behind the write that the read reads from.
    const before = m.seq(m.interRel(loc, m.unionRel(tso, po)), m.inverse(rf));
    const hidden = m.interRel(m.inverse(before), tso);
    const late = [...m.pairs(hidden)].filter(([w, other]) => m.has(W, other) && m.has(W, w));
    if (late.length === 0) return true;
  }
  return false;
}

/** Programs that few random ones are like: store buffering, also where threads read what they have written. */
const PROGRAMS = [
  'thread T on 1 { x := 1; a := y } thread U on 1 { y := 1; b := x }',
  'thread T on 1 { x := 1; mfence; a := y } thread U on 1 { y := 1; b := x }',
  'thread T on 1 { x := 1; c := x; a := y } thread U on 1 { y := 1; d := y; b := x }',
  'thread T on 1 { x := 1; c := x; a := y } thread U on 1 { y := 2; x := 2 }',
  'thread T on 1 { x := 1; y := 1 } thread U on 1 { a := y; b := x }',
  'thread T on 1 { x := 1; a := CAS(z, 0, 1); b := y } thread U on 1 { y := 1; c := CAS(z, 1, 2); d := x }',
];

test('TSO paper, Def. C.1 and Thms C.2 and C.3', () => {
  const any = cat('include "rmw.cat"\nshow rf');
  const tso = modelOf('rdma-tso');
  const counts = { consistent: 0, inconsistent: 0 };
  const check = (text: string): void => {
    /** By what Def. C.1 is about: does RDMA^TSO allow some modification order? */
    const found = new Map<string, { readonly execution: Execution; allowed: boolean }>();
    const { incomplete } = enumerateCandidates(
      unroll(litmus(text).program),
      any,
      ({ execution }) => {
        const { sets, relations } = execution;
        const labels = ['lR', 'lW', 'CAS', 'F'].map((name) => m.elements(sets.get(name)!));
        const key = JSON.stringify([
          labels,
          [...m.pairs(relations.get('po')!)],
          [...m.pairs(relations.get('rf')!)],
        ]);
        const entry = found.get(key) ?? { execution, allowed: false };
        entry.allowed ||= evaluate(tso, execution).consistent;
        found.set(key, entry);
      },
      { limit: 2000 },
    );
    if (incomplete !== undefined) return;
    for (const { execution, allowed } of found.values()) {
      expect([text, isTso(execution)]).toEqual([text, allowed]);
      counts[allowed ? 'consistent' : 'inconsistent'] += 1;
    }
  };
  for (const threads of PROGRAMS) check(`RDMA t node 1 { x = 0; y = 0; z = 0 } ${threads}`);
  fc.assert(
    fc.property(
      programs({ remote: false, branches: false, threads: 2, instructions: 3 }),
      (source) => check(inBlocks(source)),
    ),
    { numRuns: 60 },
  );
  expect(counts.consistent).toBeGreaterThan(100);
  expect(counts.inconsistent).toBeGreaterThan(100);
});
