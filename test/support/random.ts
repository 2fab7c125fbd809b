/**
 * How much of what could be tried a test tries: in `npm test`, in `npm run test:long` (which runs the quick files that `BOTH` names a second
 * time), and in `npm run test:all`. Cases are the same on every run, and what is tried by less is tried by more, too.
 */
const SHARES = { quick: 0.02, long: 0.04, all: 1 };

const LEVEL = (process.env['REMORA_CASES'] ?? 'quick') as keyof typeof SHARES;
const SHARE = SHARES[LEVEL];

/** Are these all cases? */
export const ALL = LEVEL === 'all';

/** Are these the quick tests? */
export const QUICK = LEVEL === 'quick';

/** How many random cases are tried. @param least where few of them say anything */
export const cases = (all: number, least = 6): number =>
  ALL ? all : Math.min(all, Math.max(least, Math.ceil(all * SHARE)));

/** All of a list, or one where not all cases are tried: that whose turn it is, so that lists of a table have each in turn. */
export const inTurn = <T>(list: readonly T[], turn: number): readonly T[] =>
  ALL ? list : list.filter((_, i) => i === turn % list.length);

/** Of how many cases a property has to say something, given that number for all cases. Few cases vary more than many. */
export const few = (ofAll: number): number => fewOf(ofAll, SHARE);

/** The same of a share of all cases. */
export const fewOf = (ofAll: number, share: number): number =>
  share === 1 ? ofAll : Math.floor((ofAll * share) / 2);

/** Those of a list that are tried, from all over it. @param least the share of it, where a smaller one says nothing */
export const some = <T>(list: readonly T[], least = 0): readonly T[] =>
  list.filter((_, i) => (i * 37) % 100 < Math.max(SHARE, least) * 100);
