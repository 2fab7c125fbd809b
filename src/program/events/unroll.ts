import type { Program } from '../program.js';
import { libraryMarks } from '../../model/instructions/library.js';
import { StructureDraft } from './draft.js';
import type { DraftOptions } from './draft.js';
import { initialWrites } from './initial.js';
import { instructionsOf } from '../instructions.js';
import type { Loop } from './iterations.js';
import type { Event, EventStructure, Value } from './structure.js';
import type { Iteration } from './thread.js';
import { ThreadUnroller } from './thread.js';

/** The bound of loops if neither the file nor the user gives one. */
export const DEFAULT_BOUND = 3;

export interface UnrollOptions {
  /**
   * Whether threads may stop anywhere, so that executions have a prefix of the events of each
   * thread (decidability paper, Def. 1). Registers then have no final values.
   */
  readonly prefixes?: boolean;
  /**
   * If only final states are asked for, the labels of reads that the model lets be left out. Loops that only read so have
   * only their last iteration, and no bound (`iterations.ts`).
   */
  readonly leavable?: readonly string[];
  /** Whether threads may stop where they wait for ever, and marks are noted (`check/waits.ts`). */
  readonly waits?: boolean;
  /** Loops of which the last iteration is enough although they do more than read (`check/quiet-loops.ts`), by their places in `loopsOf`. */
  readonly shortened?: readonly number[];
  /** Whether events say what they depend on (`dependencies.ts`): few models ask. */
  readonly dependencies?: boolean;
}

/**
 * Unrolls a program to guarded events (docs/architecture.md, "Events"; TSO paper, Fig. 23). Loops run at most as often
 * as their own bound says, or else `bound`, or else the file's; if they could go on, a cut is recorded. Locations that
 * no event accesses have no initial write.
 */
export function unroll(
  program: Program,
  bound?: number,
  options: UnrollOptions = {},
): EventStructure {
  return unrollWithin(Infinity, program, bound, options)!;
}

/** The result of unrolling a program: its size, or the limit that it exceeds. */
type Unrolled =
  | { readonly size: number; readonly structure: EventStructure }
  | { readonly beyond: number };

const known = new WeakMap<Program, Map<string, Unrolled>>();

/**
 * The same with a limit: undefined if there are more than `limit` events and iterations of loops; unrolling then stops
 * soon after the limit. For several models with the same options, a program is unrolled only once.
 */
export function unrollWithin(
  limit: number,
  program: Program,
  bound = program.bound ?? DEFAULT_BOUND,
  {
    prefixes = false,
    waits = false,
    leavable = [],
    shortened = [],
    dependencies = false,
  }: UnrollOptions = {},
): EventStructure | undefined {
  const ofProgram = known.get(program) ?? new Map<string, Unrolled>();
  known.set(program, ofProgram);
  const key = `${bound} ${prefixes} ${waits} ${leavable.join()} ${dependencies} ${shortened.join()}`;
  const before = ofProgram.get(key);
  if (before !== undefined && 'size' in before) {
    return before.size <= limit ? before.structure : undefined;
  }
  if (before !== undefined && limit <= before.beyond) return undefined;
  const loops = shortened.length === 0 ? [] : loopsOf(program);
  const made = unrolled(program, {
    bound,
    prefixes,
    waits,
    leavable,
    dependencies,
    shortened: new Set(shortened.map((place) => loops[place])),
    limit,
  });
  ofProgram.set(key, made);
  return 'size' in made ? made.structure : undefined;
}

function unrolled(program: Program, options: DraftOptions): Unrolled {
  const draft = new StructureDraft(program, options);
  addInitialWrites(draft, program);
  const registers = program.threads.map((thread, index) => {
    addMarks(draft, program, index);
    return new ThreadUnroller(draft, thread, index).unroll();
  });
  if (draft.isFull()) return { beyond: options.limit };
  const { events, constraints, cuts, divisions, groups, ways, table, shortened, unclear } = draft;
  const { bound, prefixes } = options;
  const { waits, passes, assumes } = draft;
  const structure = {
    program,
    events,
    values: table.values,
    constraints,
    cuts,
    divisions,
    ...(groups.length === 0 ? {} : { groups }),
    ...(ways.length === 0 ? {} : { ways }),
    registers,
    bound,
    choices: table.choices(),
    prefixes,
    shortened,
    ...(unclear && { unclear }),
    ...(options.waits === true && { waits, passes, assumes }),
  };
  return { size: draft.size(), structure };
}

/** Some iterations of one loop, from registers that may hold anything, after the initial writes. */
export interface Iterated {
  readonly initial: readonly Event[];
  readonly iterations: readonly Iteration[];
  readonly values: readonly Value[];
}

/**
 * Unrolls one loop of a thread alone, which has a condition over registers.
 *
 * @returns undefined if a run of it may divide by zero, or goes on in a loop inside of it
 */
export function iterated(
  program: Program,
  thread: number,
  loop: Loop,
  times: number,
): Iterated | undefined {
  const options = { bound: 0, prefixes: false, leavable: [], limit: Infinity };
  const draft = new StructureDraft(program, { ...options, shortened: new Set() });
  addInitialWrites(draft, program);
  const initial = [...draft.events];
  const unroller = new ThreadUnroller(draft, program.threads[thread], thread);
  const iterations = unroller.iterate(loop, times);
  if (draft.divisions.length > 0 || draft.cuts.length > 0) return undefined;
  return { initial, iterations, values: draft.table.values };
}

/** The loops of a program, in the order of its text. */
export const loopsOf = ({ threads }: Program): readonly Loop[] =>
  threads.flatMap(({ body }) => [...instructionsOf(body)].filter((i) => i.kind === 'loop'));

function addInitialWrites(draft: StructureDraft, program: Program): void {
  for (const event of initialWrites(program)) {
    const value = draft.table.constant(program.locations[event.location].initial);
    draft.add({ ...event, home: draft.nodeOf(event.location), value, path: [] });
  }
}

/** Adds the marks of a thread: one for each of its roles in an object, if relations use these marks. */
function addMarks(
  draft: StructureDraft,
  { objects = [], instructions }: Program,
  thread: number,
): void {
  for (const [object, { library, roles }] of objects.entries()) {
    const declared = instructions.libraries.find(({ name }) => name === library)?.roles ?? [];
    for (const { name, marked } of declared) {
      if (!marked || roles[name]?.includes(thread) !== true) continue;
      const mark = libraryMarks(library, name);
      draft.add({ thread, label: mark, mark, library, object, path: [] });
    }
  }
}
