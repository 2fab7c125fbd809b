import type { LocationId, Program } from '../../program/program.js';
import { accessesOf } from '../accesses.js';
import { viewsOf } from '../instructions.js';

/** Locations that few instructions access, by the text of the program. */
export interface Sharing {
  /** No instruction writes it. */
  readonly constant: readonly boolean[];
  /** Nobody reads it: its value does not matter. */
  readonly ignored: readonly boolean[];
  /**
   * The one thread that accesses it, by the CPU, as the source of puts, or as the place of answers; -1 if there are
   * several, or if a NIC gets there from elsewhere.
   */
  readonly owner: readonly number[];
}

/** @param observed locations that a question is about: they count as read by somebody */
export function sharingOf(
  { locations, threads }: Program,
  observed: ReadonlySet<LocationId>,
): Sharing {
  const found = locations.map(() => ({ reads: 0, writes: 0, by: new Set<number>() }));
  const OTHERS = -1;
  const note = (l: LocationId, by: number, access: 'reads' | 'writes'): void => {
    found[l][access]++;
    found[l].by.add(by);
  };
  threads.forEach(({ body }, thread) => {
    for (const i of viewsOf(body)) {
      for (const { location, kind, isLocal } of accessesOf(i)) {
        note(location, isLocal ? thread : OTHERS, kind);
      }
    }
  });
  for (const l of observed) note(l, OTHERS, 'reads');
  return {
    constant: found.map(({ writes }) => writes === 0),
    ignored: found.map(({ reads }) => reads === 0),
    owner: found.map(({ by }) => (by.size === 1 ? [...by][0] : OTHERS)),
  };
}
