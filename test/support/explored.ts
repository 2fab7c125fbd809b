import { readFileSync } from 'node:fs';
import type { Answer } from '../../src/check/result.js';
import { isStateQuery } from '../../src/program/program.js';
import type { Test } from '../../src/program/program.js';
import { decideRuns } from '../../src/rdma/explore/decide.js';
import { EXPLORED_MODELS } from '../../src/rdma/explore/hardware.js';
import { litmus } from './litmus.js';

/** The answers of a test to its queries about runs. */
export function exploredIn(
  file: string,
  model: string,
): { readonly test: Test; readonly answers: readonly Answer[] } {
  const test = litmus(readFileSync(file, 'utf8'));
  const queries = [...test.queries.keys()].filter((q) => !isStateQuery(test.queries[q]));
  const hardware = EXPLORED_MODELS.get(model)!;
  return { test, answers: decideRuns(test, hardware, queries, { deadline: Infinity }) };
}
