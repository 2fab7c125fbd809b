import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { explain } from '../../src/analyses/explain/explain.js';
import type { Explanation, ModelExplanation } from '../../src/analyses/explain/explanation.js';
import type { Timeline } from '../../src/analyses/timeline/timeline.js';
import type { Model } from '../../src/model/term.js';
import { adapt } from '../../src/rdma/translate.js';
import { litmus, modelOf, newSolver } from './checker.js';
import { valueOf } from './litmus.js';
import { ROOT } from './run.js';

/** An explanation of one query, found in this process. */
export function explained(
  text: string,
  models: readonly (string | Model)[],
  query = 0,
  shown?: readonly string[],
  solver = newSolver,
  timelines = false,
): Explanation {
  const test = litmus(text);
  const loaded = models.map(modelOf);
  const adapted = loaded.map((model) => valueOf(adapt(test.program, model)));
  const programs = adapted.map(({ program }) => program);
  const notes = adapted.map(({ note }) => note);
  const given = shown === undefined ? {} : { shown };
  const input = { test, programs, notes, query, timelines, ...given };
  const deadline = performance.now() + 30_000;
  return explain(input, { models: loaded, newSolver: solver, acyclicity: 'elimination', deadline });
}

export const published = (name: string): string =>
  readFileSync(join(ROOT, `corpus/tso/${name}.litmus`), 'utf8');

export function under(
  text: string,
  model: string | Model,
  query = 0,
  solver = newSolver,
): ModelExplanation {
  const [only] = explained(text, [model], query, undefined, solver).models;
  expect(only.unfinished).toBeUndefined();
  return only;
}

/** What is drawn in space and time for one query. */
export function timelineOf(text: string, model: string, query = 0): Timeline {
  const [{ admitted, refuted }] = explained(
    text,
    [model],
    query,
    undefined,
    newSolver,
    true,
  ).models;
  const found = (admitted ?? refuted?.ways?.shapes[0].way)?.timeline;
  if (found === undefined) throw new Error('there is no timeline');
  return found;
}
