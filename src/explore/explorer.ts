import type { Explorer, SearchLimits } from '../check/explorer.js';
import type { Answer } from '../check/result.js';
import { isOutOfOrder } from '../machine/layers.js';
import type { Model } from '../model/term.js';
import type { Test } from '../program/program.js';
import { observedSubjects } from '../program/subjects.js';
import { shownBy } from './answer.js';
import { subjectValues } from './asked.js';
import { answersByFinals, timed } from './final-answers.js';
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

function decide(
  test: Test,
  model: Model,
  queries: readonly number[],
  limits: SearchLimits,
): readonly Answer[] {
  const { program } = test;
  const { limit = STATES, deadline } = limits;
  const subjects = observedSubjects(test);
  return timed(queries, () => {
    const machine = machineForFinals(program, model, { ...ofPrograms(program, limits), subjects });
    if ('message' in machine)
      return queries.map(() => ({ verdict: 'unknown', reason: noMachineFor(machine) }));
    return answersByFinals(test, queries, (visit) => {
      const end = searchFinals(machine, { states: limit, deadline }, (s, index) =>
        visit(subjectValues(machine.layout, s), (claim) => {
          const found = end.runTo(index);
          const run = tellSteps(machine, stepsIn(found));
          return shownBy(machine, model, found, { ...claim, run });
        }),
      );
      return end;
    });
  });
}
