import type { Outcomes } from '../../check/result.js';
import type { FinalState } from '../../program/final.js';
import { compareStates, finalState } from '../../program/final.js';
import type { Program, Subject } from '../../program/program.js';
import { allSubjects } from '../../program/subjects.js';
import type { Hardware } from './hardware.js';
import type { Machine, Transition } from './machine.js';
import { finalValue } from './machine.js';
import type { ExploreOptions, StateSearch, Visit } from './search.js';
import { createSearch } from './search.js';
import type { MachineState } from './state.js';

/** All final states of a program on a machine. Machines raise no flags. */
export interface OperationalOutcomes extends Omit<Outcomes, 'flags'> {
  /** How many states were remembered: those with several transitions, or with none. */
  readonly explored: number;
}

/**
 * All final states of a program, by trying every run. `unsupported` must have found nothing in the program. A run in
 * which a thread waits for ever does not count.
 *
 * @param options.subjects what to list the values of; by default, everything that has a name
 */
export function exploreOutcomes(
  program: Program,
  hardware: Hardware,
  options: ExploreOptions & { readonly subjects?: readonly Subject[] } = {},
): OperationalOutcomes {
  const started = performance.now();
  const subjects = options.subjects ?? allSubjects(program);
  const found = new Map<string, FinalState>();
  let explored = 0;
  const { incomplete, upTo } = survey(
    createSearch(program, hardware, options),
    'depth-first',
    (visit) => {
      explored++;
      if (!visit.final) return;
      const state = finalState(program, subjects, (s) => finalValue(visit.state, s));
      found.set(Object.values(state).join(), state);
    },
  );
  return {
    states: [...found.values()].sort(compareStates),
    explored,
    milliseconds: performance.now() - started,
    incomplete,
    upTo,
  };
}

/** One run of a program: where it starts, and its transitions to a final state. */
export interface MachineRun {
  readonly machine: Machine;
  readonly start: MachineState;
  readonly steps: readonly Transition[];
}

export type RunSearch =
  | { readonly kind: 'found'; readonly run: MachineRun }
  /** There is no such run. With `upTo`: only runs with at most so many iterations of each loop were tried. */
  | { readonly kind: 'none'; readonly upTo?: number }
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * A run to a final state that is wanted. Of all such runs it takes the fewest decisions between transitions: a free
 * transition (see `isFree`) is no decision, and is taken as early as possible.
 */
export function findRun(
  program: Program,
  hardware: Hardware,
  wanted: (final: (subject: Subject) => number) => boolean,
  options: ExploreOptions = {},
): RunSearch {
  const search = createSearch(program, hardware, options);
  let last: Visit | undefined;
  const { incomplete, upTo } = survey(search, 'breadth-first', (visit) => {
    if (visit.final && wanted((s) => finalValue(visit.state, s))) last = visit;
    return last !== undefined;
  });
  if (last !== undefined) {
    const steps: Transition[] = [];
    for (let v: Visit | undefined = last; v !== undefined; v = v.before) steps.unshift(...v.steps);
    return { kind: 'found', run: { machine: search.machine, start: search.start, steps } };
  }
  if (incomplete !== undefined) return { kind: 'unknown', reason: incomplete };
  return { kind: 'none', upTo };
}

/** Goes through a search until `note` returns true. Says what the search did not find out. */
function survey(
  { visits }: StateSearch,
  order: Parameters<StateSearch['visits']>[0],
  note: (visit: Visit) => boolean | void,
): { readonly incomplete?: string; readonly upTo?: number } {
  let undefinedValue: string | undefined;
  let upTo = Infinity;
  const walk = visits(order);
  for (;;) {
    const next = walk.next();
    if (next.done === true) {
      const incomplete = next.value ?? undefinedValue;
      return {
        incomplete,
        upTo: upTo < Infinity ? upTo : undefined,
      };
    }
    const { stop } = next.value;
    if (stop?.kind === 'undefined') undefinedValue = stop.reason;
    if (stop?.kind === 'cut') upTo = Math.min(upTo, stop.bound);
    if (note(next.value) === true) return {};
  }
}
