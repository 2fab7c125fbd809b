import type { Model } from '../model/term.js';
import type { Machine } from '../machine/machine.js';
import type { Refusal } from '../machine/layers.js';
import type { Program } from '../program/program.js';
import type { RunLimits } from './answer.js';
import { DEFAULT_ROOM, limitsOf } from './answer.js';
import { askedAlways } from './asked.js';
import { follow } from './follow.js';
import { machineOf, noMachineFor } from './prepare.js';
import type { Bad, Safety } from './safety.js';
import { BadStates, badState, isSameFor, subjectsOfRuns } from './safety.js';
import type { Explored } from './search.js';
import { explore } from './search.js';

/** Whose steps a run takes, one after the other, by their names. */
export type StepNames = readonly string[];

const machineFor = (
  program: Program,
  model: Model,
  queries: readonly Safety[],
  { room = DEFAULT_ROOM, reduces = true }: RunLimits,
): Machine | Refusal =>
  machineOf(program, model, {
    ...askedAlways(subjectsOfRuns(queries)),
    ...{ room, reduces, resting: false },
  });

/**
 * Can some state be bad for one of the queries? Ends at the first one.
 *
 * @returns a shortest way there; or why not all states could be reached
 */
export function findBad(
  program: Program,
  model: Model,
  queries: readonly Safety[],
  limits: RunLimits,
):
  | { readonly kind: 'found'; readonly way: StepNames }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly reason: string } {
  const machine = machineFor(program, model, queries, limits);
  if ('message' in machine) return { kind: 'unknown', reason: noMachineFor(machine) };
  const bad = new BadStates(machine, queries);
  const isFound = (): boolean => bad.found.some((one) => one !== undefined);
  const explored = explore(
    machine,
    {
      state(s, state) {
        bad.see(s, state);
        return isFound();
      },
      failed(state) {
        bad.seeFailure(state);
        return isFound();
      },
      progress: limits.progress,
      isSame: (p, holds) => isSameFor(machine.layout, queries, p, holds),
    },
    false,
    limitsOf(limits),
  );
  const first = bad.found.find((one) => one !== undefined);
  if (first !== undefined) return { kind: 'found', way: actorsTo(explored, first) };
  const { incomplete: reason } = explored;
  return reason === undefined ? { kind: 'none' } : { kind: 'unknown', reason };
}

function actorsTo(explored: Explored, { state, fails }: Bad): StepNames {
  const way: string[] = [];
  const note = (from: number, is: (to: number, failed: boolean) => boolean): void => {
    explored.steps(from, (to, actor, failed) => {
      const found = is(to, failed);
      if (found) way.push(explored.machine.actors.name(actor));
      return found;
    });
  };
  const states = explored.wayTo(state);
  states.slice(1).forEach((next, i) => note(states[i], (to) => to === next));
  if (fails && state >= 0) note(state, (_, failed) => failed);
  return way;
}

/** Looks for a way to a bad state near one that another program has, with the same threads and queue pairs: see `follow`. */
export function findNear(
  way: StepNames,
  program: Program,
  model: Model,
  queries: readonly Safety[],
  limits: RunLimits,
): StepNames | undefined {
  const machine = machineFor(program, model, queries, limits);
  if ('message' in machine) return undefined;
  const tests = queries.map((query) => badState(query, machine));
  const isAsserted = queries.some(({ quantifier }) => quantifier === 'assertions');
  return follow(
    machine,
    way,
    ({ s, failed }) => (isAsserted && failed) || tests.some((isBad) => isBad(s)),
  );
}
