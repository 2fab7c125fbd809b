import type { Refusal } from '../machine/layers.js';
import type { Machine } from '../machine/machine.js';
import type { Model } from '../model/term.js';
import { DEFAULT_BOUND } from '../program/events/unroll.js';
import type { FinalState } from '../program/final.js';
import { compareStates, finalState } from '../program/final.js';
import type { Program, Subject } from '../program/program.js';
import { askedAtEnd, subjectValues } from './asked.js';
import { machineOf } from './prepare.js';
import type { Limits } from './search.js';
import type { Run } from './runs.js';
import { runTo } from './runs.js';
import { explore } from './search.js';

/** What is asked of a machine. */
export interface MachineOptions {
  readonly subjects: readonly Subject[];
  /** How often loops without a bound of their own go round at most; without it, any number of times. */
  readonly bound?: number | undefined;
  /** How many calls of a thread can be unfinished at a time, of those on one queue pair, and of those on none. */
  readonly room: number;
  /** Whether steps that can come first do; by default, they do. Without it, exploration is slow, and a check of that. */
  readonly reduces?: boolean;
}

/** How many calls of a thread can be unfinished: more than programs of a page have. */
const ROOM = 24;

/** What is asked of the machine of a program whose loops end, as far as nothing else is said. */
export const ofPrograms = (
  program: Program,
  { bound }: { readonly bound?: number | undefined },
): Pick<MachineOptions, 'bound' | 'room'> => ({
  bound: bound ?? program.bound ?? DEFAULT_BOUND,
  room: ROOM,
});

/** What a search leaves open. */
export interface SearchEnd {
  /** How many states were reached. */
  readonly explored: number;
  /** Why there may be other final states, if there may. */
  readonly incomplete?: string;
  /** Runs in which a loop goes round more often were not tried. */
  readonly upTo?: number;
}

/** The final states of a program on the machine of a model. */
export interface Finals extends SearchEnd {
  readonly states: readonly FinalState[];
}

/** The machine of a program whose final states are asked for. */
export const machineForFinals = (
  program: Program,
  model: Model,
  { subjects, bound, room, reduces = true }: MachineOptions,
): Machine | Refusal =>
  machineOf(program, model, { ...askedAtEnd(subjects), bound, room, reduces, resting: true });

/**
 * All final states of a program on the machine that a model is, or why the model is none for this program. A run in which a
 * thread waits for ever has no final state.
 */
export function machineFinals(
  program: Program,
  model: Model,
  options: MachineOptions & Limits,
): Finals | Refusal {
  const { subjects } = options;
  const machine = machineForFinals(program, model, options);
  if ('message' in machine) return machine;
  const found = new Map<string, FinalState>();
  const end = searchFinals(machine, options, (s) => {
    const state = finalState(program, subjects, subjectValues(machine.layout, s));
    found.set(Object.values(state).join(), state);
    return false;
  });
  const { explored, incomplete, upTo } = end;
  return {
    states: [...found.values()].sort(compareStates),
    explored,
    ...(incomplete !== undefined && { incomplete }),
    ...(upTo !== undefined && { upTo }),
  };
}

/** Goes through the final states of a machine. `final` hears of each, with its index: true ends the search. */
export function searchFinals(
  machine: Machine,
  limits: Limits,
  final: (s: Int32Array, index: number) => boolean,
): SearchEnd & { readonly runTo: (index: number) => Run } {
  let isEnded = false;
  const explored = explore(
    machine,
    { end: (s, index) => machine.isFinal(s) && (isEnded = final(s, index)) },
    false,
    limits,
  );
  const isCramped = !isEnded && machine.full.size > 0;
  const incomplete =
    explored.incomplete ??
    (isCramped ? 'more calls were unfinished than there was room for' : undefined);
  return {
    explored: explored.states,
    ...(incomplete !== undefined && { incomplete }),
    ...(machine.cut < Infinity && { upTo: machine.cut }),
    runTo: (index) => runTo(explored, index),
  };
}
