import { readFileSync } from 'node:fs';
import type { Answer } from '../../src/check/result.js';
import type { RunLimits } from '../../src/explore/answer.js';
import { decideRuns } from '../../src/explore/decide.js';
import type { Model } from '../../src/model/term.js';
import { isStateQuery } from '../../src/program/program.js';
import type { Test } from '../../src/program/program.js';
import { adapt } from '../../src/rdma/translate.js';
import { modelOf } from './checker.js';
import { litmus } from './litmus.js';

/** A test with its program in the instructions of a model. */
export function testUnder(test: Test, model: string | Model): Test {
  const adapted = adapt(test.program, modelOf(model));
  if (!adapted.ok) throw new Error(adapted.errors.map(({ message }) => message).join());
  return { ...test, program: adapted.value.program };
}

/** The answers to queries about runs, by index, on the machine of a model. */
export const decidedRuns = (
  test: Test,
  model: string | Model,
  queries: readonly number[],
  limits: Partial<RunLimits> = {},
): readonly Answer[] =>
  decideRuns(testUnder(test, model), modelOf(model), queries, { deadline: Infinity, ...limits });

/** The answers of a test to its queries about runs. */
export function exploredIn(
  file: string,
  model: string | Model,
): { readonly test: Test; readonly answers: readonly Answer[] } {
  const test = litmus(readFileSync(file, 'utf8'));
  const queries = [...test.queries.keys()].filter((q) => !isStateQuery(test.queries[q]));
  return { test, answers: decidedRuns(test, model, queries) };
}
