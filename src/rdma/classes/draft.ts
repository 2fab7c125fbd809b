import type { Alphabet } from './alphabet.js';
import type { Shape } from './shape.js';
import { initialValues } from './values.js';

/**
 * A program by its calls, with names and values: what is left of it when something is taken out keeps them. Threads and nodes are named
 * by their numbers.
 */
export interface Draft {
  readonly threads: readonly DraftThread[];
  readonly nodes: number;
  readonly locations: readonly DraftLocation[];
}

export interface DraftThread {
  readonly node: number;
  readonly calls: readonly DraftCall[];
}

export interface DraftLocation {
  readonly name: string;
  readonly node: number;
  /** Its tag: 0 for none, 1 for the first of the alphabet. */
  readonly mark: number;
  readonly initial: number;
}

export interface DraftCall {
  /** Index into the alphabet. */
  readonly letter: number;
  /** The node at the other end of its queue pair. */
  readonly to?: number;
  /** The name of its queue pair, if that has one: it is one of its own then, to the same node. */
  readonly pair?: string;
  /** The locations of its slots, in their order. */
  readonly places: readonly number[];
  /** The numbers of its slots, in their order. */
  readonly numbers: readonly number[];
  /** Where its value goes, if it has one. */
  readonly register: string;
}

/** The calls of a shape, with values that tell where they are from. */
export function draftOf(shape: Shape, { letters }: Alphabet): Draft {
  const { initial, numbers } = initialValues(shape, letters);
  let [number, register] = [0, 0];
  const threads = shape.threads.map(({ node, calls }) => ({
    node,
    calls: calls.map((call): DraftCall => {
      const { slots, gives } = letters[call.letter];
      const own = slots.flatMap(({ kind }) => (kind === 'number' ? [numbers[number++]] : []));
      return { ...call, numbers: own, register: gives ? `r${++register}` : '' };
    }),
  }));
  const locations = shape.locations.map(({ node, mark }, i) => ({
    ...{ node, mark, initial: initial[i] },
    name: FIRST_NAMES[i] ?? `x${i}`,
  }));
  return { threads, nodes: shape.nodes, locations };
}

const FIRST_NAMES = ['x', 'y', 'z', 'w', 'u', 'v'];
