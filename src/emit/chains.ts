import { instructionsOf } from '../program/instructions.js';
import type { Program } from '../program/program.js';

/** Words that are behind each other, because one request is for all of them at their node. */
export interface Chains {
  /** The words behind one, in order. */
  readonly behind: (location: number) => readonly number[];
  /** All locations, the words of a chain together. */
  readonly order: readonly number[];
  /** Whether a location is directly behind the one before it. */
  readonly isBehind: (location: number) => boolean;
}

/** Undefined: no layout suits all requests. */
export function chainsOf({ locations, threads }: Program): Chains | undefined {
  const next = new Map<number, number>();
  const before = new Map<number, number>();
  for (const i of threads.flatMap(({ body }) => [...instructionsOf(body)])) {
    if (i.kind !== 'call' || i.words === undefined) continue;
    const { words, arguments: given, into } = i;
    const far = i.operation === 'put' ? [into!, ...given.slice(words)] : given.slice(0, words);
    const ids = far.map((one) => (one as { readonly location: number }).location);
    for (const [at, id] of ids.slice(1).entries()) {
      if ((next.get(ids[at]) ?? id) !== id || (before.get(id) ?? ids[at]) !== ids[at])
        return undefined;
      next.set(ids[at], id);
      before.set(id, ids[at]);
    }
  }
  const behind = (location: number): readonly number[] => {
    const found: number[] = [];
    for (let at = next.get(location); at !== undefined && found.length < locations.length;) {
      found.push(at);
      at = next.get(at);
    }
    return found;
  };
  const order = [...locations.keys()].flatMap((id) => (before.has(id) ? [] : [id, ...behind(id)]));
  const isCircle = order.length < locations.length;
  return isCircle ? undefined : { behind, order, isBehind: (id) => before.has(id) };
}
