import type { Explorer } from '../../check/explorer.js';
import { verifyWitness } from '../../check/witness/verify.js';
import type { Model } from '../../model/term.js';
import type { FinalState } from '../../program/final.js';
import { compareStates, finalState } from '../../program/final.js';
import { observedSubjects } from '../../program/subjects.js';
import { answersByFinals, timed } from '../final-answers.js';
import { DISAGREE } from '../judge.js';
import type { WholeRun } from './search.js';
import { STATES, searchWhole } from './search.js';
import { tellWhole } from './told.js';

/** Explores programs under models in which reads are performed out of order. */
export const byWholeMachine: Explorer = {
  decide(test, model, queries, { bound, limit = STATES, deadline }) {
    const options = { subjects: observedSubjects(test), bound, states: limit, deadline };
    return timed(queries, () =>
      answersByFinals(test, queries, (visit) =>
        searchWhole(test.program, model, options, (run) =>
          visit(run.final, (claim) => {
            const reason = wrongRun(run, model);
            if (reason !== undefined) return { verdict: 'unknown', reason };
            return { ...claim, run: tellWhole(run, true) };
          }),
        ),
      ),
    );
  },
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

/** A second opinion on a run, by the axioms. */
export function wrongRun({ structure, witness }: WholeRun, model: Model): string | undefined {
  const verified = verifyWitness(structure, model, witness());
  if ('wrong' in verified) return `${DISAGREE}: ${verified.wrong}`;
  const broken = verified.judgement.axioms.filter(({ holds }) => !holds);
  if (broken.length === 0) return undefined;
  return `${DISAGREE}: ${broken.map(({ axiom }) => axiom.name).join(', ')} of ${model.name} fails`;
}
