import { enumerateStates } from '../../check/enumerate/candidates.js';
import { structureFor } from '../../check/structure.js';
import type { Model } from '../../model/term.js';
import type { Test } from '../../program/program.js';
import { allSubjects } from '../../program/subjects.js';
import { adapt, adaptsAlike } from '../../rdma/translate.js';
import type { EventStructure } from '../../program/events/structure.js';

/** What two models say of one program: the final states that only one of them has, by model; or why that is open. */
export type Compared =
  { readonly only: readonly [readonly string[], readonly string[]] } | { readonly open: string };

/** How many candidates of one program are tried. */
const CANDIDATES = 20_000;

/** Compares the final states of a straight program under two models, by going through executions. */
export function compareStates(test: Test, models: readonly [Model, Model]): Compared {
  const [first, second] = models;
  const a = unrolled(test, first);
  if ('open' in a) return a;
  // Models of a family differ in their axioms, and have one meaning of instructions.
  const b = adaptsAlike(first, second) ? a : unrolled(test, second);
  if ('open' in b) return b;
  const some = statesOf(test, a.structure, first);
  if ('open' in some) return some;
  const others = statesOf(test, b.structure, second);
  if ('open' in others) return others;
  const missing = (one: ReadonlySet<string>, all: ReadonlySet<string>): readonly string[] =>
    [...one].filter((state) => !all.has(state)).sort();
  return { only: [missing(some.states, others.states), missing(others.states, some.states)] };
}

function unrolled(
  test: Test,
  model: Model,
): { readonly structure: EventStructure } | { readonly open: string } {
  const adapted = adapt(test.program, model);
  if (!adapted.ok) return { open: `${model.name}: ${adapted.errors[0].message}` };
  const structure = structureFor(adapted.value.program, model);
  return 'reason' in structure ? { open: structure.reason } : { structure };
}

function statesOf(
  { program }: Test,
  structure: EventStructure,
  model: Model,
): { readonly states: ReadonlySet<string> } | { readonly open: string } {
  const found = enumerateStates(structure, model, allSubjects(program), { limit: CANDIDATES });
  return found.incomplete === undefined ? found : { open: found.incomplete };
}
