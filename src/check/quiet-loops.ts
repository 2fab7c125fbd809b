import type { Model } from '../model/term.js';
import * as m from '../model/relation/matrix.js';
import { accessedLocations, locationsOf } from '../program/accessed.js';
import type { Loop } from '../program/events/iterations.js';
import { iterationsThatCount, keepsNothing } from '../program/events/iterations.js';
import type { Event, Path, Value, ValueId } from '../program/events/structure.js';
import { INITIAL } from '../program/events/structure.js';
import type { Iterated } from '../program/events/unroll.js';
import { iterated, loopsOf } from '../program/events/unroll.js';
import { constantOn, pathsThrough } from '../program/events/ways.js';
import { instructionsOf, mapInstructions } from '../program/instructions.js';
import type { Instruction, LocationId, Program } from '../program/program.js';
import { mayLeaveOut, readsLeftOut } from './last-iteration.js';
import { sureOrder } from './order-in-every-run.js';

/**
 * The loops whose last iteration stands for any number of them, although they do more than read: those that try an atomic again and
 * again, and those of a client that look by gets. All iterations but the last can be left out of an execution:
 *
 * - they keep nothing for each other in registers, and the condition is over registers;
 * - what they write is in scratch memory, which nothing outside of the loop accesses. Whichever of them writes
 *   anything else is the last one, by the values that it then reads: an atomic that succeeds;
 * - what an iteration reads in scratch memory is its own, in every program. So nothing that remains reads what is left out;
 * - an execution of the model without these events is one.
 *
 * What remains is an execution of the same program, with the same final state. Loops that only read are not
 * among these (`program/events/iterations.ts`).
 *
 * Scratch memory is known for models of libraries alone, which say what happens before what.
 *
 * @returns their places in `loopsOf`
 */
export function quietLoops(program: Program, model: Model): readonly number[] {
  const ofProgram = known.get(program) ?? new WeakMap<Model, readonly number[]>();
  known.set(program, ofProgram);
  const made = ofProgram.get(model) ?? judged(program, model);
  ofProgram.set(model, made);
  return made;
}

const known = new WeakMap<Program, WeakMap<Model, readonly number[]>>();

function judged(program: Program, model: Model): readonly number[] {
  const loops = loopsOf(program);
  return [...loops.keys()].filter((i) => isQuiet(loops[i], loops, program, model));
}

function isQuiet(loop: Loop, loops: readonly Loop[], program: Program, model: Model): boolean {
  // Loops that only read are judged by themselves.
  if (iterationsThatCount(loop, program.instructions, readsLeftOut(model)) !== undefined)
    return false;
  const { condition } = loop;
  if (condition === undefined || locationsOf(condition).length > 0 || !keepsNothing(loop)) {
    return false;
  }
  const threads = [...program.threads.keys()].filter((t) => has(program.threads[t].body, loop));
  // An instruction object that is shared stands for several loops.
  if (loops.filter((one) => one === loop).length > 1) return false;
  const made = iterated(program, threads[0], loop, 2);
  if (made === undefined) return false;
  const isOrdered = program.instructions.libraries.length > 0;
  const own = isOrdered ? scratchOf(program, loop).filter((l) => readsItsOwn(made, l, model)) : [];
  const scratch: ReadonlySet<LocationId> = new Set(own);
  const [{ events }] = made.iterations;
  const counts = (e: Event): boolean => e.value !== undefined && !scratch.has(e.location!);
  return (
    mayLeaveOut(
      model,
      events.filter((e) => !counts(e)),
    ) && events.filter(counts).every((e) => isLast(e.path, made, scratch))
  );
}

const has = (body: readonly Instruction[], loop: Loop): boolean =>
  [...instructionsOf(body)].includes(loop);

