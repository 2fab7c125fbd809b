import type { Program, Subject } from './program.js';
import { subjectName } from './subjects.js';

/** Final values by name, in the order in which the subjects were given. */
export type FinalState = Readonly<Record<string, number>>;

/** The final state over the given subjects, each of which has a value. */
export function finalState(
  program: Program,
  subjects: readonly Subject[],
  value: (subject: Subject) => number | undefined,
): FinalState {
  return Object.fromEntries(subjects.map((s) => [subjectName(program, s), value(s)!]));
}

/** Looks final values up in a state that was listed over the given subjects. */
export function finalsOf(
  program: Program,
  subjects: readonly Subject[],
  state: FinalState,
): (subject: Subject) => number | undefined {
  const known = new Set(subjects.map((s) => subjectName(program, s)));
  return (subject) => {
    const name = subjectName(program, subject);
    return known.has(name) ? state[name] : undefined;
  };
}

/** What tells the final states of one list of subjects apart. */
export const stateKey = (state: FinalState): string => Object.values(state).join();

/** By the values in order: the order in which herd lists states, but numeric. */
export function compareStates(a: FinalState, b: FinalState): number {
  const [x, y] = [Object.values(a), Object.values(b)];
  const i = x.findIndex((v, k) => v !== y[k]);
  return i < 0 ? 0 : x[i] - y[i];
}
