/** How many values are kept before all are dropped, since a search may run for hours. */
const KEPT = 10_000;

/** A function that remembers its values by a key, which must differ for different arguments. */
export function memo<Given extends readonly unknown[], Value>(
  make: (...given: Given) => Value,
): (key: string, ...given: Given) => Value {
  const known = new Map<string, Value>();
  return (key, ...given) => {
    if (known.has(key)) return known.get(key)!;
    if (known.size === KEPT) known.clear();
    const value = make(...given);
    known.set(key, value);
    return value;
  };
}
