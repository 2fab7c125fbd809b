import fc from 'fast-check';
import { expect, test } from 'vitest';
import { enumerateCandidates } from '../../src/check/enumerate/candidates.js';
import { definitionOf } from '../../src/check/order-in-every-run.js';
import type { BitRel, BitSet } from '../../src/model/relation/matrix.js';
import * as m from '../../src/model/relation/matrix.js';
import { unroll } from '../../src/program/events/unroll.js';
import type { Program } from '../../src/program/program.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import { modelOf } from '../support/checker.js';
import { PLAIN_FILES } from '../support/corpus.js';
import { litmus } from '../support/litmus.js';

/** That issued-before and observed-before can be made total, on which the way from executions to runs rests (TSO paper, App. D.4). */

const RECURSIVE = modelOf('rdma-tso-rec');
const [IB, OB] = ['ib', 'ob'].map((name) => definitionOf(RECURSIVE, name));
const BUFFERED = ['lW', 'nlW', 'nrW'];

interface Orders {
  readonly ib: BitRel;
  readonly ob: BitRel;
}

const isWithin = (a: BitRel, b: BitRel): boolean => m.isEmpty(m.diffRel(a, b));

/** What Theorem D.6 promises, apart from totality. */
function agree({ ib, ob }: Orders, inst: BitSet): boolean {
  const at = m.identity(inst);
  return (
    [ib, ob].every((order) => m.isIrreflexive(order) && m.equal(m.plus(order), order)) &&
    isWithin(m.seq(ob, at), ib) &&
    isWithin(m.seq(at, ib), ob)
  );
}

/** The orders with one more pair, which nothing speaks against: the step of the proof. */
function issuedFirst({ ib, ob }: Orders, a: number, b: number, inst: BitSet): Orders {
  const more = m.plus(m.unionRel(ib, m.relOf(ib.size, [[a, b]])));
  return { ib: more, ob: m.plus(m.unionRel(ob, m.seq(m.identity(inst), more))) };
}

/** Makes both orders total, pair by pair, and expects that they go on agreeing. How many pairs were open? */
function extend(
  orders: Orders,
  inst: BitSet,
  goesFirst: (a: number, b: number) => boolean,
): number {
  let [now, open] = [orders, 0];
  const events = Array.from({ length: orders.ib.size }, (_, e) => e);
  const pairs = events.flatMap((a) => events.slice(a + 1).map((b) => [a, b] as const));
  const isOpen = (order: BitRel, a: number, b: number) =>
    !m.related(order, a, b) && !m.related(order, b, a);
  for (const [a, b] of pairs) {
    if (!isOpen(now.ib, a, b)) continue;
    open += 1;
    now = goesFirst(a, b) ? issuedFirst(now, a, b, inst) : issuedFirst(now, b, a, inst);
    expect(agree(now, inst)).toBe(true);
  }
  // "Once ib is a total relation, we can similarly freely extend ob."
  for (const [a, b] of pairs) {
    if (!isOpen(now.ob, a, b)) continue;
    open += 1;
    const pair = m.relOf(now.ob.size, goesFirst(b, a) ? [[a, b]] : [[b, a]]);
    now = { ...now, ob: m.plus(m.unionRel(now.ob, pair)) };
    expect(agree(now, inst)).toBe(true);
  }
  return open;
}

/** How many pairs were open in the consistent executions of a program. */
function extendAll(program: Program, limit: number): number {
  let open = 0;
  enumerateCandidates(
    unroll(program),
    RECURSIVE,
    ({ execution: { size, sets }, judgement }) => {
      const buffered = BUFFERED.map((name) => sets.get(name)!).reduce(m.unionSet);
      const inst = m.diffSet(m.universe(size), buffered);
      const orders = { ib: judgement.rel(IB), ob: judgement.rel(OB) };
      expect(agree(orders, inst)).toBe(true);
      for (const goesFirst of [(a: number, b: number) => a < b, (a: number, b: number) => a > b]) {
        open += extend(orders, inst, goesFirst);
      }
    },
    { limit },
  );
  return open;
}

const files = PLAIN_FILES.filter(({ file }) => file.startsWith('tso/'));

test.each(files)('TSO paper, Thm D.6: $file', ({ text }) => {
  extendAll(litmus(text).program, 200);
});

test('TSO paper, Thm D.6: random programs', () => {
  let open = 0;
  fc.assert(
    fc.property(programs({ threads: 2, instructions: 3 }), (source) => {
      open += extendAll(litmus(inBlocks(source)).program, 50);
    }),
    { numRuns: 30 },
  );
  expect(open).toBeGreaterThan(1000);
});
