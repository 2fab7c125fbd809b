import type { Cell } from '../program/flow/graph.js';
import type { LocationId, Program } from '../program/program.js';
import { subjectName } from '../program/subjects.js';
import type { CallSite } from './calls.js';
import type { Calls } from './classes.js';
import type { Slot } from './compute.js';
import { Undefined } from './compute.js';
import { valuesOf } from './local.js';
import type { Orders } from './orders.js';
import type { Queues } from './queues.js';

/**
 * Marks of threads: from when any of the first is passed until any of the others is, somebody waits. With `always`, there is no
 * such time: what is noted changes each time that one of the others is passed, so that it stays as it is where none is any more.
 */
export interface MarkWait {
  readonly from: readonly ThreadMark[] | 'always';
  readonly to: readonly ThreadMark[];
}

export interface ThreadMark {
  readonly thread: number;
  readonly mark: string;
}

/** What questions ask of states, beyond which there are. */
export interface Asked {
  /** Is the value of a register asked for when its thread has come to its end? */
  isKept(thread: number, register: number): boolean;
  /** Is the value of a register asked for in any state? */
  isWatched(thread: number, register: number): boolean;
  /** Is the value of a location asked for at the end? */
  isFinal(location: LocationId): boolean;
  /** Locations whose values are asked for in any state. */
  readonly locations: ReadonlySet<LocationId>;
  readonly waits: readonly MarkWait[];
  /** Whether steps that can come first do. */
  readonly reduces: boolean;
}

/**
 * Where everything is in a state, which is a vector of 32-bit numbers: the control of each thread, what its cells hold, ghosts, who waits, memory, and
 * the values of calls that are not finished.
 */
export interface Layout {
  readonly program: Program;
  readonly calls: Calls;
  readonly size: number;
  /** How many calls of a thread in one lane can be unfinished. */
  readonly room: number;
  readonly ghosts: Slot;
  /** By question: does somebody wait? */
  readonly waits: Slot;
  /** By queue: how many are in it, and at most. */
  readonly queues: Slot;
  readonly queueRoom: number;
  readonly memory: Slot;
  /** By thread: where the values of its calls begin, and how many numbers each call has. */
  readonly values: readonly Slot[];
  readonly widths: readonly number[];
  /** By class: what its calls share room with. */
  readonly lanes: readonly string[];
  slotOf(thread: number, cell: Cell): Slot;
  /** What people call a slot. */
  nameOf(slot: Slot): string;
}

/** What calls have to each other beyond their threads. */
export interface Beyond {
  readonly orders: Orders;
  readonly queues: Queues;
}

export function layoutOf(
  program: Program,
  calls: Calls,
  room: number,
  asked: Asked,
  { orders, queues: shared }: Beyond,
): Layout {
  const { threads, locations, ghosts: declared = [] } = program;
  const names: string[] = [];
  const take = (name: string): Slot => names.push(name) - 1;
  for (const { name } of threads) take(`${name}'s place`);
  const registers = threads.map(({ name, registers: own }) => own.map((r) => take(`${name}:${r}`)));
  const temporaries = calls.flows.map((flow, t) =>
    flow.temporaries.map((l) => take(`${threads[t].name}'s copy of ${locations[l].name}`)),
  );
  const ghosts = names.length;
  for (const { name } of declared) take(name);
  const waits = names.length;
  for (const k of asked.waits.keys()) take(`progress ${k + 1}`);
  const queues = names.length;
  for (let k = 0; k < shared.count; k++) take(`queue ${k + 1}`);
  const memory = names.length;
  locations.forEach(({ hidden, initial }, location) =>
    take(hidden === true ? `${initial}` : subjectName(program, { kind: 'location', location })),
  );
  let size = names.length;
  const lanes = calls.classes.map((site) => laneOf(program, site));
  const widths = threads.map((_, t) =>
    Math.max(
      0,
      ...calls.classes.map((site, of) =>
        site.thread === t ? valuesOf(site) + orders.of(of).length : 0,
      ),
    ),
  );
  const values = threads.map((_, t) => {
    const at = size;
    const own = new Set(lanes.filter((__, of) => calls.classes[of].thread === t));
    size += widths[t] * room * own.size;
    return at;
  });
  return {
    ...{ program, calls, size, room, ghosts, waits, queues, memory, values, widths, lanes },
    queueRoom: room * new Set(lanes).size,
    slotOf(thread, cell) {
      switch (cell.kind) {
        case 'register':
          return registers[thread][cell.register];
        case 'temporary':
          return temporaries[thread][cell.temporary];
        case 'ghost':
          return ghosts + cell.ghost;
      }
    },
    nameOf: (slot) => names[slot] ?? 'a value on its way',
  };
}

/** Calls on one queue pair share their room, and so do those of a thread that are on none. */
function laneOf({ threads }: Program, { thread, events }: CallSite): string {
  const { name } = threads[thread];
  const on = events.find(({ node }) => node !== undefined);
  if (on === undefined) return `${name}'s own calls`;
  const { node, queuePair } = on;
  return `${name}'s calls to ${node}${queuePair === undefined ? '' : `.${queuePair}`}`;
}

/** The largest number that a variable may have: an exploration of so many values would hardly end. */
export const LARGEST_VALUE = 100_000;

/** A value that may be stored. Throws where values of a variable go on growing. */
export function checked({ nameOf }: Layout, value: number, slot: Slot): number {
  if (value <= LARGEST_VALUE && value >= -LARGEST_VALUE) return value;
  throw new Undefined(`the value of ${nameOf(slot)} grows beyond ${LARGEST_VALUE}`);
}
