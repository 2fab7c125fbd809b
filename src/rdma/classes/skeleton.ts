import type { Draft, DraftCall } from './draft.js';
import type { Shape } from './shape.js';

/** The value that the first location of a skeleton begins with: those of the others, and all its numbers, are the next ones. */
export const FIRST_VALUE = 2 ** 20;

/**
 * A program in which no two calls access one location, and all values differ. Many programs have one skeleton: they differ
 * in which of their places are the same, and in values (placed.ts).
 */
export function skeletonOf(draft: Draft): Draft {
  const { threads, locations, nodes } = draft;
  const places = placesOf(draft);
  let [place, number] = [0, FIRST_VALUE + places.length];
  return {
    nodes,
    locations: places.map((at, i) => ({
      ...{ node: locations[at].node, mark: locations[at].mark },
      ...{ name: `x${i}`, initial: FIRST_VALUE + i },
    })),
    threads: threads.map(({ node, calls }, t) => {
      const registers = registersOf(calls);
      return {
        node,
        calls: calls.map((call) => ({
          ...call,
          places: call.places.map(() => place++),
          numbers: call.numbers.map(() => number++),
          register: call.register === '' ? '' : `r${t}_${registers.indexOf(call.register)}`,
        })),
      };
    }),
  };
}

/** Equal for drafts that have one skeleton, and for no others. */
export function skeletonKey({ threads, locations, nodes }: Draft): string {
  let key = `${nodes}`;
  for (const { node, calls } of threads) {
    key += `|${node}`;
    const registers = registersOf(calls);
    for (const { letter, to, pair, places, register } of calls) {
      key += `;${letter}`;
      if (to !== undefined) key += `>${to}`;
      if (pair !== undefined) key += `.${pair}`;
      for (const place of places) key += `,${locations[place].mark}`;
      if (register !== '') key += `=${registers.indexOf(register)}`;
    }
  }
  return key;
}

/**
 * Equal for programs whose threads have the same calls, whatever there is between threads: which nodes are the same, which
 * locations, and in which order threads come.
 */
export const threadsKey = ({ threads, locations }: Shape): string =>
  threads
    .map(({ node, calls }) => {
      const nodes = [node];
      return calls
        .map(({ letter, to = node, pair = 0, places }) => {
          if (!nodes.includes(to)) nodes.push(to);
          const marks = places.map((place) => locations[place].mark);
          return `${letter}>${nodes.indexOf(to)}.${pair},${marks.join()}`;
        })
        .join(';');
    })
    .sort()
    .join('|');

/** Equal for programs that have calls of the same letters, with the same tags of their places, however many of each. */
export function kindsKey({ threads, locations }: Shape): string {
  const kinds = new Set<string>();
  for (const { calls } of threads) {
    for (const { letter, places } of calls) {
      let kind = `${letter}`;
      for (const place of places) kind += `,${locations[place].mark}`;
      kinds.add(kind);
    }
  }
  return [...kinds].sort().join(';');
}

/** The location of each slot of a draft, in the order of the slots: the locations of its skeleton stand for them. */
export const placesOf = ({ threads }: Draft): readonly number[] =>
  threads.flatMap(({ calls }) => calls.flatMap(({ places }) => places));

/** The numbers of a draft, in the order of its slots. */
export const numbersOf = ({ threads }: Draft): readonly number[] =>
  threads.flatMap(({ calls }) => calls.flatMap(({ numbers }) => numbers));

/** The registers of a thread, in the order in which calls first set them. */
export const registersOf = (calls: readonly DraftCall[]): readonly string[] => [
  ...new Set(calls.flatMap(({ register }) => (register === '' ? [] : [register]))),
];
