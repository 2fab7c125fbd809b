import { describe, expect, test } from 'vitest';
import { enumerate } from '../../src/check/decide.js';
import type { Acyclicity } from '../../src/encode/acyclicity/choice.js';
import { allSubjects } from '../../src/program/subjects.js';
import { ClauseSearch } from '../../src/solve/search/search.js';
import type { SolverFactory } from '../../src/solve/solver.js';
import { adapted, cat, litmus, newSolver } from '../support/checker.js';

/** What axioms make up for is left out of an encoding: no more than that. Random models of this kind are in test/engines. */

const WAYS: readonly (readonly [Acyclicity, SolverFactory])[] = [
  ['elimination', newSolver],
  ['difference', () => new ClauseSearch(Infinity, 0)],
];

/** Each pair of readers sees two of three writes, in an order that only holds without an order of all three. */
const ROUND = `RDMA round node 1 { x = 0 }
thread U on 1 { x := 1 } thread V on 1 { x := 2 } thread W on 1 { x := 3 }
thread A on 1 { a := x; b := x } thread B on 1 { c := x; d := x } thread C on 1 { e := x; f := x }
exists (a = 1 /\\ b = 2 /\\ c = 2 /\\ d = 3 /\\ e = 3 /\\ f = 1)`;

const SEEN = 'irreflexive po ; rf^-1 ; mo ; rf';

describe('modification order is total', () => {
  test.each([
    ['where no axiom is about all of it', ''],
    ['where an axiom is about a part of it', 'acyclic [lR] ; mo'],
    ['where an axiom is about another part of it', 'acyclic mo ; [lR]'],
    ['where an axiom is about single steps of it', 'acyclic mo ; po'],
    ['where an axiom is about all of it', 'acyclic mo'],
    ['where an axiom is about all of it and more', 'acyclic mo | po | rf'],
  ])('%s', (_, axiom) => {
    const model = cat(`${SEEN}\n${axiom}`);
    const subject = adapted(litmus(ROUND), model);
    const wanted = { a: 1, b: 2, c: 2, d: 3, e: 3, f: 1 };
    for (const [acyclicity, make] of WAYS) {
      const options = { acyclicity, isSearch: acyclicity === 'difference' };
      const subjects = allSubjects(subject.program).filter(({ kind }) => kind === 'register');
      const { states } = enumerate(subject, model, make, subjects, undefined, options);
      expect(states.length).toBeGreaterThan(1000);
      expect(states).not.toContainEqual(wanted);
    }
  });
});
