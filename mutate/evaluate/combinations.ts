/** All ways to take one element of each list. */
export function* combinations<T>(lists: readonly (readonly T[])[]): Generator<readonly T[]> {
  const [first, ...rest] = lists;
  if (first === undefined) yield [];
  else for (const tail of combinations(rest)) for (const head of first) yield [head, ...tail];
}

/** All orders of a list. */
export function* permutations<T>(list: readonly T[]): Generator<readonly T[]> {
  if (list.length === 0) yield [];
  for (const first of list) {
    for (const rest of permutations(list.filter((other) => other !== first)))
      yield [first, ...rest];
  }
}
