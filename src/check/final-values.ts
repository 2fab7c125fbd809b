import type { Formula, Lit } from '../encode/formula.js';
import { FALSE, TRUE } from '../encode/formula.js';

/**
 * Goes through combinations of values depth first: for each value of the first subject through the values that the
 * second can have with it, and so on.
 *
 * @param cases for each subject its possible values, each with the literals for it
 * @param find finds a combination that begins with some values, given by literals; undefined if it knows none
 * @returns a condition for combinations of which `find` knew none. It gave all others, each once
 */
export function exploreValues(
  cases: readonly ReadonlyMap<number, Lit>[],
  { and, or }: Pick<Formula, 'and' | 'or'>,
  find: (values: readonly number[], assumed: readonly Lit[]) => readonly number[] | undefined,
): Lit {
  return explore([], [], undefined);

  /** @param known a combination that begins with the values, if there is one */
  function explore(
    values: readonly number[],
    assumed: readonly Lit[],
    known: readonly number[] | undefined,
  ): Lit {
    const found = known ?? find(values, assumed);
    if (found === undefined) return TRUE;
    const depth = values.length;
    if (depth === cases.length) return FALSE;
    const open = [...cases[depth]].map(([value, lit]): Lit => {
      if (lit === FALSE) return FALSE;
      const inside = lit === TRUE ? assumed : [...assumed, lit];
      const there = value === found[depth] ? found : undefined;
      return and(lit, explore([...values, value], inside, there));
    });
    return or(...open);
  }
}
