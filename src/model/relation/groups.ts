/** The elements of a list by their keys, each group in the order of the list. */
export function groupBy<T, K>(
  list: Iterable<T>,
  key: (element: T) => K,
): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const element of list) {
    const group = groups.get(key(element));
    if (group === undefined) groups.set(key(element), [element]);
    else group.push(element);
  }
  return groups;
}
