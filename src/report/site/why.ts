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
 * Has the verdicts on a query explained, under all models that have decided it.
 *
 * @throws Error if another verdict is explained than was decided, which would be a bug
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
  // What models differ in is shown by an execution of the first that admits it.
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
    // Models that cannot treat the program have no verdict, and so are not asked.
    if (!found.ok) throw new Error(found.errors[0].message);
    return found.value;
  };
  // Answers about runs come with the runs.
  if (cases.length === 0 || !isStateQuery(test.queries[query])) return nothing;
  const together = await ask(cases);
  if (together.unfinished === undefined || cases.length === 1) return agreeing(together, decided);
  // All models at once may take too long where each alone does not.
  const alone = await Promise.all(cases.map((one) => ask([one])));
  const { unfinished, ...rest } = together;
  const all = { ...rest, models: alone.flatMap((e) => e.models) };
  const lacks = all.models.length < cases.length;
  return agreeing(lacks ? { ...all, unfinished } : all, decided);
}

/** The answers to a query that can be explained, by model. */
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

/** An explanation of what was decided: where there was no time to decide it again, it says so. */
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
