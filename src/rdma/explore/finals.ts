import type { FinalState } from '../../program/final.js';
import { compareStates, finalState } from '../../program/final.js';
import type { Program, RunSubject, Subject } from '../../program/program.js';
import type { Hardware } from './hardware.js';
import { layoutOf, registerKey } from './layout.js';
import type { Layout } from './layout.js';
import type { Slot } from './op.js';
import { explore } from './search.js';
import type { Limits } from './search.js';

/** The final states of a program, however often its loops go round. */
export interface Finals {
  readonly states: readonly FinalState[];
  /** How many states were reached. */
  readonly explored: number;
  /** Buffers that have been full. */
  readonly full: readonly string[];
  readonly incomplete?: string;
}

/**
 * All final states, over some subjects. A run in which a thread waits for ever has none.
 *
 * @param room how many entries a buffer can hold
 */
export function exploreFinals(
  program: Program,
  hardware: Hardware,
  subjects: readonly Subject[],
  room: number,
  limits: Limits = {},
): Finals {
  const layout = layoutOf(program, hardware, {
    room,
    resting: true,
    always: false,
    ...lookedAt(subjects),
    waits: [],
  });
  const found = new Map<string, FinalState>();
  const end = (s: Int32Array): void => {
    if (!isFinal(layout, s)) return;
    const state = finalState(program, subjects, (subject) => s[slotOf(layout, subject)]);
    found.set(Object.values(state).join(), state);
  };
  const explored = explore(layout, { end }, false, limits);
  return {
    states: [...found.values()].sort(compareStates),
    explored: explored.states,
    full: [...explored.machine.full],
    incomplete: explored.incomplete,
  };
}

/** What a search has to keep for the values of subjects to be right in all states. */
export const lookedAt = (subjects: readonly Subject[]) => ({
  registers: new Set(
    subjects.flatMap((s) => (s.kind === 'register' ? [registerKey(s.thread, s.register)] : [])),
  ),
  locations: new Set(subjects.flatMap((s) => (s.kind === 'location' ? [s.location] : []))),
});

/** Where the value of a subject is in a state. */
export function slotOf({ memory, registers, ghosts }: Layout, subject: RunSubject): Slot {
  switch (subject.kind) {
    case 'location':
      return memory + subject.location;
    case 'register':
      return registers[subject.thread][subject.register];
    case 'ghost':
      return ghosts[subject.ghost];
  }
}

/** Has every thread come to its end, and is nothing but completions on its way? */
function isFinal({ codes, storeBuffers, pipes, wbR, wbL }: Layout, s: Int32Array): boolean {
  return (
    codes.every(({ ops }, t) => s[t] === ops.length) &&
    [...storeBuffers, ...pipes, ...wbR].every(({ at }) => s[at] === 0) &&
    wbL.every(({ at, width }) => {
      for (let i = 0; i < s[at]; i++) if (s[at + 1 + i * width] !== 0) return false;
      return true;
    })
  );
}
