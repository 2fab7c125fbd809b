import { INTERRUPTION } from '../../check/result.js';
import type { Alphabet } from '../../rdma/classes/alphabet.js';
import type { Pool } from '../workers.js';
import type { Share } from './shares.js';
import { callsOf, sharesOf } from './shares.js';

/** A search through all programs by size, a share at a time. */
export interface SizeSearch<Found extends { readonly programs: number }> {
  readonly alphabet: Alphabet;
  /** The most calls of a program. */
  readonly calls: number;
  /** What is found in a share without programs. */
  readonly nothing: Found;
  /** Goes through a share. What it finds depends on the share, and on what was found in programs with fewer calls. */
  find(share: Share, pool: Pool): Promise<Searched<Found>>;
  /** Is there to be found something in programs with so many calls? All with fewer were gone through. */
  begin?(calls: number): boolean;
  /** Hears what was found, in the order of shares, and says whether that is all that is wanted. */
  take?(found: Found): boolean;
}

/** What was found, or why a worker gave up. */
type Searched<Found> = { readonly output: Found } | { readonly unfinished: string };

/** What was found in a share. */
export type ShareFound<Found> = Found & {
  readonly calls: number;
  /** Why it was given up. */
  readonly unfinished?: string;
};

/** Where the results of shares are kept, by number: the shares of fewer calls come first. */
export interface ShareStore<Found> {
  get(share: number): Found | undefined;
  add(share: number, found: Found, milliseconds: number): void;
}

/** Hears how far a search is. */
export interface SearchProgress {
  done(share: number, programs: number): void;
  stop(): void;
}

export interface SearchOptions<Found> {
  /** How many shares are gone through at once. */
  readonly lanes: number;
  readonly store?: ShareStore<Found> | undefined;
  /** Called for the shares of each number of calls; some may be known already. */
  readonly watch?: (
    shares: readonly Share[],
    known: ReadonlyMap<number, number>,
  ) => Promise<SearchProgress | undefined>;
}

/**
 * Goes through all programs, those with fewer calls first, until nothing more is wanted or the pool is closed.
 *
 * @returns what was found in each share, in their order, up to the last that is wanted
 */
export async function searchBySize<Found extends { readonly programs: number }>(
  search: SizeSearch<Found>,
  pool: Pool,
  options: SearchOptions<Found>,
): Promise<readonly ShareFound<Found>[]> {
  const all: ShareFound<Found>[] = [];
  let before = 0;
  for (let calls = 1; calls <= search.calls; calls++) {
    if (search.begin?.(calls) === false) break;
    const shares = sharesOf(calls, search.alphabet);
    const { found, isEnough } = await searchShares(search, pool, shares, before, options);
    for (const one of found) all.push(one);
    if (isEnough || pool.problem !== undefined) break;
    before += shares.length;
  }
  return all;
}

async function searchShares<Found extends { readonly programs: number }>(
  search: SizeSearch<Found>,
  pool: Pool,
  shares: readonly Share[],
  before: number,
  { lanes, store, watch }: SearchOptions<Found>,
): Promise<{ readonly found: readonly ShareFound<Found>[]; readonly isEnough: boolean }> {
  const known = [...shares.keys()].map((i) => store?.get(before + i));
  const watched = await watch?.(
    shares,
    new Map(known.flatMap((one, i) => (one === undefined ? [] : [[i, one.programs] as const]))),
  );
  const found: ShareFound<Found>[] = [];
  let [next, reached, end] = [0, 0, shares.length];
  const one = async (i: number): Promise<void> => {
    const own = known[i];
    const started = performance.now();
    const searched = own === undefined ? await search.find(shares[i], pool) : { output: own };
    const calls = callsOf(shares[i]);
    if ('output' in searched) {
      found[i] = { ...searched.output, calls };
      if (own === undefined) {
        store?.add(before + i, searched.output, performance.now() - started);
        watched?.done(i, searched.output.programs);
      }
    } else found[i] = { ...search.nothing, calls, unfinished: searched.unfinished };
    for (; reached < end && reached in found; reached++) {
      if (search.take?.(found[reached]) === true) end = reached + 1;
    }
  };
  const lane = async (): Promise<void> => {
    while (next < end && pool.problem === undefined) await one(next++);
  };
  try {
    await Promise.all(Array.from({ length: lanes }, lane));
  } finally {
    watched?.stop();
  }
  if (next < end) {
    const calls = callsOf(shares[next]);
    found.push({ ...search.nothing, calls, unfinished: INTERRUPTION });
  }
  return { found: found.slice(0, end), isEnough: end < shares.length };
}
