import type { Explorer, SearchLimits } from '../../check/explorer.js';
import type { Answer } from '../../check/result.js';
import { beyondBound } from '../../check/vacuity.js';
import { verifyWitness } from '../../check/witness/verify.js';
import { holds } from '../../check/witness/witness.js';
import type { Model } from '../../model/term.js';
import type { FinalState } from '../../program/final.js';
import { compareStates, finalState } from '../../program/final.js';
import type { Test } from '../../program/program.js';
import { stateQuery } from '../../program/program.js';
import { observedSubjects } from '../../program/subjects.js';
import { DISAGREE } from '../judge.js';
import type { Found } from '../answer.js';
import type { WholeRun } from './search.js';
import { searchWhole } from './search.js';
import { tellWhole } from './told.js';

/** How many states are remembered: what a gigabyte has room for. */
const STATES = 2_000_000;

/** Explores programs under models in which reads are performed out of order. */
export const byWholeMachine: Explorer = {
  decide,
  outcomes({ program }, model, subjects, _, { bound, limit = STATES, deadline }) {
    const started = performance.now();
    const found = new Map<string, FinalState>();
    const options = { subjects, bound, states: limit, deadline };
    const { incomplete, upTo } = searchWhole(program, model, options, ({ final }) => {
      const state = finalState(program, subjects, final);
      found.set(Object.values(state).join(), state);
      return false;
    });
    const states = [...found.values()].sort(compareStates);
    const milliseconds = performance.now() - started;
    return { states, flags: [], incomplete, upTo, milliseconds };
  },
};

/** Answers all queries in one exploration, which ends when each has a run that answers it. */
function decide(
  test: Test,
  model: Model,
  queries: readonly number[],
  { bound, limit = STATES, deadline }: SearchLimits,
): readonly Answer[] {
  const started = performance.now();
  const { program } = test;
  const subjects = observedSubjects(test);
  const shown = new Map<number, Found>();
  let ends = 0;
  const options = { subjects, bound, states: limit, deadline };
  const { incomplete: reason, upTo } = searchWhole(program, model, options, (run) => {
    ends += 1;
    for (const query of queries) {
      const { quantifier, condition } = stateQuery(test, query);
      const isUniversal = quantifier === 'forall';
      if (holds(condition, run.final) === isUniversal || shown.has(query)) continue;
      const wrong = wrongRun(run, model);
      const verdict = isUniversal ? 'fails' : 'allowed';
      const state = finalState(program, subjects, run.final);
      shown.set(
        query,
        wrong === undefined
          ? { verdict, state, run: tellWhole(run, true) }
          : { verdict: 'unknown', reason: wrong },
      );
    }
    return shown.size === queries.length;
  });
  const milliseconds = (performance.now() - started) / queries.length;
  const foundFor = (query: number): Found => {
    const example = shown.get(query);
    if (example !== undefined) return example;
    if (reason !== undefined) return { verdict: 'unknown', reason };
    const isUniversal = stateQuery(test, query).quantifier === 'forall';
    if (ends > 0) return { verdict: isUniversal ? 'holds' : 'forbidden', upTo };
    return upTo === undefined
      ? { verdict: 'vacuous', reason: 'no run of the machine comes to an end' }
      : beyondBound(program, upTo);
  };
  return queries.map((query) => ({ query, flags: [], milliseconds, ...foundFor(query) }));
}

/** A second opinion on a run, by the axioms. */
export function wrongRun({ structure, witness }: WholeRun, model: Model): string | undefined {
  const verified = verifyWitness(structure, model, witness());
  if ('wrong' in verified) return `${DISAGREE}: ${verified.wrong}`;
  const broken = verified.judgement.axioms.filter(({ holds: isKept }) => !isKept);
  if (broken.length === 0) return undefined;
  return `${DISAGREE}: ${broken.map(({ axiom }) => axiom.name).join(', ')} of ${model.name} fails`;
}
