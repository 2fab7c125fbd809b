import { UnitPropagation } from './unit-propagation.js';

/**
 * A step of a proof in DRAT: a clause is added, which follows from those that are there by unit propagation, or one is
 * deleted.
 */
export interface RefutationStep {
  readonly deletes?: boolean;
  readonly clause: readonly number[];
}

/** Which of the clauses and steps a refutation needs, or what is wrong with it. */
export type Refutation =
  | { readonly clauses: ReadonlySet<number>; readonly steps: ReadonlySet<number> }
  | { readonly wrong: string; readonly step?: number };

/**
 * Follows the steps of a proof that clauses have no solution, forwards, until there is a contradiction. Every added
 * clause must follow by unit propagation. Resolution asymmetric tautologies, which DRAT also allows, are refused.
 */
export function refutation(
  clauses: readonly (readonly number[])[],
  steps: readonly RefutationStep[],
): Refutation {
  const propagation = new UnitPropagation();
  for (const clause of clauses) propagation.add(clause);
  /** For each clause that a step added, by number: the step, and the clauses that it follows from. */
  const drawn = new Map<number, readonly [step: number, from: ReadonlySet<number>]>();
  for (const [step, { deletes, clause }] of steps.entries()) {
    const end = propagation.follows([]);
    if (end !== undefined) return needed(end);
    if (deletes === true) {
      if (!propagation.remove(clause)) {
        return { wrong: `there is no clause '${clause.join(' ')}' to be deleted`, step };
      }
      continue;
    }
    const from = propagation.follows(clause);
    if (from === undefined) {
      return {
        wrong: `the clause '${clause.join(' ')}' does not follow by unit propagation`,
        step,
      };
    }
    drawn.set(propagation.add(clause), [step, from]);
  }
  const end = propagation.follows([]);
  return end === undefined ? { wrong: 'the steps end without a contradiction' } : needed(end);

  function needed(end: ReadonlySet<number>): Refutation {
    const all = new Set(end);
    const used = new Set<number>();
    for (const number of all) {
      const [step, from] = drawn.get(number) ?? [];
      if (step === undefined) continue;
      used.add(step);
      for (const one of from!) all.add(one);
    }
    return { clauses: new Set([...all].filter((one) => one < clauses.length)), steps: used };
  }
}
