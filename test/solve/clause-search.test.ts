import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FALSE, TRUE, createFormula } from '../../src/encode/formula.js';
import { exploreValues } from '../../src/check/final-values.js';
import { createRelay } from '../../src/solve/search/relay.js';
import { luby } from '../../src/solve/search/luby.js';
import { ClauseSearch } from '../../src/solve/search/search.js';
import type { Solver, SolverAnswer } from '../../src/solve/solver.js';
import { FAMILIES } from '../../bench/families.js';
import { enumerate } from '../../src/check/decide.js';
import { observedSubjects } from '../../src/program/subjects.js';
import { litmus, modelOf, newSolver } from '../support/checker.js';

/** The quick search for solutions of clauses, and how final states are found with it. */

type Clause = readonly number[];

const VARIABLES = 7;
const literal = fc.tuple(fc.integer({ min: 1, max: VARIABLES }), fc.boolean()).map(signed);
const clause = fc.array(literal, { minLength: 1, maxLength: 4 });

function signed([variable, positive]: readonly [number, boolean]): number {
  return positive ? variable : -variable;
}

/** Is there a solution? Tried one by one. */
function satisfiable(clauses: readonly Clause[]): boolean {
  return Array.from({ length: 2 ** VARIABLES }, (_, n) => n).some((n) =>
    clauses.every((c) => c.some((lit) => ((n >> (Math.abs(lit) - 1)) & 1) === Number(lit > 0))),
  );
}

/** Pigeons, each in one of fewer holes, no two in one: no search finds that out quickly. */
function pigeons(count: number): Clause[] {
  const holes = count - 1;
  const at = (pigeon: number, hole: number): number => pigeon * holes + hole + 1;
  const all = [...Array(count).keys()];
  return [
    ...all.map((p) => [...Array(holes).keys()].map((h) => at(p, h))),
    ...[...Array(holes).keys()].flatMap((h) =>
      all.flatMap((p) => all.slice(p + 1).map((q) => [-at(p, h), -at(q, h)])),
    ),
  ];
}

const answers = (solver: Solver, assumptions: readonly number[] = []): SolverAnswer['kind'] =>
  solver.check(assumptions).kind;

