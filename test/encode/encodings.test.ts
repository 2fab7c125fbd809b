import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cyclicPartOf } from '../../src/encode/bounds/product.js';
import { enumerate } from '../../src/check/decide.js';
import { assertAcyclic } from '../../src/encode/acyclic.js';
import type { Acyclicity } from '../../src/encode/acyclicity/choice.js';
import { ACYCLICITIES, cyclesFor, needsIntegers } from '../../src/encode/acyclicity/choice.js';
import type { Formula, Lit } from '../../src/encode/formula.js';
import { FALSE, TRUE, createFormula } from '../../src/encode/formula.js';
import type { Literals } from '../../src/encode/relations.js';
import { observedSubjects } from '../../src/program/subjects.js';
import * as m from '../../src/model/relation/matrix.js';
import { ClauseSearch } from '../../src/solve/search/search.js';
import type { SolverFactory } from '../../src/solve/solver.js';
import { lessText, plainName } from '../../src/solve/smtlib.js';
import { litmus, modelOf, newSolver } from '../support/checker.js';
import { cases } from '../support/random.js';

/** The encodings of acyclicity, against what acyclic means. Their final states are compared in test/engines. */

/** An edge: from, to, and which of the literals says when it is there. */
type Edge = readonly [from: number, to: number, lit: number];

const SIZE = 6;
const LITERALS = 9;

/** Literals of all kinds over some variables: sure, never, negated, gates. */
function literalsOver(vars: readonly Lit[], { and, or }: Formula): readonly Lit[] {
  const [a, b, c, d] = vars;
  return [TRUE, a, b, c, d, -a, and(b, -c), or(-b, and(c, d)), FALSE];
}

/** The same literals where the variables have values. */
function valuesOver([a, b, c, d]: readonly boolean[]): readonly boolean[] {
  return [true, a, b, c, d, !a, b && !c, !b || (c && d), false];
}

const graphOf = (edges: readonly Edge[]): m.BitRel =>
  m.relOf(
    SIZE,
    edges.map(([u, v]) => [u, v] as const),
  );

/** One relation, in which every node is an event. */
const STEPS = [{ from: 0, to: 0, terms: [0], before: [], after: [] }];

/** For each assignment of the variables: does an encoding admit it, as one without a cycle? */
function possible(
  acyclicity: Acyclicity,
  edges: readonly Edge[],
  all: readonly (readonly boolean[])[],
  make: SolverFactory = newSolver,
): readonly boolean[] {
  const solver = make({ integers: needsIntegers(acyclicity) });
  const formula = createFormula((clause) => solver.addClause(clause));
  const vars = Array.from({ length: 4 }, () => formula.fresh());
  const lits = literalsOver(vars, formula);
  const product = cyclicPartOf(
    STEPS,
    graphOf(edges),
    graphOf(edges.filter(([, , lit]) => lits[lit] === TRUE)),
    { node: (event) => event, pair: (node) => [node, 0] },
  );
  const pair = (_: number, a: number, b: number): Lit =>
    formula.or(...edges.flatMap(([u, v, lit]) => (u === a && v === b ? [lits[lit]] : [])));
  const literals: Literals = {
    pair,
    member: () => TRUE,
    isApproximate: () => false,
  };
  const { graph: noCycle } = cyclesFor(acyclicity, (...less) => solver.addLess(...less));
  assertAcyclic(product, { literals, splits: () => undefined, formula }, 'axiom', noCycle);
  const answers = all.map((values) => {
    const assumed = vars.map((v, i) => formula.assumption(values[i] ? v : -v));
    return solver.check(assumed).kind === 'sat';
  });
  solver.dispose();
  return answers;
}

const ALL_VALUES = Array.from({ length: 16 }, (_, n) => [1, 2, 4, 8].map((bit) => (n & bit) > 0));

/** Is the graph of the edges that are there acyclic? */
const acyclic = (edges: readonly Edge[], values: readonly boolean[]): boolean =>
  m.isAcyclic(graphOf(edges.filter(([, , lit]) => valuesOver(values)[lit])));

const WAYS: readonly (readonly [string, Acyclicity, SolverFactory])[] = [
  ...ACYCLICITIES.map((acyclicity) => [acyclicity, acyclicity, newSolver] as const),
  ['difference in the search', 'difference', () => new ClauseSearch(Infinity)],
  [
    'difference in a search that takes it for hard',
    'difference',
    () => new ClauseSearch(Infinity, 0),
  ],
];

describe.each(WAYS)('%s', (_, acyclicity, make) => {
  const agrees = (edges: readonly Edge[]): void => {
    const expected = ALL_VALUES.map((values) => acyclic(edges, values));
    expect(possible(acyclicity, edges, ALL_VALUES, make)).toEqual(expected);
  };

  test('has a solution just where the edges that are there make no cycle', () => {
    const node = fc.nat(SIZE - 1);
    const edge = fc.tuple(node, node, fc.nat(LITERALS - 1));
    fc.assert(fc.property(fc.array(edge, { minLength: 3, maxLength: 18 }), agrees), {
      numRuns: cases(150),
    });
  });

  test('takes sure edges, and edges from a node to itself, for what they are', () => {
    agrees([[0, 0, 1]]);
    agrees([[0, 0, 0]]);
    const ring: readonly Edge[] = [0, 1, 2, 3, 4].map((u) => [u, (u + 1) % 5, 0]);
    agrees(ring);
    agrees(ring.map(([u, v]) => [u, v, u === 3 ? 4 : 0]));
    agrees(ring.map(([u, v]) => [u, v, u === 3 ? 4 : u === 1 ? 2 : 0]));
  });

  test('a path beside an edge does not make the edge', () => {
    // All of these are on cycles, and for each edge there is another path with the same ends.
    const edges: readonly Edge[] = [
      ...([0, 1, 2].map((u) => [u, u + 1, 1]) as Edge[]),
      ...([0, 1].map((u) => [u, u + 2, 2]) as Edge[]),
      [0, 3, 3],
      [3, 0, 4],
      [2, 0, 4],
      [1, 0, 4],
    ];
    agrees(edges);
    expect(possible(acyclicity, edges, [[true, false, false, false]], make)).toEqual([true]);
  });
});

test.each(ACYCLICITIES)('%s says that some run divides by zero, whatever is found', (way) => {
  const subject = litmus(readFileSync('corpus/events/division.litmus', 'utf8'));
  // The run that divides ends as one does that counts: the state is on the list already.
  const observed = observedSubjects(subject);
  const model = modelOf('rdma-tso');
  const found = enumerate(subject, model, newSolver, observed, undefined, { acyclicity: way });
  expect(found.states).toEqual([{ b: 0 }, { b: 2 }]);
  expect(found.incomplete).toBe('some run divides by zero');
});

test('integers as text', () => {
  expect(lessText(0, 3, undefined, plainName)).toBe('(assert (< i0 i3))\n');
  expect(lessText(0, 3, 7, plainName)).toBe('(assert (or (not v7) (< i0 i3)))\n');
  expect(lessText(0, 3, -7, plainName)).toBe('(assert (or v7 (< i0 i3)))\n');
});
