import { enumerateStates } from '../../check/enumerate/candidates.js';
import type { Model } from '../../model/term.js';
import { allSubjects } from '../../program/subjects.js';
import type { Unrolled } from './unrolled.js';

/** The final states of a straight program under a model; or why they are not known. */
export type States = ReadonlySet<string> | { readonly open: string };

/** How many candidates of one program are tried. */
const CANDIDATES = 20_000;

/** Finds the final states of a straight program under a model, by going through executions. */
export function statesOf(unrolled: Unrolled, model: Model): States {
  const structure = unrolled(model);
  if ('open' in structure) return structure;
  const found = enumerateStates(structure, model, allSubjects(structure.program), {
    limit: CANDIDATES,
  });
  return found.incomplete === undefined ? found.states : { open: found.incomplete };
}

/** Those of some states that are not among others. */
export const missing = (
  some: ReadonlySet<string>,
  others: ReadonlySet<string>,
): readonly string[] => [...some].filter((state) => !others.has(state)).sort();
