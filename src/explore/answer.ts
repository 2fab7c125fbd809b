import type { SearchLimits } from '../check/explorer.js';
import type { Answer } from '../check/result.js';
import type { Machine, TakenStep } from '../machine/machine.js';
import type { Model } from '../model/term.js';
import { wrongRun } from './judge.js';
import type { Run } from './runs.js';
import type { Explored, Limits } from './search.js';
import { tellRun } from './told.js';

/** How many calls of a thread can be unfinished on one queue pair, or on none, where nothing else is said. */
export const DEFAULT_ROOM = 4;

export interface RunLimits extends SearchLimits {
  /** How many bytes states may take. */
  readonly memory?: number | undefined;
  /** How many calls of a thread can be unfinished on one queue pair, or on none. */
  readonly room?: number;
  /** Whether steps that can come first do; by default, they do. */
  readonly reduces?: boolean;
  /** Hears, now and then, how many states there are. */
  readonly progress?: (states: number) => void;
}

/** What is found out about a query, without its index. */
export type Found = Omit<Answer, 'query' | 'flags' | 'milliseconds'>;

export const limitsOf = ({ limit, deadline, memory }: RunLimits): Limits => ({
  states: limit,
  deadline,
  memory,
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

/** A run to a state, or another one, and the round behind it, as an answer has them. */
export function inLines(
  machine: Machine,
  run: readonly TakenStep[],
  round?: readonly TakenStep[],
): Pick<Answer, 'run' | 'round' | 'steps'> {
  const steps = tellRun(machine, [...run, ...(round ?? [])], round === undefined);
  const { length } = tellRun(machine, run, false);
  const lines = steps.map(({ text }) => text);
  return { run: lines.slice(0, length), round: round && lines.slice(length), steps };
}

/** An answer that a run shows; if the axioms do not allow the run, there is none. */
export function shownBy(machine: Machine, model: Model, run: Run, found: Found): Found {
  const reason = wrongRun(machine, model, run);
  return reason === undefined ? found : { verdict: 'unknown', reason };
}
