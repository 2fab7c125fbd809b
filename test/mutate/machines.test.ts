import { expect, test } from 'vitest';
import { guardsOf } from '../../mutate/guards.js';
import { MODELS, mutantsOf } from '../../mutate/models/index.js';
import { fullName } from '../../mutate/models/mutant.js';
import { mutatedModel } from '../../mutate/models/text.js';
import { enumerate } from '../../src/check/decide.js';
import { readTests } from '../../mutate/run/read-tests.js';
import { machineFinals } from '../../src/explore/finals.js';
import { allSubjects } from '../../src/program/subjects.js';
import { ClauseSearch } from '../../src/solve/search/search.js';
import { adapted } from '../support/checker.js';
import { some } from '../support/random.js';

/**
 * Mistakes in models change their machines as they change their axioms: on files that tell a mutant from its model, the machine of the
 * mutant has the final states that its axioms allow.
 */

const { items } = readTests(['corpus/cells']);
const newSearch = () => new ClauseSearch(Infinity);
const OPTIONS = { acyclicity: 'difference', isSearch: true } as const;

/** Of the former no mutant is a machine, and of the latter not the one that a file there tells. */
const NO_MACHINES = ['x86-tso-textbook', 'corerma'];

/** Models whose mutants files of corpus/cells tell, and that are machines. */
const GUARDED = MODELS.filter(
  (model) =>
    !NO_MACHINES.includes(model) &&
    items.some(({ file }) => guardsOf(file).some(({ models }) => models.includes(model))),
);

test.each(GUARDED)('%s', (model) => {
  const mutants = new Map(mutantsOf(model).map((mutant) => [mutant.name, mutant]));
  const counts = { machines: 0, none: 0 };
  const wrong: string[] = [];
  const guarded = items.flatMap((item) =>
    guardsOf(item.file)
      .filter(({ models }) => models.includes(model))
      .map((guard) => [item, guard] as const),
  );
  for (const [item, guard] of some(guarded, 0.1)) {
    const mutant = mutants.get(guard.mutant)!;
    const mutated = mutatedModel(mutant);
    const { program } = adapted(item, mutated);
    const subjects = allSubjects(program);
    const found = machineFinals(program, mutated, { subjects, bound: 3, room: 12 });
    if ('message' in found || found.incomplete !== undefined) {
      counts.none += 1;
      continue;
    }
    counts.machines += 1;
    const asked = { ...item, program };
    const known = enumerate(asked, mutated, newSearch, subjects, undefined, OPTIONS);
    const name = `${fullName(mutant)} on ${item.name}`;
    const [own, theirs] = [found.states, known.states].map((states) => JSON.stringify(states));
    if (own !== theirs) wrong.push(`${name}: ${own} are not ${theirs}`);
  }
  expect(wrong).toEqual([]);
  // Of SC, few mutants are: of what is one step there, they make two that other steps come between.
  if (model !== 'sc') expect(counts.machines).toBeGreaterThan(2 * counts.none);
});
