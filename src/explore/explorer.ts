import type { Explorer, SearchLimits } from '../check/explorer.js';
import type { Answer } from '../check/result.js';
import { beyondBound } from '../check/vacuity.js';
import { holds } from '../check/witness/witness.js';
import { isOutOfOrder } from '../machine/layers.js';
import type { Machine } from '../machine/machine.js';
import type { Model } from '../model/term.js';
import type { FinalState } from '../program/final.js';
import { finalState } from '../program/final.js';
import type { Test } from '../program/program.js';
import { stateQuery } from '../program/program.js';
import { observedSubjects } from '../program/subjects.js';
import type { Found } from './answer.js';
import { shownBy } from './answer.js';
import { subjectValues } from './asked.js';
import { machineFinals, machineForFinals, ofPrograms, searchFinals } from './finals.js';
import { noMachineFor } from './prepare.js';
import { stepsIn } from './runs.js';
import { tellSteps } from './told.js';
import { byWholeMachine } from './whole/explorer.js';

/** How many states are remembered: what a gigabyte has room for. */
const STATES = 2_000_000;

/** Explores the machine that a model is. */
export const byModelMachine: Explorer = {
  decide(test, model, queries, limits) {
    if (isOutOfOrder(model)) return byWholeMachine.decide(test, model, queries, limits);
    return decide(test, model, queries, limits);
  },
  outcomes(test, model, subjects, counted, limits) {
    if (isOutOfOrder(model)) return byWholeMachine.outcomes(test, model, subjects, counted, limits);
    const { program } = test;
    const started = performance.now();
    const { limit = STATES, deadline } = limits;
    const found = machineFinals(program, model, {
      ...ofPrograms(program, limits),
      subjects,
      states: limit,
      deadline,
    });
    const milliseconds = performance.now() - started;
    if ('message' in found) {
      return { states: [], flags: [], incomplete: noMachineFor(found), milliseconds };
    }
    const { states, incomplete, upTo } = found;
    return { states, flags: [], incomplete, upTo, milliseconds };
  },
};

/** Answers all queries in one exploration, which ends when each has a run that answers it. */
function decide(
  test: Test,
  model: Model,
  queries: readonly number[],
  limits: SearchLimits,
): readonly Answer[] {
  const started = performance.now();
  const { program } = test;
  const subjects = observedSubjects(test);
  const machine = machineForFinals(program, model, { ...ofPrograms(program, limits), subjects });
  const found =
    'message' in machine
      ? queries.map((): Found => ({ verdict: 'unknown', reason: noMachineFor(machine) }))
      : decideOn(machine, model, test, queries, limits);
  const milliseconds = (performance.now() - started) / queries.length;
  return queries.map((query, i) => ({ query, flags: [], milliseconds, ...found[i] }));
}

function decideOn(
  machine: Machine,
  model: Model,
  test: Test,
  queries: readonly number[],
  { limit = STATES, deadline }: SearchLimits,
): readonly Found[] {
  const { program } = test;
  const subjects = observedSubjects(test);
  const shown = new Map<number, { readonly state: FinalState; readonly index: number }>();
  let ends = 0;
  const end = searchFinals(machine, { states: limit, deadline }, (s, index) => {
    ends += 1;
    const final = subjectValues(machine.layout, s);
    for (const query of queries) {
      const { quantifier, condition } = stateQuery(test, query);
      const isShown = holds(condition, final) !== (quantifier === 'forall');
      if (!isShown || shown.has(query)) continue;
      shown.set(query, { state: finalState(program, subjects, final), index });
    }
    return shown.size === queries.length;
  });
  const { incomplete: reason, upTo } = end;
  return queries.map((query): Found => {
    const isUniversal = stateQuery(test, query).quantifier === 'forall';
    const example = shown.get(query);
    if (example !== undefined) {
      const { state, index } = example;
      const found = end.runTo(index);
      const run = tellSteps(machine, stepsIn(found));
      const verdict = isUniversal ? 'fails' : 'allowed';
      return shownBy(machine, model, found, { verdict, state, run });
    }
    if (reason !== undefined) return { verdict: 'unknown', reason };
    if (ends > 0) return { verdict: isUniversal ? 'holds' : 'forbidden', upTo };
    return upTo === undefined
      ? { verdict: 'vacuous', reason: 'no run of the machine comes to an end' }
      : beyondBound(program, upTo);
  });
}
