import type { SearchLimits } from '../../check/explorer.js';
import type { Answer } from '../../check/result.js';
import type { Layout } from './layout.js';
import type { Explored, Limits } from './search.js';
import type { Step } from './step.js';
import { told } from './told.js';

/** How many entries a buffer can hold where nothing else is said. */
export const DEFAULT_ROOM = 4;

export interface RunLimits extends SearchLimits {
  /** How many bytes states may take. */
  readonly memory?: number | undefined;
  /** How many entries a buffer can hold. */
  readonly room?: number;
  /** Whether steps that can be taken at once are; by default, they are. */
  readonly reduce?: boolean;
  /** Hears, now and then, how many states there are. */
  readonly progress?: (states: number) => void;
}

/** What is found out about a query, without its index. */
export type Found = Omit<Answer, 'query' | 'flags' | 'milliseconds'>;

export const limitsOf = ({ limit, deadline, memory }: RunLimits): Limits => ({
  states: limit,
  deadline,
  ...(memory !== undefined && { memory }),
});

/** What an answer says of the exploration that it rests on. */
export function restsOn(
  explored: Explored,
  room: number,
): Pick<Answer, 'states' | 'symmetry' | 'full' | 'room'> {
  const full = [...explored.machine.full].sort();
  return { ...sizeOf(explored), ...(full.length === 0 ? {} : { full, room }) };
}

export const sizeOf = ({ states, ways }: Explored): Pick<Answer, 'states' | 'symmetry'> =>
  ways === 1 ? { states } : { states, symmetry: ways };

/** The steps of a shortest run to a state. */
export function runTo(explored: Explored, state: number): readonly Step[] {
  const way = explored.wayTo(state);
  const steps = way.slice(1).flatMap((to, i) => explored.steps(way[i], (found) => found === to));
  return [...explored.beginning(), ...steps];
}

/** A run, and the round behind it, as an answer has them. */
export function inLines(
  layout: Layout,
  run: readonly Step[],
  round?: readonly Step[],
): Pick<Answer, 'run' | 'round' | 'steps'> {
  const steps = told(layout, [...run, ...(round ?? [])], round === undefined);
  const { length } = told(layout, run, false);
  const lines = steps.map(({ text }) => text);
  return { run: lines.slice(0, length), round: round && lines.slice(length), steps };
}
