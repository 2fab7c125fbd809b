import type { Event, EventStructure } from '../../program/events/structure.js';
import { INITIAL } from '../../program/events/structure.js';
import { inside, instructionsOf, withBodies } from '../../program/instructions.js';
import { printInstruction } from '../../program/print.js';
import type { Program } from '../../program/program.js';
import type { Run } from '../../check/witness/witness.js';

/** What stands for the location of a put's constant, which has no name. */
const CONSTANT = '_';

/** The numbers of the values that an execution's events read and write. */
export interface EventValues {
  readonly read?: number;
  readonly written?: number;
}

export function valuesOf(structure: EventStructure, run: Run, e: Event): EventValues {
  const id = structure.values.findIndex((v) => v.op === 'read' && v.event === e.id);
  const read = id < 0 ? undefined : run.value(id);
  const written = e.value === undefined ? undefined : run.value(e.value);
  return {
    read,
    written,
  };
}

/** An event's label as the papers write it: `lR(x,0)`, `nlW(x,1,n2)`, `P(n2)`. */
export function labelOf(program: Program, e: Event, { read, written }: EventValues): string {
  const place = e.location === undefined ? undefined : placeOf(program, e.location);
  // The papers give the queue pair with the half that is local: the other's location tells it.
  const at = e.location === undefined ? undefined : program.locations[e.location].node;
  const local = at === undefined || at !== e.node;
  const parts = [
    place,
    read,
    // A successful CAS reads and writes; the other events do one of the two.
    written,
    local ? e.node && nodeName(e.node) : undefined,
    e.queuePair,
    at === undefined ? e.work : undefined,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? e.label : `${e.label}(${parts.join(',')})`;
}

/** `n2` for node 2; other nodes by their names. */
export const nodeName = (node: string): string => (/^\d/.test(node) ? `n${node}` : node);

function placeOf({ locations }: Program, location: number): string {
  const { name, hidden } = locations[location];
  return hidden === true ? CONSTANT : name;
}

/**
 * Short names of events, the same in all executions of a program: numbers from 1, thread by thread;
 * `init` for the initial writes, which are told apart by their locations.
 */
export function eventName({ events }: EventStructure, e: Event): string {
  if (e.thread === INITIAL) return 'init';
  const initial = events.filter((other) => other.thread === INITIAL).length;
  return String(e.id - initial + 1);
}

/** The text of the instruction that an event belongs to, without its bodies; none for initial writes. */
export function sourceOf(program: Program, e: Event): string | undefined {
  const thread = program.threads[e.thread];
  if (thread === undefined || e.span === undefined) return undefined;
  const { start, end } = e.span;
  for (const i of instructionsOf(thread.body)) {
    if (i.span.start !== start || i.span.end !== end) continue;
    const bodies = inside(i).map(() => []);
    return printInstruction(program, thread, withBodies(i, bodies), () => '…');
  }
  return undefined;
}
