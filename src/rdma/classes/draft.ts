import type { Alphabet, Letter } from './alphabet.js';
import type { Shape, ShapedCall, ShapedThread } from './shape.js';
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
  readonly pair?: string | undefined;
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
  const names = pairNames(shape, letters);
  let [number, register] = [0, 0];
  const threads = shape.threads.map((thread) => {
    const own = names.get(thread);
    return {
      node: thread.node,
      calls: thread.calls.map((call): DraftCall => {
        const { slots, gives } = letters[call.letter];
        const given = slots.flatMap(({ kind }) => (kind === 'number' ? [numbers[number++]] : []));
        const to = gives ? `r${++register}` : '';
        const name = own?.get(endOf(call));
        return { ...call, pair: name, numbers: given, register: to };
      }),
    };
  });
  const locations = shape.locations.map(({ node, mark }, i) => ({
    ...{ node, mark, initial: initial[i] },
    name: FIRST_NAMES[i] ?? `x${i}`,
  }));
  return { threads, nodes: shape.nodes, locations };
}

/**
 * The names of queue pairs, by thread, node and number, in the order of the calls. One of a thread to a node has none: that of its
 * connection, as nobody is at the other end of one with a name.
 */
function pairNames(
  { threads }: Shape,
  letters: readonly Letter[],
): ReadonlyMap<ShapedThread, ReadonlyMap<string, string>> {
  const names = new Map<ShapedThread, Map<string, string>>();
  let named = 0;
  for (const thread of threads) {
    const { calls } = thread;
    if (!calls.some(({ pair }) => pair !== undefined)) continue;
    const own = new Map<string, string>();
    names.set(thread, own);
    for (const { to, pair = 0 } of calls) {
      const connection = calls.find(
        (one) => one.to === to && letters[one.letter].wire !== undefined,
      );
      const end = endOf({ to, pair });
      if (to === undefined || pair === (connection?.pair ?? 0) || own.has(end)) continue;
      own.set(end, `q${++named}`);
    }
  }
  return names;
}

const endOf = ({ to, pair = 0 }: Pick<ShapedCall, 'to' | 'pair'>): string => `${to} ${pair}`;

const FIRST_NAMES = ['x', 'y', 'z', 'w', 'u', 'v'];
