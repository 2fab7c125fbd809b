import type { TakenStep } from '../machine/machine.js';
import type { Explored } from './search.js';

/** A run as the machine makes it: what is done before the first state, and then, for each of its steps, all that comes of it at once. */
export interface Run {
  readonly beginning: readonly TakenStep[];
  readonly moves: readonly (readonly TakenStep[])[];
}

/** A shortest run to a state. */
export function runTo(explored: Explored, state: number): Run {
  const way = explored.wayTo(state);
  const moves = way.slice(1).map((to, i) => explored.steps(way[i], (found) => found === to));
  return { beginning: explored.beginning(), moves };
}

/** All that is done in a run. */
export const stepsIn = ({ beginning, moves }: Run): readonly TakenStep[] => [
  ...beginning,
  ...moves.flat(),
];
