/** A program but for its names: everything is a number, in the order in which it first occurs. */
export interface Shape {
  readonly threads: readonly ShapedThread[];
  readonly nodes: number;
  readonly locations: readonly ShapedLocation[];
}

export interface ShapedLocation {
  readonly node: number;
  /** Its tag: 0 for none, 1 for the first of the alphabet. */
  readonly mark: number;
}

export interface ShapedThread {
  readonly node: number;
  readonly calls: readonly ShapedCall[];
}

export interface ShapedCall {
  /** Index into the alphabet. */
  readonly letter: number;
  /** The node at the other end of its queue pair. */
  readonly to?: number;
  /** The locations of its slots, in their order. */
  readonly places: readonly number[];
}

/**
 * The numbers of a shape with its threads in another order, everything else renamed by first occurrence. Two shapes are
 * the same program up to names if one of them has an order of threads in which it has the numbers of the other.
 *
 * @param order indices of threads
 */
export function numbersOf(
  { threads, locations }: Pick<Shape, 'threads' | 'locations'>,
  order: readonly number[],
): readonly number[] {
  const nodes = new Map<number, number>();
  const places = new Map<number, number>();
  const numbers: number[] = [];
  const add = (names: Map<number, number>, name: number): boolean => {
    const known = names.get(name) ?? names.size;
    numbers.push(known);
    return known === names.size && names.set(name, known) === names;
  };
  for (const index of order) {
    const { node, calls } = threads[index];
    add(nodes, node);
    for (const { letter, to, places: named } of calls) {
      numbers.push(letter);
      if (to !== undefined) add(nodes, to);
      for (const place of named) if (add(places, place)) numbers.push(locations[place].mark);
    }
  }
  return numbers;
}

/** Which calls and which tags of locations a program has, whatever their order: equal for equal ones. */
export function contentOf({ threads, locations }: Shape): string {
  const letters = new Set(threads.flatMap(({ calls }) => calls.map(({ letter }) => letter)));
  const marks = new Set(locations.map(({ mark }) => mark));
  return [letters, marks].map((some) => [...some].sort((x, y) => x - y).join()).join(';');
}

/** The order of two lists of numbers, by the first difference. */
export function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}
