import type { Model } from '../model/term.js';
import type { FinalState } from '../program/final.js';
import { compareStates, finalState } from '../program/final.js';
import type { Program, Subject } from '../program/program.js';
import { refusalFor } from './accept.js';
import type { Refusal } from './layers.js';
import { readLayers } from './layers.js';
import { callsOf } from './classes.js';
import { layoutOf } from './layout.js';
import { Machine } from './machine.js';
import { ModelRelations } from './relations.js';
import type { SearchEnd, SearchRoom } from './search.js';
import { search } from './search.js';
import { Threads } from './threads.js';

/** What is asked of a machine. */
export interface MachineOptions {
  readonly subjects: readonly Subject[];
  /** How often loops without a bound of their own go round at most; without it, any number of times. */
  readonly bound?: number;
  /** How many calls of a thread can be unfinished at a time. */
  readonly room: number;
  /** Whether steps that can come first do; by default, they do. Without it, exploration is slow, and a check of that. */
  readonly reduces?: boolean;
}

/** The final states of a program on the machine of a model. */
export interface Finals extends SearchEnd {
  readonly states: readonly FinalState[];
}

/** A program on the machine that a model is. */
export interface ProgramMachine {
  readonly machine: Machine;
  /** The value of a subject that was asked for, in a final state. */
  final(s: Int32Array, subject: Subject): number;
}

/** The machine that a model is, for a program in its instructions; or why it is none for this program. */
export function machineOf(
  program: Program,
  model: Model,
  { subjects, bound, room, reduces = true }: MachineOptions,
): ProgramMachine | Refusal {
  const layers = readLayers(model);
  if ('message' in layers) return layers;
  const calls = callsOf(program, { resting: true, ...(bound !== undefined && { bound }) });
  const relations = new ModelRelations(model, layers, program.instructions);
  const ranked = program.instructions.guesses.flatMap((guess) =>
    guess.how === 'kth' ? [guess.name] : [],
  );
  const threads = new Threads(calls.classes, relations, ranked);
  const refusal = refusalFor(calls.classes, relations, threads);
  if (refusal !== undefined) return refusal;
  const wanted = new Set(subjects.map(keyOf));
  const isFinal = program.locations.map((_, location) =>
    wanted.has(keyOf({ kind: 'location', location })),
  );
  const layout = layoutOf(program, calls, room, isFinal);
  const machine = new Machine(layout, relations, ranked, {
    isKept: (thread, register) => wanted.has(keyOf({ kind: 'register', thread, register })),
    locations: new Set(),
    reduces,
  });
  const slotOf = (subject: Subject): number =>
    subject.kind === 'location'
      ? layout.memory + subject.location
      : layout.slotOf(subject.thread, { kind: 'register', register: subject.register });
  return { machine, final: (s, subject) => s[slotOf(subject)] };
}

/**
 * All final states of a program on the machine that a model is, or why the model is none for this program. A run in which a
 * thread waits for ever has no final state.
 */
export function machineFinals(
  program: Program,
  model: Model,
  options: MachineOptions & SearchRoom,
): Finals | Refusal {
  const { subjects } = options;
  const made = machineOf(program, model, options);
  if ('message' in made) return made;
  const found = new Map<string, FinalState>();
  const walked = search(made.machine, options, (s) => {
    const state = finalState(program, subjects, (subject) => made.final(s, subject));
    found.set(Object.values(state).join(), state);
  });
  return { states: [...found.values()].sort(compareStates), ...walked };
}

const keyOf = (subject: Subject): string =>
  subject.kind === 'location' ? `${subject.location}` : `${subject.thread}:${subject.register}`;
