import { finalsOf } from '../program/final.js';
import type { Subject, Test } from '../program/program.js';
import { holds } from './witness/witness.js';
import type { Outcomes } from './result.js';

/** The final states, among all of a test over the given subjects, that its `filter` leaves. */
export function filtered(
  { program, filter }: Test,
  subjects: readonly Subject[],
  outcomes: Outcomes,
): Outcomes {
  if (filter === undefined) return outcomes;
  const kept = outcomes.states.map((state) => holds(filter, finalsOf(program, subjects, state)));
  const { executions } = outcomes;
  return {
    ...outcomes,
    states: outcomes.states.filter((_, i) => kept[i]),
    ...(executions !== undefined && { executions: executions.filter((_, i) => kept[i]) }),
  };
}
