import { locationsOf } from '../../program/accessed.js';
import type { Expression, LocationId, Program, Target } from '../../program/program.js';
import type { Instruction } from '../instructions.js';
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
  const visit = (i: Instruction, by: number): void => {
    const read = (e: Expression): void => locationsOf(e).forEach((l) => note(l, by, 'reads'));
    const write = (t: Target): void => {
      if (t.kind === 'location') note(t.location, by, 'writes');
    };
    switch (i.kind) {
      case 'assign':
        read(i.value);
        return write(i.target);
      case 'get':
        note(i.from, OTHERS, 'reads');
        return note(i.to, by, 'writes');
      case 'put':
        note(i.from, by, 'reads');
        return note(i.to, OTHERS, 'writes');
      case 'cas':
      case 'faa':
      case 'xchg':
        note(i.location, by, 'reads');
        note(i.location, by, 'writes');
        return write(i.target);
      case 'rcas':
      case 'rfaa':
        note(i.location, OTHERS, 'reads');
        note(i.location, OTHERS, 'writes');
        return note(i.into, by, 'writes');
      case 'assume':
      case 'if':
        return read(i.condition);
      case 'loop':
        if (i.condition !== undefined) read(i.condition);
        return;
      case 'mfence':
      case 'poll':
      case 'rfence':
      case 'wait':
      case 'choose':
        return;
    }
  };
  threads.forEach(({ body }, thread) => {
    for (const i of viewsOf(body)) visit(i, thread);
  });
  for (const l of observed) note(l, OTHERS, 'reads');
  return {
    constant: found.map(({ writes }) => writes === 0),
    ignored: found.map(({ reads }) => reads === 0),
    owner: found.map(({ by }) => (by.size === 1 ? [...by][0] : OTHERS)),
  };
}
