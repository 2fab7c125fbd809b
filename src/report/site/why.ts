import { prepare } from '../../rdma/prepare.js';
import type { Answer } from '../../check/result.js';
import type { Explanation } from '../../analyses/explain/explanation.js';
import type { Model } from '../../model/term.js';
import type { Test } from '../../program/program.js';
import { isStateQuery } from '../../program/program.js';
import type { VerdictRecord } from '../record.js';
import { showQuery } from '../../program/print.js';

import type { Pool } from '../../analyses/workers.js';
import { askWhy } from '../../analyses/ask/explain.js';
import { mainModel } from './site.js';

/**
 * Explains the verdicts on a query, under all models that have decided it.
 *
 * @throws Error if the explanation has another verdict than was decided before, which is a bug
 */
export async function whyOf(
  pool: Pool,
  test: Test,
  query: number,
  models: readonly Model[],
  records: readonly VerdictRecord[],
  bound?: number,
): Promise<Explanation> {
  const decided = decidedIn(records, query);
  // A comparison shows an execution of the first model that admits it, so the main model goes first.
  const main = mainModel(models.map((m) => m.name));
  const sorted = [...models].sort((a, b) => Number(b.name === main) - Number(a.name === main));
  const cases = sorted.filter(
    (model) => decided.has(model.name) && prepare(test.program, model, 'smt').ok,
  );
  const question = showQuery(test.queries[query]);
  const nothing = {
    file: test.file,
    test: test.name,
    query,
    question,
    models: [],
    comparisons: [],
  };
  const ask = async (some: typeof cases): Promise<Explanation> => {
    const answers = some.map(({ name }) => decided.get(name));
    const found = await askWhy(pool, test, some, query, { bound, timelines: true, answers });
    // This never fails for what a user did: models that cannot treat the program have no verdict, and so are not asked.
    if (!found.ok) throw new Error(found.errors[0].message);
    return found.value;
  };
  // Queries about runs need no explanation: their answers have the runs.
  if (cases.length === 0 || !isStateQuery(test.queries[query])) return nothing;
  const together = await ask(cases);
  if (together.unfinished === undefined || cases.length === 1) return agreeing(together, decided);
  // All models at once may take too long, even if each alone does not.
  const alone = await Promise.all(cases.map((one) => ask([one])));
  const { unfinished, ...rest } = together;
  const all = { ...rest, models: alone.flatMap((e) => e.models) };
  const lacks = all.models.length < cases.length;
  return agreeing(lacks ? { ...all, unfinished } : all, decided);
}

/** The answers to a query that can be explained, by the names of the models. */
function decidedIn(records: readonly VerdictRecord[], query: number): ReadonlyMap<string, Answer> {
  const decided = new Map<string, Answer>();
  for (const { model, answers } of records) {
    const answer = answers.find((a) => a.query === query);
    if (answer === undefined || answer.verdict === 'unknown' || answer.verdict === 'vacuous')
      continue;
    decided.set(model, answer);
  }
  return decided;
}

/** The explanation with the verdicts that were decided before. If there was no time to decide one again, it says so. */
function agreeing(explanation: Explanation, decided: ReadonlyMap<string, Answer>): Explanation {
  const { file, question, models } = explanation;
  return {
    ...explanation,
    models: models.map((m) => {
      const { verdict } = decided.get(m.model)!;
      if (m.verdict === verdict) return m;
      if (m.verdict === 'unknown') {
        return { ...m, verdict, unfinished: m.reason ?? 'time limit reached' };
      }
      const what = `${file}: ${question} under ${m.model}`;
      throw new Error(`${what} is ${verdict}, but is explained as ${m.verdict}`);
    }),
  };
}
