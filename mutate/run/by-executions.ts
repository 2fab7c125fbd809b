import type { Test } from '../../src/program/program.js';
import type { Proposition, Subject } from '../../src/program/program.js';
import { allSubjects } from '../../src/program/subjects.js';
import { holds } from '../../src/check/witness/witness.js';
import { compare, familyOf } from '../evaluate/compare.js';
import type { Mutant } from '../models/mutant.js';
import { mutatedModel, originalModel } from '../models/text.js';
import { askedOf } from './prepared.js';
import { stateQuery } from '../../src/program/program.js';

/** Tests with more executions are left out. */
const CANDIDATES = 20_000;

/**
 * Which mutants of a model the queries of each test catch, by judging every execution of the test
 * under all mutants at once. For the recursive model, which the solver is slow with. Tests with too
 * many executions are left out, which only ever means that a mutant is not caught.
 */
export function caughtByExecutions(
  model: string,
  mutants: readonly Mutant[],
  tests: readonly Test[],
): ReadonlyMap<Test, readonly Mutant[]> {
  const family = familyOf([
    {
      original: originalModel(model),
      mutants: mutants.map((m) => ({ model: mutatedModel(m), direction: m.direction })),
    },
  ]);
  return new Map(
    tests.map((test) => {
      const [compared] = compare(test.program, family, undefined, CANDIDATES);
      if (compared === undefined) return [test, []];
      const subjects = allSubjects(test.program);
      const conditions = askedOf(test, model).map((i) => stateQuery(test, i).condition);
      const before = conditions.map((c) => extent(c, subjects, [...compared.states]));
      const caught = [...compared.different].flatMap(([k, { gained, lost }]) => {
        const states = [...[...compared.states].filter((s) => !lost.has(s)), ...gained];
        const after = conditions.map((c) => extent(c, subjects, states));
        return after.some((e, i) => e !== before[i]) ? [mutants[k]] : [];
      });
      return [test, caught];
    }),
  );
}

/** Does a condition hold in no state, in some, or in all? */
function extent(
  condition: Proposition,
  subjects: readonly Subject[],
  states: readonly string[],
): 'none' | 'some' | 'all' {
  const key = (s: Subject): string => JSON.stringify(s);
  const meets = states.filter((state) => {
    const values = state.split(',').map(Number);
    const byName = new Map(subjects.map((s, i) => [key(s), values[i]]));
    return holds(condition, (s) => byName.get(key({ ...s })));
  });
  if (meets.length === 0) return 'none';
  return meets.length === states.length ? 'all' : 'some';
}
