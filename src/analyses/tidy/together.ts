/** Some of a list, by index, that go together. */
export interface Together {
  readonly chosen: readonly number[];
  /** Whether it is known that no more go together. */
  readonly most: boolean;
}

/** At most so many sets are tried that are larger than what was found by adding one after the other. */
const TRIES = 100;

/**
 * Many of a list that go together. If not all do: one is added after the other, in their order; then larger sets are
 * tried, the largest first.
 *
 * @param go whether some go together
 */
export async function together(
  count: number,
  go: (some: readonly number[]) => Promise<boolean>,
): Promise<Together> {
  const all = Array.from({ length: count }, (_, i) => i);
  if (count < 2 || (await go(all))) return { chosen: all, most: true };
  let chosen: readonly number[] = [];
  for (const i of all) {
    const more = [...chosen, i];
    // Each goes alone.
    if (more.length === 1 || (await go(more))) chosen = more;
  }
  let tries = 0;
  for (let size = count - 1; size > chosen.length; size -= 1) {
    for (const some of ofSize(all, size)) {
      if (tries === TRIES) return { chosen, most: false };
      tries += 1;
      if (await go(some)) return { chosen: some, most: true };
    }
  }
  return { chosen, most: true };
}

/** All sets of so many members of a list, in order. */
function* ofSize(list: readonly number[], size: number): Generator<readonly number[]> {
  if (size === 0) yield [];
  for (let i = 0; i + size <= list.length && size > 0; i += 1) {
    for (const rest of ofSize(list.slice(i + 1), size - 1)) yield [list[i], ...rest];
  }
}
