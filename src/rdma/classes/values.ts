import type { Letter } from './alphabet.js';
import { isPlace } from './alphabet.js';
import type { ShapedCall } from './shape.js';

/** The initial value of each location, and the numbers that the calls give, in the order of the calls. */
export interface Values {
  readonly initial: readonly number[];
  readonly numbers: readonly number[];
}

/** What values depend on: shapes and drafts have it. */
interface Placed {
  readonly threads: readonly {
    readonly calls: readonly Pick<ShapedCall, 'letter' | 'places'>[];
  }[];
  readonly locations: readonly unknown[];
}

/**
 * Values that tell by what is read where it is from. Numbers that can get to one location, by whatever copies, differ.
 * Where something is added to a location, they are powers of two, so that sums differ, too.
 */
export function initialValues({ threads, locations }: Placed, letters: readonly Letter[]): Values {
  const copies = new Map<number, Set<number>>();
  const given: number[][] = [];
  const sources = new Set<number>();
  let adds = false;
  for (const { calls } of threads) {
    for (const { letter, places } of calls) {
      const { slots } = letters[letter];
      const at = slots.filter(isPlace);
      adds ||= at.some(({ reads, writes }) => reads && writes);
      const read = places.filter((_, i) => at[i].reads);
      const written = places.filter((_, i) => at[i].writes);
      for (const from of read) {
        for (const to of written) {
          if (from === to) continue;
          sources.add(from);
          copies.set(from, (copies.get(from) ?? new Set()).add(to));
        }
      }
      for (const { kind } of slots) if (kind === 'number') given.push(written);
    }
  }
  const taken = locations.map(() => new Set<number>());
  const reach = (from: readonly number[]): ReadonlySet<number> => {
    const reached = new Set(from);
    for (const one of reached) for (const next of copies.get(one) ?? []) reached.add(next);
    return reached;
  };
  const least = (from: readonly number[], start: number): number => {
    const reached = [...reach(from)];
    let value = start;
    while (reached.some((one) => taken[one].has(value))) value = adds ? 2 * value || 1 : value + 1;
    for (const one of reached) taken[one].add(value);
    return value;
  };
  const order = [...locations.keys()].sort(
    (a, b) => Number(sources.has(a)) - Number(sources.has(b)) || a - b,
  );
  const initial: number[] = [];
  for (const one of order) initial[one] = least([one], 0);
  return { initial, numbers: given.map((written) => least(written, 1)) };
}
