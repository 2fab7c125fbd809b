/** A choice of additions, as their indices in ascending order. */
export type ChosenAdditions = readonly number[];

/** Chooses the cheapest sets of additions that nothing learnt so far speaks against. */
export interface Chooser {
  /** The cheapest set that is left; among equals, one with the last indices: what is late holds up least. */
  next(): ChosenAdditions | undefined;
  /** Learns that one of these is needed. */
  needs(some: readonly number[]): void;
  /** Learns that just this set will not do; others that hold it may. */
  excludes(choice: ChosenAdditions): void;
  /** Learns that these together will not do, whatever is added to them. */
  forbids(some: ChosenAdditions): void;
}

/**
 * The hitting sets of clauses that are learnt one by one, by branch and bound: the clause with the
 * fewest elements that is not hit yet is hit in each possible way.
 *
 * @param costs of each addition, above 0
 * @param after for some additions, another without which they are of no use
 */
export function createChooser(
  costs: readonly number[],
  after: readonly (number | undefined)[],
): Chooser {
  const clauses: (readonly number[])[] = [];
  const excluded = new Set<string>();
  const forbidden: ChosenAdditions[] = [];
  const everything = costs.map((_, i) => i);

  /** An addition with all that it is of no use without. */
  const withNeeded = (chosen: ReadonlySet<number>, one: number): ReadonlySet<number> => {
    const all = new Set(chosen);
    for (let i: number | undefined = one; i !== undefined; i = after[i]) all.add(i);
    return all;
  };
  const costOf = (chosen: Iterable<number>): number =>
    [...chosen].reduce((sum, i) => sum + costs[i], 0);
  const sorted = (chosen: Iterable<number>): ChosenAdditions => [...chosen].sort((a, b) => a - b);

  return {
    next() {
      let best: { readonly choice: ChosenAdditions; readonly cost: number } | undefined;
      const seen = new Set<string>();
      const search = (chosen: ReadonlySet<number>): void => {
        const cost = costOf(chosen);
        if (best !== undefined && cost >= best.cost) return;
        if (forbidden.some((some) => some.every((i) => chosen.has(i)))) return;
        const choice = sorted(chosen);
        const key = choice.join();
        if (seen.has(key)) return;
        seen.add(key);
        const open = clauses.filter((clause) => !clause.some((i) => chosen.has(i)));
        if (open.length === 0 && !excluded.has(key)) {
          best = { choice, cost };
          return;
        }
        const shortest = open.reduce((a, b) => (b.length < a.length ? b : a), everything);
        for (const i of shortest.toReversed()) {
          if (!chosen.has(i)) search(withNeeded(chosen, i));
        }
      };
      search(new Set());
      return best?.choice;
    },
    needs: (some) => void clauses.push(some),
    excludes: (choice) => void excluded.add(sorted(choice).join()),
    forbids: (some) => void forbidden.push(some),
  };
}
