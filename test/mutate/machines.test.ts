import { expect, test } from 'vitest';
import { guardsOf } from '../../mutate/guards.js';
import { MODELS, mutantsOf } from '../../mutate/models/index.js';
import { fullName } from '../../mutate/models/mutant.js';
import { mutatedModel } from '../../mutate/models/text.js';
import { enumerate } from '../../src/check/decide.js';
import { readTests } from '../../src/cli/inputs/corpus.js';
import { machineFinals } from '../../src/machine/finals.js';
import { allSubjects } from '../../src/program/subjects.js';
import { ClauseSearch } from '../../src/solve/search/search.js';
import { adapted } from '../support/checker.js';

/**
 * Mistakes in models change their machines as they change their axioms: on each file that tells a mutant from its model, the machine of the
 * mutant has the final states that its axioms allow.
 */

const { items } = readTests(['corpus/cells']);
const newSearch = () => new ClauseSearch(Infinity);
const OPTIONS = { acyclicity: 'difference', isSearch: true } as const;

/** Mutants of these are no machines, as they are none themselves. */
const NONE: readonly string[] = ['x86-tso'];

test.each(MODELS.filter((model) => !NONE.includes(model)))('%s', (model) => {
  const mutants = new Map(mutantsOf(model).map((mutant) => [mutant.name, mutant]));
  const counts = { machines: 0, none: 0 };
  for (const item of items) {
    for (const guard of guardsOf(item.file).filter(({ models }) => models.includes(model))) {
      const mutant = mutants.get(guard.mutant)!;
      const mutated = mutatedModel(mutant);
      const { program } = adapted(item, mutated);
      const subjects = allSubjects(program);
      const found = machineFinals(program, mutated, { subjects, bound: 3, room: 12 });
      if ('message' in found) {
        counts.none += 1;
        continue;
      }
      counts.machines += 1;
      const asked = { ...item, program };
      const known = enumerate(asked, mutated, newSearch, subjects, undefined, OPTIONS);
      const name = `${fullName(mutant)} on ${item.name}`;
      expect({ name, states: found.states }).toEqual({ name, states: known.states });
    }
  }
  process.stdout.write(`${model}: ${counts.machines} machines, ${counts.none} none\n`);
  expect(counts.machines).toBeGreaterThan(counts.none);
});
