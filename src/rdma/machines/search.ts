import type { Program } from '../../program/program.js';
import type { Hardware } from './hardware.js';
import type { Machine, Transition } from './machine.js';
import { createMachine, isFinal, startOf, stepsOf, stopOf } from './machine.js';
import type { Sharing } from './reduction.js';
import { isFree, sharingOf } from './reduction.js';
import type { MachineState } from './state.js';
import { stateKey } from './state.js';
import type { Stop } from './thread.js';

export interface ExploreOptions {
  /** Overrides the file's loop bound. */
  readonly bound?: number;
  /** How many states are remembered before the search gives up. */
  readonly stateLimit?: number;
  /** When to give up, as `performance.now()` counts. */
  readonly deadline?: number;
  /** Whether to follow free transitions alone (see `isFree`). Default: yes. */
  readonly reduce?: boolean;
}

export const DEFAULT_STATE_LIMIT = 200_000;

/** A state that the search has reached, with several transitions to follow, or with none. */
export interface Visit {
  readonly state: MachineState;
  readonly final: boolean;
  readonly stop?: Stop;
  /** The transitions that lead here from the visit before, and that visit. */
  readonly steps: readonly Transition[];
  readonly before?: Visit;
}

export interface StateSearch {
  readonly machine: Machine;
  readonly start: MachineState;
  /**
   * All states with several transitions to follow, or with none, each once. The search ends, because loops are
   * bounded and an entry of a buffer never moves back.
   *
   * @returns why the search was given up, if it was
   */
  visits(order: 'depth-first' | 'breadth-first'): Generator<Visit, string | undefined>;
}

export function createSearch(
  program: Program,
  hardware: Hardware,
  { bound, stateLimit = DEFAULT_STATE_LIMIT, deadline = Infinity, reduce = true }: ExploreOptions,
): StateSearch {
  const machine = createMachine(program, hardware, bound);
  const sharing = reduce ? sharingOf(program) : undefined;
  const start = startOf(machine);

  function* visits(order: 'depth-first' | 'breadth-first'): Generator<Visit, string | undefined> {
    const seen = new Set<string>();
    /** Takes the given transitions, and goes on as long as there is only one to follow. */
    const arrive = (
      from: readonly Transition[],
      before?: Visit,
    ): Visit & { next: readonly Transition[] } => {
      const steps = [...from];
      for (;;) {
        const state = steps.at(-1)?.state ?? start;
        const stop = stopOf(machine, state);
        const next = stop ? [] : waysOn(machine, state, sharing);
        if (next.length === 1) {
          steps.push(next[0]);
          continue;
        }
        const final = next.length === 0 && stop === undefined && isFinal(machine, state);
        return { state, final, steps, next, stop, before };
      }
    };
    const open: ReturnType<typeof arrive>[] = [];
    let head = 0;
    for (let arrivals = [arrive([])]; ;) {
      for (const visit of arrivals) {
        const key = stateKey(visit.state);
        if (seen.has(key)) continue;
        if (seen.size === stateLimit) return `state limit of ${stateLimit} reached`;
        if (seen.size % 256 === 0 && performance.now() > deadline) {
          return `time limit reached after ${seen.size} states`;
        }
        seen.add(key);
        yield visit;
        open.push(visit);
      }
      const from = order === 'breadth-first' ? open[head++] : open.pop();
      if (from === undefined) return undefined;
      arrivals = from.next.map((step) => arrive([step], from));
    }
  }
  return { machine, start, visits };
}

/** The transitions to follow from a state: a free one alone, if there is one. */
function waysOn(machine: Machine, state: MachineState, sharing?: Sharing): readonly Transition[] {
  const steps: Transition[] = [];
  for (const step of stepsOf(machine, state)) {
    if (sharing && isFree(sharing, machine.hardware, state, step.move)) return [step];
    steps.push(step);
  }
  return steps;
}
