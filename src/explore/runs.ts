import type { TakenStep } from '../machine/machine.js';
import type { Explored } from './search.js';

/** The steps of a shortest run to a state. */
export function runTo(explored: Explored, state: number): readonly TakenStep[] {
  const way = explored.wayTo(state);
  const steps = way.slice(1).flatMap((to, i) => explored.steps(way[i], (found) => found === to));
  return [...explored.beginning(), ...steps];
}
