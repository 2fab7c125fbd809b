/** A function that computes its value when it is first called, and then keeps it. */
export function once<T>(compute: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: compute() }).value;
}
