import type { Model } from '../model/term.js';
import type { FinalState } from '../program/final.js';
import { compareStates, finalState } from '../program/final.js';
import type { Program, Subject } from '../program/program.js';
import type { Refusal } from './accept.js';
import { readLayers, refusalFor } from './accept.js';
import { callsOf } from './classes.js';
import { Undefined } from './compute.js';
import { layoutOf } from './layout.js';
import { Machine } from './machine.js';
import { ModelRelations } from './relations.js';
import { Threads } from './threads.js';

/** What is asked of a machine, and what keeps it from going on for ever. */
export interface FinalsOptions {
  readonly subjects: readonly Subject[];
  /** How often loops without a bound of their own go round at most; without it, any number of times. */
  readonly bound?: number;
  /** How many calls of a thread can be unfinished at a time. */
  readonly room: number;
  /** How many states are remembered. */
  readonly limit?: number;
  /** Whether steps that can come first do; by default, they do. Without it, exploration is slow, and a check of that. */
  readonly reduces?: boolean;
}

/** The final states of a program on the machine of a model. */
export interface Finals {
  readonly states: readonly FinalState[];
  /** How many states were reached. */
  readonly explored: number;
  /** Why there may be others, if there may. */
  readonly incomplete?: string;
  /** Runs in which a loop goes round more often were not tried. */
  readonly upTo?: number;
}

/**
 * All final states of a program on the machine that a model is, or why the model is none for this program. The program is in the instructions of the model. A run in which a
 * thread waits for ever has no final state.
 */
export function machineFinals(
  program: Program,
  model: Model,
  options: FinalsOptions,
): Finals | Refusal {
  const layers = readLayers(model);
  if ('message' in layers) return layers;
  const { subjects, bound, room } = options;
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
    reduces: options.reduces ?? true,
  });
  const found = new Map<string, FinalState>();
  const walked = walk(machine, options.limit ?? Infinity, (s) => {
    const value = (subject: Subject): number =>
      subject.kind === 'location'
        ? s[layout.memory + subject.location]
        : s[layout.slotOf(subject.thread, { kind: 'register', register: subject.register })];
    const state = finalState(program, subjects, value);
    found.set(Object.values(state).join(), state);
  });
  return {
    states: [...found.values()].sort(compareStates),
    ...walked,
    ...(machine.cut < Infinity && { upTo: machine.cut }),
  };
}

/** Goes through all states of a machine; `end` hears of the final ones. */
function walk(
  machine: Machine,
  limit: number,
  end: (s: Int32Array) => void,
): Pick<Finals, 'explored' | 'incomplete'> {
  const seen = new Set<string>();
  const open: Int32Array[] = [];
  const arrive = (): void => {
    const key = machine.s.join();
    if (seen.has(key)) return;
    seen.add(key);
    open.push(machine.s.slice());
  };
  try {
    machine.reset();
    if (!machine.discarded) arrive();
    for (let s = open.pop(); s !== undefined; s = open.pop()) {
      const { size: explored } = seen;
      if (explored > limit) return { explored, incomplete: `limit of ${limit} states reached` };
      if (machine.isFinal(s)) end(s);
      machine.successors(s, arrive);
    }
  } catch (error) {
    if (!(error instanceof Undefined)) throw error;
    return { explored: seen.size, incomplete: error.message };
  }
  if (machine.full.size === 0) return { explored: seen.size };
  return { explored: seen.size, incomplete: 'more calls were unfinished than there was room for' };
}

const keyOf = (subject: Subject): string =>
  subject.kind === 'location' ? `${subject.location}` : `${subject.thread}:${subject.register}`;
