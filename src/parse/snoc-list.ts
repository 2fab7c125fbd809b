/**
 * A linked list that grows at its end, for the lists that a grammar reads. An Earley parser keeps every prefix of a
 * list, since a rule has built it. Here, a list shares its prefix with the list before it: n items take n cells, and
 * not n². `null` is the empty list.
 */
export type SnocList<T> = { readonly before: SnocList<T>; readonly last: T } | null;

/** What the empty alternative of a list's rule builds. */
export const none = (): null => null;

/** What `list -> list item` builds, and `list -> list separator item`. */
export function append<T>(
  parts: readonly [SnocList<T>, T] | readonly [SnocList<T>, unknown, T],
): SnocList<T> {
  return { before: parts[0], last: parts[parts.length - 1] as T };
}

/** What `list -> item` builds. */
export const single = <T>([first]: readonly [T]): SnocList<T> => ({ before: null, last: first });

/**
 * The items of a list in order. To be called only in rules that go on after their list, with a closing sign for
 * instance. A rule that ends with its list is completed after each item, and would take quadratic time.
 */
export function toArray<T>(list: SnocList<T>): T[] {
  const items: T[] = [];
  for (let rest = list; rest !== null; rest = rest.before) items.push(rest.last);
  return items.reverse();
}
