import { readdirSync } from 'node:fs';
import { readTests } from './read-tests.js';
import type { Test } from '../../src/program/program.js';
import { loadZ3 } from '../../src/node/z3.js';
import { guardsOf } from '../guards.js';
import { mutantsOf } from '../models/index.js';
import type { Mutant } from '../models/mutant.js';
import { mutatedModel, originalModel } from '../models/text.js';
import { caughtByExecutions } from './by-executions.js';
import { isCaughtBy } from './judge.js';
import type { Prepared } from './prepared.js';
import { prepare } from './prepared.js';

/** A part of the mutants of a model, to be run by one process. */
export interface Task {
  readonly model: string;
  readonly names: readonly string[];
}

/** What caught a mutant: the first file of our own tests, and the first of a paper, if any does. */
export interface Outcome {
  readonly model: string;
  readonly name: string;
  readonly own?: string;
  readonly published?: string;
}

/** The folders of the corpus that hold the papers' tests. */
const PUBLISHED = ['tso', 'robustness', 'decidability', 'loco'];

const isPublished = ({ file }: Test): boolean =>
  PUBLISHED.some((folder) => file.startsWith(`corpus/${folder}/`));

/** Models that the solver is too slow with to run thousands of tests. */
const SLOW = ['rdma-tso-rec'];

/** C files are left out: they are other texts of programs, and no other ones. */
const litmusFiles = (): readonly string[] =>
  readdirSync('corpus', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.litmus'))
    .sort()
    .map((file) => `corpus/${file}`);

/** Runs tasks; tests that were prepared for a model are kept for its next task. */
export async function createRunner(): Promise<(task: Task) => readonly Outcome[]> {
  const { items: all, errors } = readTests(litmusFiles());
  // Clients of libraries are decided by these.
  const items = all.filter(({ models }) => models === undefined);
  if (errors.length > 0) throw new Error(errors.join('\n'));
  const newSolver = await loadZ3();
  const prepared = new Map<string, readonly Prepared[]>();
  const testsFor = (model: string): readonly Prepared[] => {
    if (!prepared.has(model)) {
      const original = originalModel(model);
      prepared.set(
        model,
        items.flatMap((test) => prepare(test, original, newSolver) ?? []),
      );
    }
    return prepared.get(model)!;
  };

  return ({ model, names }) => {
    const mutants = mutantsOf(model).filter(({ name }) => names.includes(name));
    if (SLOW.includes(model)) return slowly(model, mutants, items);
    return mutants.map((mutant) => {
      const mutated = mutatedModel(mutant);
      const tests = testsFor(model);
      const catches = ({ test, ...rest }: Prepared): boolean =>
        isCaughtBy({ test, ...rest }, mutant, mutated, newSolver);
      const guards = (p: Prepared): boolean =>
        p.guards.some((g) => g.mutant === mutant.name && g.models.includes(model));
      const [papers, own] = [
        tests.filter((p) => isPublished(p.test)),
        tests.filter((p) => !isPublished(p.test)),
      ];
      const first = own.filter(guards);
      const cells = own.filter((p) => p.guards.length > 0 && !first.includes(p));
      const others = own.filter((p) => p.guards.length === 0);
      return outcome(
        mutant,
        [...first, ...cells, ...others].find(catches)?.test,
        papers.find(catches)?.test,
      );
    });
  };
}

/** Our own small tests that guard nothing by name. */
const isAtomic = ({ file }: Test): boolean => file.startsWith('corpus/rmw/');

/** The small tests only, and without the solver. */
function slowly(
  model: string,
  mutants: readonly Mutant[],
  tests: readonly Test[],
): readonly Outcome[] {
  const used = tests.filter((t) => isPublished(t) || isAtomic(t) || guardsOf(t.file).length > 0);
  const caught = caughtByExecutions(model, mutants, used);
  return mutants.map((mutant) => {
    const by = used.filter((t) => caught.get(t)!.includes(mutant));
    return outcome(
      mutant,
      by.find((t) => !isPublished(t)),
      by.find(isPublished),
    );
  });
}

function outcome({ model, name }: Mutant, own?: Test, published?: Test): Outcome {
  return {
    model,
    name,
    ...(own !== undefined && { own: own.file }),
    ...(published !== undefined && { published: published.file }),
  };
}
