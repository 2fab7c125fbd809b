/** A final state, as the values of the subjects in their order. */
export type State = readonly string[];

/** Some of the subjects, by their numbers, and the value of each. */
export type Condition = ReadonlyMap<number, string>;

/**
 * The shortest conditions that some of the states satisfy, and none of the others: without any of its conjuncts, each is satisfied by
 * one of them.
 *
 * @param forbidden states that are none of the allowed ones
 */
export function separating(
  forbidden: readonly State[],
  allowed: readonly State[],
): readonly Condition[] {
  const found = new Map<string, Condition>();
  for (const state of forbidden) {
    // From each of the allowed states, a condition has to tell one of these subjects apart.
    const differing = new Set(
      allowed.map((one) =>
        one.reduce((mask, value, i) => (value === state[i] ? mask : mask | (1 << i)), 0),
      ),
    );
    for (const mask of hittingSets([...differing])) {
      const subjects = state.flatMap((_, i) => ((mask >> i) & 1 ? [i] : []));
      const condition = new Map(subjects.map((i) => [i, state[i]]));
      found.set([...condition].join(';'), condition);
    }
  }
  return [...found.values()];
}

/** The sets of bits that have a bit of each mask, and none that they could do without. */
function hittingSets(masks: readonly number[]): readonly number[] {
  const least = masks.filter(
    (mask) => !masks.some((other) => other !== mask && (other & mask) === other),
  );
  const found = new Set<number>();
  const extend = (chosen: number): void => {
    const missed = least.find((mask) => (mask & chosen) === 0);
    if (missed === undefined) {
      if (isNeeded(chosen, least)) found.add(chosen);
      return;
    }
    for (let bit = 1; bit <= missed; bit <<= 1) {
      if ((missed & bit) !== 0) extend(chosen | bit);
    }
  };
  extend(0);
  return [...found];
}

function isNeeded(chosen: number, masks: readonly number[]): boolean {
  for (let bit = 1; bit <= chosen; bit <<= 1) {
    if ((chosen & bit) !== 0 && masks.every((mask) => (mask & chosen & ~bit) !== 0)) return false;
  }
  return true;
}
