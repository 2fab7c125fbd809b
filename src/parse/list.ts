/**
 * Lists while a parser builds them. An Earley parser keeps all that its rules built, each prefix
 * of a list too: sharing the prefixes keeps long lists linear in time and memory.
 */
export type List<T> = { readonly before: List<T>; readonly last: T } | null;

/** What the empty alternative of a list's rule builds. */
export const none = (): null => null;

/** What `list -> list item` builds, and `list -> list separator item`. */
export function append<T>(parts: readonly [List<T>, T] | readonly [List<T>, unknown, T]): List<T> {
  return { before: parts[0], last: parts[parts.length - 1] as T };
}

/** What `list -> item` builds. */
export const single = <T>([first]: readonly [T]): List<T> => ({ before: null, last: first });

/**
 * The items of a list in order. This is for rules that end with a sign of their own: a rule that
 * ends with its list is complete after each item, and would take quadratic time.
 */
export function toArray<T>(list: List<T>): T[] {
  const items: T[] = [];
  for (let rest = list; rest !== null; rest = rest.before) items.push(rest.last);
  return items.reverse();
}