describe('the search', () => {
  test('answers as trying all values does, with clauses coming in between and assumptions', () => {
    const step = fc.record({
      clauses: fc.array(clause, { maxLength: 9 }),
      assumed: fc.uniqueArray(literal, { maxLength: 4, selector: Math.abs }),
    });
    const kinds = { sat: 0, unsat: 0, unknown: 0 };
    let smaller = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (steps) => {
        const search = new ClauseSearch(Infinity);
        const given: Clause[] = [];
        for (const { clauses, assumed } of steps) {
          clauses.forEach((c) => search.addClause(c));
          given.push(...clauses);
          const all = [...given, ...assumed.map((lit) => [lit])];
          const answer = search.check(assumed);
          const { kind } = answer;
          expect(kind).toBe(satisfiable(all) ? 'sat' : 'unsat');
          kinds[kind] += 1;
          if (kind === 'unsat') {
            const core = answer.core!;
            expect(assumed).toEqual(expect.arrayContaining([...core]));
            expect(satisfiable([...given, ...core.map((lit) => [lit])])).toBe(false);
            if (core.length < assumed.length) smaller += 1;
            continue;
          }
          const isTrue = (lit: number): boolean => search.value(Math.abs(lit)) === lit > 0;
          for (const c of all) expect(c.some(isTrue)).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
    expect(Math.min(kinds.sat, kinds.unsat, smaller)).toBeGreaterThan(200);
  });

  test('learns, starts anew and forgets on the way to a hard answer', () => {
    const search = new ClauseSearch(Infinity);
    for (const c of pigeons(8)) search.addClause(c);
    expect(answers(search)).toBe('unsat');
    expect(answers(search)).toBe('unsat');
  });

  test('gives up in the end', () => {
    const search = new ClauseSearch(10_000);
    for (const c of pigeons(9)) search.addClause(c);
    expect(answers(search)).toBe('unknown');
    expect(answers(search, [1])).toBe('unknown');
  });

  test('counts what it looks at before a conflict, too', () => {
    const search = new ClauseSearch(50);
    for (let v = 2; v <= 100; v++) search.addClause([-1, v]);
    search.addClause([-1, -2]);
    expect(answers(search, [1])).toBe('unknown');
  });

  test('has nothing to read without a solution', () => {
    const search = new ClauseSearch(Infinity);
    search.addClause([1]);
    expect(() => search.value(1)).toThrow('no solution');
    expect(answers(search, [-1])).toBe('unsat');
    expect(() => search.value(1)).toThrow('no solution');
    expect(answers(search)).toBe('sat');
    expect(search.value(1)).toBe(true);
    search.addClause([]);
    expect(answers(search)).toBe('unsat');
    search.dispose();
  });

  test("Luby's sequence", () => {
    const first = Array.from({ length: 15 }, (_, i) => luby(i + 1));
    expect(first).toEqual([1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
  });
});

describe('the relay', () => {
  /** A solver that always gives one answer, and notes what it is given. */
  const recorder = (kind: 'sat' | 'unsat') => {
    const clauses: Clause[] = [];
    let disposed = 0;
    const make = (): Solver => ({
      addClause: (c) => void clauses.push(c),
      addLess: () => {},
      check: () => ({ kind }),
      value: () => true,
      dispose: () => void (disposed += 1),
    });
    return { clauses, make, disposed: () => disposed };
  };

  test('leaves the last word to the solver, which it gives all clauses', () => {
    const proper = recorder('sat');
    const relay = createRelay(proper.make);
    const solver = relay.newSolver();
    solver.addClause([1]);
    solver.addClause([-1, 2]);
    expect(answers(solver)).toBe('sat');
    expect(answers(solver, [-2])).toBe('unsat');
    expect(proper.clauses).toEqual([]);
    relay.handOver();
    expect(answers(solver, [-2])).toBe('sat');
    expect(solver.value(7)).toBe(true);
    solver.addClause([3]);
    expect(answers(solver)).toBe('sat');
    expect(proper.clauses).toEqual([[1], [-1, 2], [3]]);
    solver.dispose();
    expect(proper.disposed()).toBe(1);
  });

  test('does not make the solver where it is not asked', () => {
    const relay = createRelay(() => {
      throw new Error('made');
    });
    const solver = relay.newSolver();
    solver.addClause([1]);
    expect(answers(solver)).toBe('sat');
    solver.dispose();
  });
});

describe('combinations of values', () => {
  /** Explores the values 0 … n-1 of some subjects, of which some combinations exist. */
  function explore(sizes: readonly number[], exists: (values: readonly number[]) => boolean) {
    const formula = createFormula(() => {});
    const cases = sizes.map(
      (n) => new Map(Array.from({ length: n }, (_, v) => [v, n === 1 ? TRUE : formula.fresh()])),
    );
    const all = sizes.reduce<number[][]>(
      (lists, n) => lists.flatMap((list) => [...Array(n).keys()].map((v) => [...list, v])),
      [[]],
    );
    const has = (lits: readonly number[]) => (values: readonly number[]) =>
      lits.every((lit) => values.some((v, i) => cases[i].get(v) === lit));
    const found: string[] = [];
    let asked = 0;
    const open = exploreValues(cases, formula, (begin, assumed) => {
      asked += 1;
      const values = all.find((list) => exists(list) && has(assumed)(list));
      expect(values?.slice(0, begin.length) ?? begin).toEqual(begin);
      if (values !== undefined) found.push(values.join(''));
      return values;
    });
    const left = all.filter((list) => isTrue(open, (lit) => has([lit])(list)));
    return { found, left: left.map((list) => list.join('')), all, asked };

    /** Is a formula over variables true? */
    function isTrue(lit: number, variable: (lit: number) => boolean): boolean {
      if (lit === TRUE || lit === FALSE) return lit === TRUE;
      if (lit < 0) return !isTrue(-lit, variable);
      const parts = formula.children(lit);
      return parts === undefined ? variable(lit) : parts.every((part) => isTrue(part, variable));
    }
  }

  test('are all found, each once, or left open', () => {
    const size = fc.integer({ min: 1, max: 3 });
    fc.assert(
      fc.property(fc.array(size, { maxLength: 4 }), fc.func(fc.boolean()), (sizes, exists) => {
        const { found, left, all } = explore(sizes, (values) => exists(values.join('')));
        const expected = all.map((v) => v.join('')).filter((key) => exists(key));
        expect([...found].sort()).toEqual(expected);
        expect([...found, ...left].sort()).toEqual(all.map((v) => v.join('')).sort());
      }),
    );
  });

  test('nothing is asked twice', () => {
    expect(explore([2, 2, 2], () => true)).toMatchObject({ asked: 8, left: [] });
    expect(explore([2, 2, 2], () => false)).toMatchObject({ asked: 1, found: [] });
  });

  test('that are impossible are not asked for', () => {
    const asked: (readonly number[])[] = [];
    const cases = [new Map([[1, FALSE] as const, [2, TRUE] as const])];
    const find = (begin: readonly number[]) => (asked.push(begin), [2]);
    expect(
      exploreValues(
        cases,
        createFormula(() => {}),
        find,
      ),
    ).toBe(FALSE);
    expect(asked).toEqual([[]]);
  });
});

test('all final states are found without a solver where all combinations of values are', () => {
  const none = (): never => {
    throw new Error('a solver is asked');
  };
  const model = modelOf('rdma-tso');
  const states = (family: string, k: number, solver = newSolver) => {
    const test = litmus(FAMILIES[family](k));
    const subjects = observedSubjects(test);
    return enumerate(test, model, solver, subjects).states;
  };
  expect(states('sbring', 6, none)).toHaveLength(64);
  expect(states('sbringget', 6)).toHaveLength(63);
  expect(() => states('sbringget', 6, none)).toThrow('a solver is asked');
});
