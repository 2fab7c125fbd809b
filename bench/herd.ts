// Milliseconds of herd7 7.58 on the same families, with RDMA^TSO written for it in cat and Bell, on a
// two-core cloud machine, start included. `all`: every final state; `one`: stops at the first answer.

/** Of which its start takes this much. */
export const START = 9;

/** What herd7 had not done when it was stopped. */
const NEVER = 55_000;

/** Milliseconds by size. */
type Times = ReadonlyMap<number, number>;

const byK = (ks: readonly number[], times: readonly number[]): Times =>
  new Map(ks.map((k, i) => [k, times[i]]));
const RINGS = [2, 4, 6, 8, 10, 12];
const SMALL = [1, 2, 3, 4, 5];

/** By family. */
export const HERD: Readonly<Record<string, { readonly all: Times; readonly one: Times }>> = {
  sbring: {
    all: byK(RINGS, [12, 20, 73, 376, 2063, 11296]),
    one: byK(RINGS, [10, 10, 10, 11, 12, 12]),
  },
  sbringget: {
    all: byK(RINGS, [12, 43, 224, 1285, 7466, 46658]),
    one: byK(RINGS, [24, 31, 48, 229, 1304, 7718]),
  },
  mpchain: {
    all: byK(RINGS, [11, 20, 71, 368, 1972, 10576]),
    one: byK(RINGS, [10, 12, 21, 73, 366, 1977]),
  },
  getsputs: {
    all: byK(SMALL, [11, 21, 458, 29124, NEVER]),
    one: byK(SMALL, [9, 11, 15, 163, 10131]),
  },
  putrace: {
    all: byK(SMALL, [9, 15, 111, 9438, NEVER]),
    one: byK(SMALL, [10, 11, 29, 1242, NEVER]),
  },
};

/** In words. */
export function herdTime(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '' : milliseconds === NEVER ? '> 55000' : `${milliseconds}`;
}
