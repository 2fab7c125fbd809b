import type { Machine, Move, TakenStep } from './machine.js';
import { Undefined } from './compute.js';

/** What keeps a search from going on for ever. */
export interface SearchRoom {
  /** How many states are remembered. */
  readonly limit?: number;
  /** When to give up, as `performance.now()` counts. */
  readonly deadline?: number;
}

/** What a search leaves open. */
export interface SearchEnd {
  /** How many states were reached. */
  readonly explored: number;
  /** Why there may be other final states, if there may. */
  readonly incomplete?: string;
  /** Runs in which a loop goes round more often were not tried. */
  readonly upTo?: number;
}

/** How a state was first reached: from the state with a number, by a move. */
interface Arrival {
  readonly from: number;
  readonly move: Move | undefined;
}

/** So many states are left between two looks at the clock. */
const BREATH = 256;

/**
 * Goes through the states of a machine, those first that take the fewest moves. `end` hears of each final state, and of a run to it: true ends the search.
 */
export function search(
  machine: Machine,
  { limit = Infinity, deadline = Infinity }: SearchRoom,
  end: (s: Int32Array, run: () => readonly TakenStep[]) => boolean | void,
): SearchEnd {
  const seen = new Set<string>();
  const arrivals: Arrival[] = [];
  const open: (Int32Array | undefined)[] = [];
  const arrive = (from: number, move: Move | undefined): void => {
    const key = machine.s.join();
    if (seen.has(key)) return;
    seen.add(key);
    arrivals.push({ from, move });
    open.push(machine.s.slice());
  };
  const ended = (incomplete?: string): SearchEnd => ({
    explored: seen.size,
    ...(incomplete !== undefined && { incomplete }),
    ...(machine.cut < Infinity && { upTo: machine.cut }),
  });
  try {
    machine.reset();
    if (!machine.discarded) arrive(-1, undefined);
    for (let at = 0; at < open.length; at++) {
      if (seen.size > limit) return ended(`limit of ${limit} states reached`);
      if (at % BREATH === 0 && performance.now() > deadline) return ended('time limit reached');
      const s = open[at]!;
      open[at] = undefined;
      if (machine.isFinal(s)) {
        const run = (): readonly TakenStep[] => machine.follow(movesTo(arrivals, at));
        if (end(s, run) === true) return ended();
      }
      machine.successors(s, (move) => arrive(at, move));
    }
  } catch (error) {
    if (!(error instanceof Undefined)) throw error;
    return ended(error.message);
  }
  return ended(
    machine.full.size === 0 ? undefined : 'more calls were unfinished than there was room for',
  );
}

function movesTo(arrivals: readonly Arrival[], state: number): readonly Move[] {
  const moves: Move[] = [];
  for (let at = arrivals[state]; at.move !== undefined; at = arrivals[at.from]) moves.push(at.move);
  return moves.reverse();
}
