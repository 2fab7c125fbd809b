import type { Machine, TakenStep } from '../machine/machine.js';
import type { TakenMove } from './retrace.js';
import { movesIn, retraced, firstMove } from './retrace.js';
import type { Run } from './runs.js';

/** Calls that are not finished by then are not: some model lets them wait for what does not come. */
const MOST_MOVES = 1000;

/**
 * A run, and behind it what is left to do for the calls that are not finished: no thread begins another one, where that can be. It is the run as the machine takes it
 * with all values, also those that are in no state's bytes.
 *
 * @returns undefined where the machine does not take such steps, or not all calls can be finished
 */
export function finished(machine: Machine, run: Run): readonly TakenStep[] | undefined {
  const start = firstMove(machine);
  if (start === undefined) return undefined;
  const moves = retraced(machine, start.state, run.moves.flat(), () => true);
  if (moves === undefined) return undefined;
  const done = [...start.told, ...moves.flatMap(({ told }) => told)];
  let state = moves.at(-1)?.state ?? start.state;
  for (let left = MOST_MOVES; !isIdle(machine, state); left--) {
    const next = left === 0 ? undefined : finishing(movesIn(machine, state));
    if (next === undefined) return undefined;
    done.push(...next.told);
    ({ state } = next);
  }
  return done;
}

const isIdle = (machine: Machine, state: Int32Array): boolean =>
  machine.codes.every((_, t) => machine.controlOf(state, t).isIdle);

/** A step of a call, with which no other one begins if there is such a step. */
function finishing(moves: readonly TakenMove[]): TakenMove | undefined {
  const ofCalls = moves.filter(({ told: [first] }) => first?.kind === 'event');
  return ofCalls.find(({ told }) => told.every(({ kind }) => kind !== 'begin')) ?? ofCalls[0];
}
