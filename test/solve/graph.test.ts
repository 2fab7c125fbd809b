import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AcyclicGraph } from '../../src/solve/search/graph.js';
import { ClauseSearch } from '../../src/solve/search/search.js';

/** The graph that must stay without cycles, against looking for cycles from scratch. */

const NODES = 6;

/** From, to, and the variable of which it takes the positive literal; 0: the edge is sure. */
type Edge = readonly [from: number, to: number, variable: number];

const node = fc.nat(NODES - 1);
const edgeUpTo = (variables: number): fc.Arbitrary<Edge> =>
  fc.tuple(
    node,
    node,
    fc.oneof(
      { weight: 1, arbitrary: fc.constant(0) },
      { weight: 5, arbitrary: fc.integer({ min: 1, max: variables }) },
    ),
  );

/**
 * How few literals a cycle takes, with edges that are sure or of some variables; Infinity: there is none.
 * By the lengths of shortest paths (Floyd and Warshall), with an edge at its end that leads back.
 */
function fewest(edges: readonly Edge[], variables: ReadonlySet<number>): number {
  const all = [...Array(NODES).keys()];
  const far = all.map(() => all.map(() => Infinity));
  for (const [a, b, v] of edges) {
    if (v === 0 || variables.has(v)) far[a][b] = Math.min(far[a][b], v === 0 ? 0 : 1);
  }
  for (const k of all) {
    for (const i of all) {
      for (const j of all) far[i][j] = Math.min(far[i][j], far[i][k] + far[k][j]);
    }
  }
  return Math.min(...all.map((i) => far[i][i]));
}

const hasCycle = (edges: readonly Edge[], variables: ReadonlySet<number>): boolean =>
  fewest(edges, variables) < Infinity;

function graphOf(edges: readonly Edge[]): AcyclicGraph {
  const graph = new AcyclicGraph();
  for (const [a, b, v] of edges) graph.addEdge(a, b, v === 0 ? undefined : 2 * v);
  return graph;
}

test('a literal is a conflict just where it closes a cycle, through literals being taken back', () => {
  const VARIABLES = 9;
  /** Takes back so many literals, and then makes one true. */
  const step = fc.record({
    back: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(4) }),
    variable: fc.integer({ min: 1, max: VARIABLES }),
  });
  const met = { conflicts: 0, edges: 0, hopeless: 0 };
  fc.assert(
    fc.property(
      fc.array(edgeUpTo(VARIABLES), { minLength: 4, maxLength: 20 }),
      fc.array(step, { maxLength: 30 }),
      (edges, steps) => {
        const graph = graphOf(edges);
        const isPossible = !hasCycle(edges, new Set());
        expect(graph.sort()).toBe(isPossible);
        if (!isPossible) return void (met.hopeless += 1);
        const trail: number[] = [];
        for (const { back, variable } of steps) {
          for (let i = 0; i < back && trail.length > 0; i++) graph.remove(2 * trail.pop()!);
          if (trail.includes(variable)) continue;
          const conflict = graph.add(2 * variable);
          const now = new Set([...trail, variable]);
          expect(conflict !== undefined).toBe(hasCycle(edges, now));
          if (conflict === undefined) {
            trail.push(variable);
            met.edges += 1;
            continue;
          }
          met.conflicts += 1;
          const blamed = new Set(conflict.map((lit) => lit / 2));
          expect(blamed).toContain(variable);
          expect([...blamed].every((v) => now.has(v))).toBe(true);
          expect(hasCycle(edges, blamed)).toBe(true);
          // Each edge of that cycle is needed.
          const closing = edges.filter(([, , v]) => v === variable);
          if (closing.length === 1) expect(conflict).toHaveLength(fewest(edges, now));
          graph.remove(2 * variable);
        }
      },
    ),
    { numRuns: 2000 },
  );
  expect(Math.min(met.conflicts, met.edges, met.hopeless)).toBeGreaterThan(200);
});

