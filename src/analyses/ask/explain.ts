import type { Engine } from '../../rdma/engines.js';
import { prepare } from '../../rdma/prepare.js';
import type { Result } from '../../parse/diagnostics/index.js';
import { ok } from '../../parse/diagnostics/index.js';
import type { Model } from '../../model/term.js';
import type { Test } from '../../program/program.js';
import type { Adapted } from '../../rdma/translate.js';
import { showQuery } from '../../program/print.js';
import type { Answer } from '../../check/result.js';

import type { Pool } from '../workers.js';
import type { Explanation } from '../explain/explanation.js';

export interface AskOptions {
  /** Names of relations to show, in the place of those that the models choose; see `checkShown`. */
  readonly shown?: readonly string[];
  /** Whether executions are shown in space and time, too. */
  readonly timelines?: boolean;
  /** Overrides the test's loop bound. */
  readonly bound?: number;
  /** What is asked in the end; by default `smt`. */
  readonly engine?: Engine;
  /** What was answered before, in the order of the models. */
  readonly answers?: readonly (Answer | undefined)[];
  /** Whether steps are told of the very execution that was answered, as `ExplainInput` says. */
  readonly exactly?: boolean;
}

/**
 * Has a worker explain the answer to one query. Fails if the program has instructions that one of the
 * models cannot treat. What takes too long comes back as an explanation that says so.
 */
export async function askWhy(
  pool: Pool,
  test: Test,
  models: readonly Model[],
  query: number,
  { shown, timelines, bound, engine = 'auto', answers, exactly }: AskOptions,
): Promise<Result<Explanation>> {
  const adapted: Adapted[] = [];
  for (const model of models) {
    const prepared = prepare(test.program, model, engine);
    if (!prepared.ok) return prepared;
    adapted.push(prepared.value);
  }
  const found = await pool.analyse({
    kind: 'analysis',
    analysis: 'explain',
    engine,
    models,
    input: {
      test,
      programs: adapted.map(({ program }) => program),
      notes: adapted.map(({ note }) => note),
      query,
      shown,
      timelines,
      answers,
      exactly,
    },
    bound,
  });
  if ('output' in found) return ok(found.output);
  const { file, name, queries } = test;
  return ok({
    file,
    test: name,
    query,
    question: showQuery(queries[query]),
    models: [],
    comparisons: [],
    unfinished: found.unfinished,
  });
}
