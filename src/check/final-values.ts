import type { Formula, Lit } from '../encode/formula.js';
import { FALSE, TRUE } from '../encode/formula.js';

/**
 * Goes through combinations of values depth first: from a value of the first subject to those that
 * the second has with it, and so on.
 *
 * @param cases for each subject the values that it can have, and when it has each
 * @param find gives a combination that begins with some values, which it has where some literals are
 *   true; undefined: it knows of none
 * @returns when a combination is one of those of which `find` knew none; all others are ones that it
 *   gave, each once
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
