import type { Program } from '../program/program.js';
import type { Cell } from '../program/flow/graph.js';
import type { Calls } from './classes.js';
import type { Slot } from './compute.js';
import { valuesOf } from './local.js';

/** Where a thread's calls that are not finished are in a state: how many there are, and behind that an entry for each, in program order. */
export interface Pending {
  readonly at: Slot;
  /** How many numbers an entry has: what the call is at, and its values. */
  readonly width: number;
}

/**
 * Where everything is in a state, which is a vector of 32-bit numbers: the place of each thread, what its cells hold, ghosts, memory, and calls that are not
 * finished.
 */
export interface Layout {
  readonly program: Program;
  readonly calls: Calls;
  readonly size: number;
  /** How many calls of a thread can be unfinished. */
  readonly room: number;
  readonly memory: Slot;
  /** By location: is its value asked for at the end? */
  readonly isFinal: readonly boolean[];
  readonly pending: readonly Pending[];
  slotOf(thread: number, cell: Cell): Slot;
}

export function layoutOf(
  program: Program,
  calls: Calls,
  room: number,
  isFinal: readonly boolean[] = [],
): Layout {
  const { threads, locations, ghosts = [] } = program;
  let size = threads.length;
  const take = (count: number): Slot => {
    const at = size;
    size += count;
    return at;
  };
  const registers = threads.map((thread) => take(thread.registers.length));
  const temporaries = calls.flows.map((flow) => take(flow.temporaries));
  const ghostsAt = take(ghosts.length);
  const memory = take(locations.length);
  const pending = threads.map((_, t) => {
    const own = calls.classes.filter(({ thread }) => thread === t);
    const width = 1 + Math.max(0, ...own.map(valuesOf));
    return { at: take(1 + width * room), width };
  });
  return {
    ...{ program, calls, size, room, memory, pending, isFinal },
    slotOf(thread, cell) {
      switch (cell.kind) {
        case 'register':
          return registers[thread] + cell.register;
        case 'temporary':
          return temporaries[thread] + cell.temporary;
        case 'ghost':
          return ghostsAt + cell.ghost;
      }
    },
  };
}
