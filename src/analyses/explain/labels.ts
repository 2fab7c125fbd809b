import type { Event, EventStructure } from '../../program/events/structure.js';
import { INITIAL } from '../../program/events/structure.js';
import { instructionsOf, mapBodies } from '../../program/instructions.js';
import { printInstruction } from '../../program/print.js';
import { valueText } from '../../parse/values.js';
import type { Instruction, Program } from '../../program/program.js';
import { placeKey } from '../../program/program.js';
import type { WitnessMeaning } from '../../check/witness/witness.js';

/** What stands for the location of a put's constant, which has no name. */
const CONSTANT = '_';

/** The numbers of the values that an execution's events read and write. */
export interface EventValues {
  readonly read?: number;
  readonly written?: number;
}

export function eventValuesOf(
  structure: EventStructure,
  run: WitnessMeaning,
  e: Event,
): EventValues {
  const id = structure.values.findIndex((v) => v.op === 'read' && v.event === e.id);
  const read = id < 0 ? undefined : run.value(id);
  const written = e.value === undefined ? undefined : run.value(e.value);
  return {
    read,
    written,
  };
}

/**
 * An event's label as the papers write it: `lR(x,0)`, `nlW(x,1,n2)`, `P(n2)`; of a call of a library, its stamp and what it does
 * to its cell: `aNRW(2) x[2]=1`.
 */
export function eventLabel(program: Program, e: Event, values: EventValues): string {
  const read = values.read === undefined ? undefined : valueText(values.read);
  const written = values.written === undefined ? undefined : valueText(values.written);
  if (isOfLibrary(e)) {
    const found = [read, written].filter((value) => value !== undefined).join('→');
    const cell = found === '' ? '' : ` ${placeOf(program, e.location!)}=${found}`;
    return `${stampOf(program, e)}${cell}`;
  }
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

/** Is it of a call of a library? */
const isOfLibrary = ({ library, thread }: Event): boolean =>
  library !== undefined && thread !== INITIAL;

/** A stamp with its index: `aCR`, `aNRW(2)`. */
function stampOf({ instructions }: Program, { label, node }: Event): string {
  const isIndexed = instructions.labels.some(({ name, indexed }) => name === label && indexed);
  return isIndexed && node !== undefined ? `${label}(${node})` : label;
}

/** How people call an event of a call of a library: `T1 rbl.submit(x, 1) aNRW(2)`; undefined of other events. */
export function referenceOf(program: Program, source: Program, e: Event): string | undefined {
  if (!isOfLibrary(e)) return undefined;
  return `${program.threads[e.thread].name} ${callOf(source, e)} ${stampOf(program, e)}`;
}

/** What a mark says: `T2 as party of z`. */
export function eventMark({ threads, objects = [] }: Program, e: Event): string {
  const role = e.mark!.slice(e.library!.length + 1);
  return `${threads[e.thread].name} as ${role} of ${objects[e.object!].name}`;
}

/** `n2` for node 2; other nodes by their names. */
export const nodeName = (node: string): string => (/^\d/.test(node) ? `n${node}` : node);

function placeOf({ locations }: Program, location: number): string {
  const { name, hidden, wire } = locations[location];
  return hidden === true && wire !== true ? CONSTANT : name;
}

/**
 * Short names of events, the same in all executions of a program: numbers from 1, thread by thread;
 * `init` for the initial writes, which are told apart by their locations.
 */
export function eventName({ events }: EventStructure, e: Event): string {
  if (e.thread === INITIAL) return 'init';
  const others = events.filter(
    ({ id, thread, mark }) => thread === INITIAL || (mark !== undefined && id < e.id),
  );
  return String(e.id - others.length + 1);
}

/** The text of the instruction that an event belongs to, without its bodies; none for initial writes. */
export function sourceOf(program: Program, e: Event): string | undefined {
  const found = instructionOf(program, e);
  return found && textOf(program, e, found);
}

/** The lines of C of the instruction that an event belongs to, if they are asked for. */
export function linesOf({ threads }: Program, { thread, span }: Event): string | undefined {
  return span && threads[thread]?.lines?.[placeKey(span)];
}

/** What stands in the place of a call is told as the call. */
function textOf(program: Program, { thread }: Event, i: Instruction): string {
  if (i.kind === 'if' && i.inlined !== undefined) return i.inlined;
  return printInstruction(program, program.threads[thread], i, () => '…');
}

/** The same without where its value goes: `rbl.receive(x)`. */
function callOf(program: Program, e: Event): string | undefined {
  const found = instructionOf(program, e);
  const isPlain = found?.kind === 'call' && found.short !== true;
  const call = isPlain ? { ...found, result: undefined } : found;
  return call && textOf(program, e, call);
}

/** The instruction that an event belongs to, without its bodies. */
function instructionOf(program: Program, { thread, span }: Event): Instruction | undefined {
  if (program.threads[thread] === undefined || span === undefined) return undefined;
  const all = [...instructionsOf(program.threads[thread].body)];
  const found = all.find((i) => i.span.start === span.start && i.span.end === span.end);
  return found && mapBodies(found, () => []);
}
