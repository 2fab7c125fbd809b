import { enumerateStates } from '../../check/enumerate/candidates.js';
import { structureFor } from '../../check/structure.js';
import type { Model } from '../../model/term.js';
import type { EventStructure } from '../../program/events/structure.js';
import type { Test } from '../../program/program.js';
import { allSubjects } from '../../program/subjects.js';
import { adapt, adaptsAlike } from '../../rdma/translate.js';

/** The final states of a straight program under a model; or why they are not known. */
export type States = ReadonlySet<string> | { readonly open: string };

/** How many candidates of one program are tried. */
const CANDIDATES = 20_000;

/**
 * Finds the final states of a straight program under one model after the other, by going through executions. Models of a
 * family differ in their axioms, and have one meaning of instructions: the program is unrolled once for all of them.
 */
export function statesOf(test: Test): (model: Model) => States {
  const families: { readonly model: Model; readonly unrolled: EventStructure | Open }[] = [];
  return (model) => {
    let family = families.find((one) => adaptsAlike(one.model, model));
    if (family === undefined) {
      family = { model, unrolled: unrolled(test, model) };
      families.push(family);
    }
    const structure = family.unrolled;
    if ('open' in structure) return structure;
    const found = enumerateStates(structure, model, allSubjects(test.program), {
      limit: CANDIDATES,
    });
    return found.incomplete === undefined ? found.states : { open: found.incomplete };
  };
}

interface Open {
  readonly open: string;
}

function unrolled(test: Test, model: Model): EventStructure | Open {
  const adapted = adapt(test.program, model);
  if (!adapted.ok) return { open: `${model.name}: ${adapted.errors[0].message}` };
  const structure = structureFor(adapted.value.program, model);
  return 'reason' in structure ? { open: structure.reason } : structure;
}

/** Those of some states that are not among others. */
export const missing = (
  some: ReadonlySet<string>,
  others: ReadonlySet<string>,
): readonly string[] => [...some].filter((state) => !others.has(state)).sort();
