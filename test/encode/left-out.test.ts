import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { outcomesByCandidates } from '../../src/check/by-candidates.js';
import { enumerate } from '../../src/check/decide.js';
import type { Acyclicity } from '../../src/encode/acyclicity/choice.js';
import type { Model } from '../../src/model/term.js';
import { compareStates } from '../../src/program/final.js';
import type { Test } from '../../src/program/program.js';
import { allSubjects } from '../../src/program/subjects.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import { ClauseSearch } from '../../src/solve/search/search.js';
import type { SolverFactory } from '../../src/solve/solver.js';
import { adapted, cat, litmus, newSolver } from '../support/checker.js';
import { cases, few } from '../support/random.js';

/** What axioms make up for is left out of an encoding, against executions that are enumerated one by one. */

const WAYS: readonly (readonly [Acyclicity, SolverFactory])[] = [
  ['elimination', newSolver],
  ['difference', () => new ClauseSearch(Infinity, 0)],
];

/** How many final states there are: the same ones by the search, by Z3, and by enumeration. */
function agreed(subject: Test, model: Model, what: string): number | undefined {
  const subjects = allSubjects(subject.program);
  const limits = { deadline: Infinity, limit: 20_000 };
  const expected = outcomesByCandidates(subject, model, subjects, false, limits);
  if (expected.incomplete !== undefined) return undefined;
  const states = [...expected.states].sort(compareStates);
  for (const [acyclicity, make] of WAYS) {
    const options = { acyclicity, isSearch: acyclicity === 'difference' };
    const found = enumerate(subject, model, make, subjects, undefined, options).states;
    expect({ what, states: [...found].sort(compareStates) }).toEqual({ what, states });
  }
  return states.length;
}

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

test('relations that are made of two lead where they lead, by whatever is in the middle', () => {
  const made = fc.constantFrom(
    '((rf^-1 ; mo) \\ id)',
    '((mo ; rf) \\ id)',
    '((mo ; rf) \\ [lR])',
    '((rf^-1 ; mo) \\ po)',
    '((po ; rf) \\ id)',
    '((rf^-1 ; (mo | po)) \\ id)',
  );
  const beside = fc.constantFrom('po', '(po \\ (W * R))', 'rf', '(rf \\ sthd)', 'mo', 'po | rf');
  const set = fc.constantFrom('R', 'W', 'lR', 'CAS');
  const step = fc.oneof(
    made,
    fc.tuple(set, made).map(([s, r]) => `[${s}] ; ${r}`),
    fc.tuple(made, set).map(([r, s]) => `${r} ; [${s}]`),
    fc.tuple(set, made, set).map(([s, r, t]) => `[${s}] ; ${r} ; [${t}]`),
  );
  const models = fc.tuple(step, step, beside).map(
    ([one, two, rest]) => `let R = lR | nlR | nrR | CAS
let W = lW | nlW | nrW | CAS
acyclic (${one}) | (${rest})
acyclic (${two}) | po`,
  );
  let telling = 0;
  fc.assert(
    fc.property(programs({ instructions: 3 }), models, (source, text) => {
      const program = inBlocks(source);
      const model = cat(text);
      const count = agreed(adapted(litmus(program), model), model, `${program}\n${text}`);
      if ((count ?? 0) > 1) telling += 1;
    }),
    { numRuns: cases(120) },
  );
  expect(telling).toBeGreaterThan(few(20));
});
