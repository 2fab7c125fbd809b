import type { Alphabet } from '../../rdma/classes/alphabet.js';
import type { Size } from '../../rdma/classes/enumerate.js';
import { sizesOf } from '../../rdma/classes/enumerate.js';

/** The programs of one size, and how many calls they have in all. */
export interface Group {
  readonly calls: number;
  readonly size: Size;
}

/** All sizes of up to so many calls, smaller ones first. */
export function groupsUpTo(calls: number, alphabet: Alphabet): readonly Group[] {
  const numbers = Array.from({ length: calls }, (_, i) => i + 1);
  return numbers.flatMap((own) =>
    [...sizesOf(own, alphabet)].map((size) => ({ calls: own, size })),
  );
}

/** A group in words. */
export const groupName = ({ calls, size }: Group): string =>
  `${calls} calls, ${size.calls.length} threads, ${size.nodes} nodes, ${size.locations} locations`;

/** Which of the programs of a size a worker goes through: every so many-th. */
export interface Share {
  readonly size: Size;
  readonly part: number;
  readonly parts: number;
}
