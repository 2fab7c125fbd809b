import { enumerateStates } from '../../check/enumerate/candidates.js';
import type { Model } from '../../model/term.js';
import { allSubjects } from '../../program/subjects.js';
import type { Unrolled } from './unrolled.js';

/** The final states of a straight program under a model; or why they are not known. */
export type States = ReadonlySet<string> | { readonly open: string };

/** How many candidates of one program are tried. */
const CANDIDATES = 20_000;

/** Finds the final states of a straight program under models, by going through executions. */
export function statesOf(
  unrolled: Unrolled,
  models: readonly Model[],
  limit = CANDIDATES,
): readonly States[] {
  const structures = models.map(unrolled);
  const found: States[] = [];
  for (const [i, structure] of structures.entries()) {
    if (i in found) continue;
    if ('open' in structure) {
      found[i] = structure;
      continue;
    }
    const alike = [...structures.keys()].filter((other) => structures[other] === structure);
    const { states, incomplete } = enumerateStates(
      structure,
      alike.map((other) => models[other]),
      allSubjects(structure.program),
      { limit },
    );
    for (const [k, other] of alike.entries()) {
      found[other] = incomplete === undefined ? states[k] : { open: incomplete };
    }
  }
  return found;
}

/** Those of some states that are not among others. */
export const missing = (
  some: ReadonlySet<string>,
  others: ReadonlySet<string>,
): readonly string[] => [...some].filter((state) => !others.has(state)).sort();