test('the value of an edge that goes with the order is preferred', () => {
  const graph = graphOf([
    [0, 1, 0],
    [1, 2, 0],
    [2, 0, 1],
    [0, 2, 2],
  ]);
  expect(graph.sort()).toBe(true);
  expect(graph.prefers(1)).toBe(3);
  expect(graph.prefers(2)).toBe(4);
  expect(graph.prefers(3)).toBeUndefined();
});

test.each([
  ['the search', undefined],
  ['a search that asks the theory from the start', 0],
])('%s answers as trying all values does, with all coming in between', (_, hard) => {
  const VARIABLES = 7;
  const literal = fc
    .tuple(fc.integer({ min: 1, max: VARIABLES }), fc.boolean())
    .map(([v, isPositive]) => (isPositive ? v : -v));
  const less = fc.tuple(node, node, fc.option(literal, { freq: 6, nil: undefined }));
  const round = fc.record({
    clauses: fc.array(fc.array(literal, { minLength: 1, maxLength: 4 }), { maxLength: 5 }),
    edges: fc.array(less, { maxLength: 9 }),
    assumed: fc.uniqueArray(literal, { maxLength: 4, selector: Math.abs }),
  });
  const kinds = { sat: 0, unsat: 0, unknown: 0 };
  fc.assert(
    fc.property(fc.array(round, { minLength: 1, maxLength: 6 }), (rounds) => {
      const [search, again] = [0, 1].map(() => new ClauseSearch(Infinity, hard));
      const clauses: (readonly number[])[] = [];
      const edges: (readonly [number, number, number | undefined])[] = [];
      const isSolution = (isTrue: (lit: number) => boolean, assumed: readonly number[]): boolean =>
        assumed.every(isTrue) &&
        clauses.every((clause) => clause.some(isTrue)) &&
        !hasCycle(
          edges.flatMap(([a, b, lit]) => (lit === undefined || isTrue(lit) ? [[a, b, 0]] : [])),
          new Set(),
        );
      for (const { assumed, ...more } of rounds) {
        clauses.push(...more.clauses);
        edges.push(...more.edges);
        for (const one of [search, again]) {
          for (const clause of more.clauses) one.addClause(clause);
          for (const [a, b, lit] of more.edges) one.addLess(a, b, lit);
        }
        const { kind } = search.check(assumed);
        const exists = Array.from({ length: 2 ** VARIABLES }, (_, n) => n).some((n) =>
          isSolution((lit) => ((n >> (Math.abs(lit) - 1)) & 1) === Number(lit > 0), assumed),
        );
        expect(kind).toBe(exists ? 'sat' : 'unsat');
        expect(again.check(assumed).kind).toBe(kind);
        kinds[kind] += 1;
        if (kind === 'unsat') continue;
        expect(isSolution((lit) => search.value(Math.abs(lit)) === lit > 0, assumed)).toBe(true);
        for (let v = 1; v <= VARIABLES; v++) expect(again.value(v)).toBe(search.value(v));
      }
    }),
    { numRuns: 1000 },
  );
  expect(Math.min(kinds.sat, kinds.unsat)).toBeGreaterThan(200);
});

test('what the theory rules out is ruled out because of something', () => {
  const search = new ClauseSearch(Infinity, 0);
  const [all, forth, back, one, two] = [1, 2, 3, 4, 5];
  search.addLess(0, 1, forth);
  search.addLess(1, 0, back);
  for (const lit of [forth, one]) search.addClause([-all, lit]);
  for (const lit of [two, -two]) search.addClause([-one, back, lit]);
  expect(search.check([all])).toEqual({ kind: 'unsat', core: [all] });
  // It is not `one` alone that is to blame.
  expect(search.check([one]).kind).toBe('sat');
  expect(search.value(back)).toBe(true);
});

test('what rules out each other now because of edges that are there does not do so for good', () => {
  const search = new ClauseSearch(Infinity, 0);
  const ring = [1, 2, 3];
  ring.forEach((lit, i) => search.addLess(i, (i + 1) % 3, lit));
  expect(search.check([1, 2]).kind).toBe('sat');
  expect(search.check([2, 3, -1]).kind).toBe('sat');
  expect(search.check(ring).kind).toBe('unsat');
});
