import type { EventStructure } from '../program/events/structure.js';
import type { UnrollOptions } from '../program/events/unroll.js';
import { unrollWithin } from '../program/events/unroll.js';
import { reachableTerms } from '../model/depends.js';
import { widthOf } from '../model/relation/bits.js';
import type { Model } from '../model/term.js';
import { modelOver } from '../program/events/narrow.js';
import { modelFor } from '../program/occasions.js';
import type { Program } from '../program/program.js';
import { readsLeftOut } from './last-iteration.js';
import { quietLoops } from './quiet-loops.js';
import { UNSETTLED, isSettled } from './settled.js';

/** How many events and iterations a program may have. The paths of long loops grow with their square. */
export const MOST_EVENTS = 10_000;

/** How many bytes the relations of a model may take over the events of a program: 1 GiB. */
const MOST_BYTES = 2 ** 30;

/** The relations for which events say what they depend on. */
export const DEPENDENCIES: readonly string[] = ['data', 'addr', 'ctrl'];

/** Why nothing is known where it matters which dependencies there are. */
export const UNCLEAR =
  'a register is from one read or another, depending on a branch, and the model asks which';

export interface StructureOptions {
  /** Whether executions in which threads stop anywhere count, too; by default, only complete ones. */
  readonly prefixes?: boolean;
  /** Whether the question is about whole executions with all their reads, and not only about final states. */
  readonly everyIteration?: boolean;
  /** Whether the question is about threads that wait for ever (`waits.ts`). */
  readonly waits?: boolean;
  /** The model whose unrolling is used, if it is another one. */
  readonly unrolledFor?: Model;
}

/** How a program is unrolled for a model. */
export function unrollingFor(
  program: Program,
  model: Model,
  { prefixes = false, everyIteration = false, waits, unrolledFor = model }: StructureOptions = {},
): UnrollOptions {
  const isAsked = DEPENDENCIES.some((name) => model.bases.includes(name));
  const dependencies = isAsked && program.dependencies !== 'none';
  if (prefixes || everyIteration) return { prefixes, dependencies };
  const used = modelFor(program, unrolledFor);
  const leavable = readsLeftOut(used);
  if (waits === true) return { waits, leavable, dependencies };
  return { leavable, shortened: quietLoops(program, used), dependencies };
}

/** Unrolls a program to be decided under a model, or says why it is too large. */
export function structureFor(
  program: Program,
  model: Model,
  bound?: number,
  options?: StructureOptions,
): EventStructure | { readonly reason: string } {
  const structure = unrollWithin(
    MOST_EVENTS,
    program,
    bound,
    unrollingFor(program, model, options),
  );
  if (structure === undefined) return { reason: `too large: more than ${MOST_EVENTS} events` };
  if (structure.unclear === true && program.dependencies === undefined) return { reason: UNCLEAR };
  if (!isSettled(structure, model)) return { reason: UNSETTLED };
  const { length } = structure.events;
  const bytes = bytesOf(modelOver(structure, model), length);
  if (bytes <= MOST_BYTES) return structure;
  const [takes, most] = [bytes, MOST_BYTES].map((n) => `${(n / 2 ** 30).toFixed(1)} GiB`);
  const relations = `the relations of ${model.name} over ${length} events`;
  return { reason: `too large: ${relations} take ${takes}, and at most ${most} is tried` };
}

/** The bytes that the bounds of the axioms' relations take: two bit matrices for each. */
function bytesOf(model: Model, events: number): number {
  const relations = [...reachableTerms(model)].filter(
    (id) => model.terms[id].kind === 'rel',
  ).length;
  return 2 * relations * events * 4 * widthOf(events);
}
