import type { Guarded } from './file.js';

/** Values of some of the subjects, by their places. */
export type Condition = ReadonlyMap<number, number>;

/** What becomes of a query when a mutant takes the model's place. */
export function changeOf(
  condition: Condition,
  guarded: Guarded,
): 'allowed' | 'forbidden' | undefined {
  const { states, difference } = guarded;
  const meets = (state: string): boolean => {
    const values = valuesOf(state);
    return [...condition].every(([place, value]) => values[place] === value);
  };
  const before = [...states].some(meets);
  const after =
    [...states].some((s) => !difference.lost.has(s) && meets(s)) ||
    [...difference.gained].some(meets);
  if (before === after) return undefined;
  return after ? 'allowed' : 'forbidden';
}

/** As few and as short conditions as possible, so that each mutant changes the answer to one. */
export function conditionsFor(guarded: readonly Guarded[]): readonly Condition[] {
  const chosen: Condition[] = [];
  let open = guarded;
  while (open.length > 0) {
    const [first] = open;
    const states = new Set(open.flatMap((g) => [...g.difference.gained, ...g.difference.lost]));
    let best: { condition: Condition; told: number } | undefined;
    for (const state of states) {
      const values = valuesOf(state);
      for (const places of subsets(values.length)) {
        const condition = new Map(places.map((p) => [p, values[p]]));
        if (
          best !== undefined &&
          best.condition.size <= condition.size &&
          best.told === open.length
        )
          break;
        const told = open.filter((g) => changeOf(condition, g) !== undefined).length;
        if (best === undefined || told > best.told) best = { condition, told };
        else if (told === best.told && condition.size < best.condition.size) {
          best = { condition, told };
        }
      }
    }
    if (best === undefined || best.told === 0) throw new Error(`no query for ${first.mutant.name}`);
    const { condition } = best;
    chosen.push(condition);
    open = open.filter((g) => changeOf(condition, g) === undefined);
  }
  return chosen;
}

/** The values of a state; a program in which nothing has a name has one state without values. */
export const valuesOf = (state: string): readonly number[] =>
  state === '' ? [] : state.split(',').map(Number);

/** All subsets of the first numbers but the empty one, the smallest first; of nothing, that one. */
function subsets(count: number): readonly (readonly number[])[] {
  if (count === 0) return [[]];
  const all = Array.from({ length: 2 ** count - 1 }, (_, bits) =>
    Array.from({ length: count }, (_, i) => i).filter((i) => ((bits + 1) >> i) & 1),
  );
  return all.sort((a, b) => a.length - b.length);
}
