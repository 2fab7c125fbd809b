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
  /** Which of its thread's queue pairs to that node it is on, by first occurrence; absent for the first. */
  readonly pair?: number;
  /** The locations of its slots, in their order. */
  readonly places: readonly number[];
}

/**
 * The numbers of a shape with its threads in another order, everything else renamed by first occurrence. Two shapes are
 * the same program up to names if one of them has an order of threads in which it has the numbers of the other.
 *
 * @param order indices of threads
 */
export function numbersOf(shape: Named, order: readonly number[]): readonly number[] {
  const numbers: number[] = [];
  eachNumber(shape, order, (number) => numbers.push(number) > 0);
  return numbers;
}

/** The first difference between the numbers of a shape and others: less than 0 if its own come first. */
export function compareNumbers(
  shape: Named,
  order: readonly number[],
  others: readonly number[],
): number {
  let [at, difference] = [0, 0];
  eachNumber(shape, order, (number) => {
    difference = number - others[at++];
    return difference === 0;
  });
  return difference;
}

type Named = Pick<Shape, 'threads' | 'locations'>;

/** @param goesOn is given each number, and says whether to go on */
function eachNumber(
  { threads, locations }: Named,
  order: readonly number[],
  goesOn: (number: number) => boolean,
): void {
  const nodes: number[] = [];
  const places: number[] = [];
  let [seenNodes, seenPlaces] = [0, 0];
  for (const index of order) {
    const { node, calls } = threads[index];
    if (!goesOn((nodes[node] ??= seenNodes++))) return;
    for (const { letter, to, pair = 0, places: named } of calls) {
      if (!goesOn(letter)) return;
      if (to !== undefined && !(goesOn((nodes[to] ??= seenNodes++)) && goesOn(pair))) return;
      for (const place of named) {
        const isNew = places[place] === undefined;
        if (!goesOn((places[place] ??= seenPlaces++))) return;
        if (isNew && !goesOn(locations[place].mark)) return;
      }
    }
  }
}

/** Which calls and which tags of locations a program has, whatever their order: equal for equal ones. */
export function contentOf({ threads, locations }: Shape): string {
  const letters = new Set(threads.flatMap(({ calls }) => calls.map(({ letter }) => letter)));
  const marks = new Set(locations.map(({ mark }) => mark));
  return [letters, marks].map((some) => [...some].sort((x, y) => x - y).join()).join(';');
}