/** The locations that only a loop accesses; no cells of objects. */
function scratchOf(program: Program, loop: Loop): readonly LocationId[] {
  const threads = program.threads.map((t) => ({
    ...t,
    body: mapInstructions(t.body, (i) => (i === loop ? [] : undefined)),
  }));
  const others = accessedLocations({ ...program, threads });
  const own = [...accessedLocations(program)].filter((l) => !others.has(l));
  return own.filter((l) => program.locations[l].object === undefined);
}

/** Does the loop end after an iteration that takes a path? Reads of scratch memory are of the one write there is. */
function isLast(path: Path, { iterations, values }: Iterated, scratch: ReadonlySet<LocationId>) {
  const [{ events, goesOn }] = iterations;
  const taken = new Map(path.map((branch) => [branch.condition, branch.taken]));
  const equal = new Map(
    path.flatMap((branch) => equality(values[branch.condition], branch.taken, values)),
  );
  const valueOf = constantOn(
    { values, taken },
    (id, value) => equal.get(id) ?? (value.op === 'read' ? readBy(value.event) : undefined),
  );
  const readBy = (id: number): number | undefined => {
    const read = events.find((e) => e.id === id);
    if (read?.location === undefined || !scratch.has(read.location)) return undefined;
    const written = events.filter((e) => e.location === read.location && e.value !== undefined);
    return written.length === 1 ? valueOf(written[0].value!) : undefined;
  };
  return valueOf(goesOn) === 0;
}

/** The number that a value must be if a condition is true, or false; undefined if the condition does not say. */
function equality(
  condition: Value,
  taken: boolean,
  values: readonly Value[],
): readonly (readonly [ValueId, number])[] {
  if (condition.op !== 'binary' || condition.fn !== (taken ? '=' : '!=')) return [];
  const [left, right] = [values[condition.left], values[condition.right]];
  if (right.op === 'const') return [[condition.left, right.value]];
  return left.op === 'const' ? [[condition.right, left.value]] : [];
}

/**
 * Is it sure that each read of a location in an iteration reads from the same iteration, and that later iterations
 * overwrite the writes of earlier ones? This is decided for two iterations, by `hb` in any program.
 */
function readsItsOwn(
  { initial, iterations }: Iterated,
  location: LocationId,
  model: Model,
): boolean {
  const first = initial.filter((e) => e.location === location);
  const [earlier] = iterations;
  const turn = (e: Event): number =>
    e.thread === INITIAL ? -1 : earlier.events.includes(e) ? 0 : 1;
  return pathsThrough(iterations.flatMap(({ events }) => events)).every(({ events }) => {
    const fragment = [...first, ...events];
    const at = (e: Event): number => fragment.indexOf(e);
    const impossible = (rf: readonly Pair[], mo: readonly Pair[]): boolean => {
      const order = sureOrder(model, fragment, { rf, mo });
      return fragment.some((_, i) => m.related(order, i, i));
    };
    const there = fragment.filter((e) => e.location === location);
    const written = there.filter((e) => e.value !== undefined);
    /** Does a write in between keep a read from reading from another write? */
    const isBetween = (by: Event, write: Event, read: Event): boolean => {
      const rf = [[at(write), at(read)]] as const;
      const isFirst = impossible(rf, [[at(write), at(by)]]);
      return isFirst && (write.thread === INITIAL || impossible(rf, [[at(by), at(write)]]));
    };
    const isOwn = (read: Event): boolean => {
      const own = written.filter((w) => turn(w) === turn(read));
      return written.every((w) => own.includes(w) || own.some((by) => isBetween(by, w, read)));
    };
    const isOverwritten = (w: Event): boolean => {
      const later = written.filter((by) => turn(by) === 1);
      return later.length > 0 && later.every((by) => impossible([], [[at(by), at(w)]]));
    };
    return (
      there.every((e) => e.reads !== true || isOwn(e)) &&
      written.every((w) => turn(w) !== 0 || isOverwritten(w))
    );
  });
}

type Pair = readonly [number, number];
