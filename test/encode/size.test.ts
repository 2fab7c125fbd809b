import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FAMILIES } from '../../bench/families.js';
import { structureFor } from '../../src/check/structure.js';
import { cyclesFor } from '../../src/encode/acyclicity/choice.js';
import { assertAtMostOne } from '../../src/encode/at-most-one.js';
import type { Bounds } from '../../src/encode/bounds/bounds.js';
import { computeBounds } from '../../src/encode/bounds/bounds.js';
import { encode } from '../../src/encode/encode.js';
import { createFormula } from '../../src/encode/formula.js';
import * as m from '../../src/model/relation/matrix.js';
import { stateQuery } from '../../src/program/program.js';
import { modelOver } from '../../src/program/events/narrow.js';
import type { EventStructure } from '../../src/program/events/structure.js';
import { ClauseSearch } from '../../src/solve/search/search.js';
import { litmus, modelOf } from '../support/checker.js';

/** What an encoding takes, and that what is left out of it is not needed. */

interface Opened {
  readonly structure: EventStructure;
  readonly bounds: Bounds;
  readonly size: number;
}

/** A test as it goes to the search. Its size: clauses and edges of graphs. */
function opened(text: string, model = modelOf('rdma-tso')): Opened {
  const asked = litmus(text);
  const { program } = asked;
  const structure = structureFor(program, model) as EventStructure;
  const needed = modelOver(structure, model);
  const result = computeBounds(structure, needed);
  if (!result.ok) throw new Error(result.reason);
  let size = 0;
  const count = (): void => void (size += 1);
  const cycles = cyclesFor('difference', count);
  const { condition, formula } = encode(structure, result.bounds, needed, count, cycles);
  formula.assumption(condition(stateQuery(asked, 0).condition));
  return { structure, bounds: result.bounds, size };
}

test.each([
  ['getsputs', 12],
  ['putrace', 12],
  ['ringbuffer', 12],
  ['mpchain', 16],
  ['sbringget', 16],
  ['spin', 6],
  ['mix4', 20],
] as const)('of %s grows with the square of its length at most', (family, k) => {
  const [small, large] = [k, 2 * k].map((n) => opened(FAMILIES[family](n)).size);
  expect(large / small).toBeLessThan(2 ** 2.1);
});

test('at most one of many is true, and any one can be', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), fc.nat(), fc.nat(), (count, i, j) => {
      const search = new ClauseSearch(Infinity);
      const formula = createFormula((clause) => search.addClause(clause));
      const lits = Array.from({ length: count }, () => formula.fresh());
      assertAtMostOne(lits, formula);
      const [one, other] = [i % count, j % count];
      const all = lits.map((lit, n) => formula.assumption(n === one || n === other ? lit : -lit));
      expect(search.check(all).kind).toBe(one === other ? 'sat' : 'unsat');
    }),
  );
});

describe('what is assumed of a read narrows what it reads from', () => {
  /** The numbers of possible sources of the reads of threads, in their order. */
  const sources = (body: string): readonly number[] => {
    const { structure, bounds } = opened(
      `RDMA t node 1 { x = 0 } thread W on 1 { x := 1; x := 2 } thread R on 1 { ${body} } exists (true)`,
      modelOf('x86-tso'),
    );
    const from = m.inverse(bounds.base.relations.get('rf')!.may);
    const reads = structure.events.filter((e) => e.reads === true);
    return reads.map((e) => m.successors(from, e.id).length);
  };

  test.each([
    ['a := x', [3]],
    ['a := x; assume(a >= 1)', [2]],
    ['a := x; assume(a + 1 = 3)', [1]],
    // Other reads, and a choice, leave it open.
    ['a := x; b := x; assume(a = b)', [3, 3]],
    ['a := x; b := x; assume(a != b)', [3, 3]],
    ['b := 0; choose { skip } or { b := 1 } a := x; assume(a = b)', [3]],
    // Where the read may be executed without the condition, nothing is known.
    ['a := x; b := x; if (b = 1) { assume(a = 1) }', [3, 3]],
    ['b := x; if (b = 1) { a := x; assume(a = 2) }', [3, 1]],
    // A division that has no value excludes nothing.
    ['a := x; assume(1 / a = 1)', [2]],
    // Success and failure of a CAS.
    ['a := CAS(x, 1, 3)', [1, 2]],
  ])('%s', (body, expected) => {
    expect(sources(body)).toEqual(expected);
  });
});
