import type { Alphabet } from '../../rdma/classes/alphabet.js';
import type { Beginnings, Size } from '../../rdma/classes/enumerate.js';
import { countBeginnings, sizesOf } from '../../rdma/classes/enumerate.js';

/** What a worker goes through at a time: the programs of a size that begin in some ways. */
export interface Share {
  readonly size: Size;
  readonly beginnings: Beginnings;
}

/** How many calls of a program are left open by its beginning: those that go on in one way are few. */
const OPEN_CALLS = 2;

/** Of longer beginnings there would be too many to count. */
const LONGEST = 3;

/** How many beginnings a share has. */
const AT_ONCE = 8;

/**
 * The shares of all programs with so many calls, in the order of the programs. They depend on nothing else, so that they
 * are the same for all who share the work. Most take a second or less; of five calls, and of more, some take minutes.
 */
export const sharesOf = (calls: number, alphabet: Alphabet): readonly Share[] =>
  [...sizesOf(calls, alphabet)].flatMap((size) => {
    const begun = Math.min(Math.max(0, calls - OPEN_CALLS), LONGEST);
    const all = countBeginnings(alphabet, size, begun);
    return Array.from({ length: Math.ceil(all / AT_ONCE) }, (_, i): Share => {
      const from = i * AT_ONCE;
      return { size, beginnings: { calls: begun, from, to: Math.min(all, from + AT_ONCE) } };
    });
  });

export const callsOf = ({ size }: Pick<Share, 'size'>): number =>
  size.calls.reduce((sum, own) => sum + own, 0);

/** The size of the programs of a share in words. */
export function sizeName(share: Share): string {
  const { calls, nodes, namedPairs, locations } = share.size;
  const counted = {
    ...{ call: callsOf(share), thread: calls.length, node: nodes },
    ...(namedPairs > 0 && { 'queue pair with a name': namedPairs }),
    location: locations,
  };
  return Object.entries(counted)
    .map(([what, count]) => `${count} ${what}${count === 1 ? '' : 's'}`)
    .join(', ');
}
