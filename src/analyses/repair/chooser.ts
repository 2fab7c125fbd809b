/** A choice of additions, as their indices in ascending order. */
export type ChosenAdditions = readonly number[];

/** Chooses the cheapest set of additions that was not ruled out by what was learnt. */
export interface Chooser {
  /**
   * The cheapest set that is left. Of equally cheap ones, one with late additions: these delay a thread least. After the
   * deadline it need not be the cheapest, and there may be one where none is given.
   */
  next(): ChosenAdditions | undefined;
  /** Learns that one of these is needed. */
  needs(some: readonly number[]): void;
  /** Learns that exactly this set does not work. Sets that contain it may work. */
  excludes(choice: ChosenAdditions): void;
  /** Learns that no set works that contains these. */
  forbids(some: ChosenAdditions): void;
}

/**
 * Finds cheapest hitting sets of the clauses that were learnt, by branch and bound: it takes the shortest clause that is not
 * hit yet, and tries each of its elements.
 *
 * @param costs of each addition, above 0
 * @param after for some additions, another without which they are of no use
 * @param deadline when to give up, as `performance.now()` counts: the sets to be tried may double with each clause
 */
export function createChooser(
  costs: readonly number[],
  after: readonly (number | undefined)[],
  deadline = Infinity,
): Chooser {
  const clauses: (readonly number[])[] = [];
  const excluded = new Set<string>();
  const forbidden: ChosenAdditions[] = [];
  const everything = costs.map((_, i) => i);

  /** The chosen additions, one more, and those that it needs. */
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
        if (performance.now() > deadline) return;
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
