import { onlyForbidMore } from '../model/depends.js';
import type { Model } from '../model/term.js';
import type { Test } from '../program/program.js';
import type { Answer } from './result.js';
import { DEPENDENCIES, UNCLEAR } from './structure.js';

/** The answers to the queries, by model. */
export type Answers = readonly (readonly Answer[])[];

/** What is asked. */
export interface Asked {
  readonly tests: readonly Test[];
  readonly models: readonly Model[];
  readonly queries: readonly number[];
}

/**
 * Where it is not clear which dependencies there are, a question is asked twice: with those that are sure, and with all that are possible. If more of them
 * only forbid more under the model, what is allowed with all is allowed, and what is forbidden with the sure ones is forbidden. Under other models, it stays open.
 *
 * @param ask answers questions as far as they are clear
 */
export async function askedBothWays<Questions extends Asked>(
  questions: Questions,
  ask: (questions: Questions) => Promise<Answers>,
): Promise<Answers> {
  const { tests, models } = questions;
  const found = await ask(questions);
  return Promise.all(
    found.map(async (answers, i) => {
      const queries = answers.filter(isUnclear).map(({ query }) => query);
      if (queries.length === 0 || !onlyForbidMore(models[i], RELATIONS)) return answers;
      const asked = async (dependencies: 'sure' | 'possible') => {
        const test = { ...tests[i], program: { ...tests[i].program, dependencies } };
        const [own] = await ask({ ...questions, tests: [test], models: [models[i]], queries });
        return new Map(own.map((answer) => [answer.query, answer]));
      };
      const [few, all] = [await asked('sure'), await asked('possible')];
      return answers.map((answer) =>
        isUnclear(answer) ? both(few.get(answer.query)!, all.get(answer.query)!) : answer,
      );
    }),
  );
}

const RELATIONS = new Set(DEPENDENCIES);

const isUnclear = ({ reason }: Answer): boolean => reason === UNCLEAR;

function both(few: Answer, all: Answer): Answer {
  const open = [few, all].find(({ verdict }) => verdict === 'unknown');
  if (open !== undefined || few.verdict === all.verdict) return open ?? all;
  const { query, flags, milliseconds } = all;
  const reason = `${UNCLEAR}: ${all.verdict} with this dependency, and ${few.verdict} without it`;
  return { query, flags, milliseconds, verdict: 'unknown', reason };
}
