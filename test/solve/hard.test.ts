import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { Clauses } from '../../src/solve/search/clauses.js';
import { AcyclicGraph } from '../../src/solve/search/graph.js';
import { ClauseSearch } from '../../src/solve/search/search.js';
import * as m from '../../src/model/relation/matrix.js';
import { newSolver } from '../support/checker.js';
import { cases, few } from '../support/random.js';

/** Questions that are hard for a search: it learns thousands of clauses, forgets most, and starts anew again and again. */

const forget = vi.spyOn(Clauses.prototype, 'forget');
const ask = vi.spyOn(AcyclicGraph.prototype, 'excludes');
beforeEach(() => vi.clearAllMocks());

const literalUpTo = (variables: number) =>
  fc.tuple(fc.integer({ min: 1, max: variables }), fc.boolean()).map(([v, is]) => (is ? v : -v));
const assumedUpTo = (variables: number) =>
  fc.uniqueArray(literalUpTo(variables), { maxLength: 8, selector: Math.abs });

/** That a sum of some variables, 0 or 1 each, is even or odd. */
interface Parity {
  readonly variables: readonly number[];
  readonly isOdd: boolean;
}

const VARIABLES = 120;
const parities = fc.noBias(
  fc.array(
    fc.record({
      variables: fc.uniqueArray(fc.integer({ min: 1, max: VARIABLES }), {
        minLength: 3,
        maxLength: 4,
      }),
      isOdd: fc.boolean(),
    }),
    { minLength: VARIABLES - 10, maxLength: VARIABLES + 10 },
  ),
);

/** A clause for each way in which the sum would be wrong. */
function clausesOf({ variables, isOdd }: Parity): number[][] {
  const ways = Array.from({ length: 2 ** variables.length }, (_, n) =>
    variables.map((_, i) => (n >> i) & 1),
  );
  return ways
    .filter((bits) => (bits.reduce((sum, bit) => sum + bit, 0) % 2 === 1) !== isOdd)
    .map((bits) => variables.map((v, i) => (bits[i] === 1 ? -v : v)));
}

const isOddOf = (lit: number): Parity => ({ variables: [Math.abs(lit)], isOdd: lit > 0 });

/** Is there a solution? By Gaussian elimination: each equation is a number, with a bit for each variable and one for the sum. */
function isPossible(equations: readonly Parity[]): boolean {
  const pivots = new Map<number, bigint>();
  for (const { variables, isOdd } of equations) {
    let row = BigInt(isOdd);
    for (const v of variables) row ^= 1n << BigInt(v);
    for (let v = VARIABLES; v > 0; v--) {
      if ((row >> BigInt(v)) % 2n === 0n) continue;
      const pivot = pivots.get(v);
      if (pivot === undefined) {
        pivots.set(v, row);
        row = 0n;
        break;
      }
      row ^= pivot;
    }
    if (row === 1n) return false;
  }
  return true;
}

test('sums of bits: as Gaussian elimination says, with cores that suffice', () => {
  const kinds = { sat: 0, unsat: 0, unknown: 0 };
  fc.assert(
    fc.property(
      parities,
      fc.array(assumedUpTo(VARIABLES), { maxLength: 4 }),
      (equations, questions) => {
        const search = new ClauseSearch(Infinity);
        for (const clause of equations.flatMap(clausesOf)) search.addClause(clause);
        for (const assumed of [[], ...questions, []]) {
          const all = [...equations, ...assumed.map(isOddOf)];
          const answer = search.check(assumed);
          expect(answer.kind).toBe(isPossible(all) ? 'sat' : 'unsat');
          kinds[answer.kind] += 1;
          if (answer.kind === 'unsat') {
            const core = answer.core!;
            expect(assumed).toEqual(expect.arrayContaining([...core]));
            expect(isPossible([...equations, ...core.map(isOddOf)])).toBe(false);
            continue;
          }
          for (const { variables, isOdd } of all) {
            expect(variables.filter((v) => search.value(v)).length % 2 === 1).toBe(isOdd);
          }
        }
      },
    ),
    { numRuns: cases(25) },
  );
  expect(Math.min(kinds.sat, kinds.unsat)).toBeGreaterThan(few(20));
  expect(forget.mock.calls.length).toBeGreaterThan(few(20));
});

test.each([0, undefined])(
  'clauses and edges: as Z3 says, whether the theory is asked after %s conflicts',
  (hard) => {
    const [VARIABLES, NODES] = [60, 20];
    const literal = literalUpTo(VARIABLES);
    const node = fc.nat(NODES - 1);
    const clauses = fc.array(fc.array(literal, { minLength: 3, maxLength: 3 }), {
      minLength: 170,
      maxLength: 240,
    });
    const edges = fc.array(fc.tuple(node, node, fc.option(literal, { freq: 12, nil: undefined })), {
      minLength: 30,
      maxLength: 90,
    });
    const kinds = { sat: 0, unsat: 0, unknown: 0 };
    const property = fc.property(
      fc.noBias(clauses),
      fc.noBias(edges),
      fc.array(assumedUpTo(VARIABLES), { minLength: 1, maxLength: 5 }),
      (clauses, edges, questions) => {
        const search = new ClauseSearch(Infinity, hard);
        const z3 = newSolver({ integers: true });
        for (const solver of [search, z3]) {
          for (const clause of clauses) solver.addClause(clause);
          for (const [a, b, lit] of edges) if (a !== b) solver.addLess(a, b, lit);
        }
        for (const assumed of questions) {
          const answer = search.check(assumed);
          expect(answer.kind).toBe(z3.check(assumed).kind);
          kinds[answer.kind] += 1;
          if (answer.kind === 'unsat') {
            expect(z3.check(answer.core!).kind).toBe('unsat');
            continue;
          }
          const isTrue = (lit: number): boolean => search.value(Math.abs(lit)) === lit > 0;
          for (const clause of clauses) expect(clause.some(isTrue)).toBe(true);
          expect(assumed.every(isTrue)).toBe(true);
          const there = edges.filter(
            ([a, b, lit]) => a !== b && (lit === undefined || isTrue(lit)),
          );
          expect(
            m.isAcyclic(
              m.relOf(
                NODES,
                there.map(([a, b]) => [a, b] as const),
              ),
            ),
          ).toBe(true);
        }
        z3.dispose();
      },
    );
    fc.assert(property, { numRuns: cases(60) });
    expect(Math.min(kinds.sat, kinds.unsat)).toBeGreaterThan(few(20));
    expect(ask.mock.calls.length).toBeGreaterThan(few(100));
  },
);
