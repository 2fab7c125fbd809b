import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { explain } from '../../src/analyses/explain/explain.js';
import type {
  Explanation,
  ModelExplanation,
  Step,
  Violation,
} from '../../src/analyses/explain/explanation.js';
import type { ExecutionGraph } from '../../src/analyses/explain/graph.js';
import type { Model } from '../../src/model/term.js';
import { adapt } from '../../src/rdma/translate.js';
import { litmus, modelOf, newSolver } from './checker.js';
import { valueOf } from './litmus.js';
import { ROOT } from './run.js';

/** Explanations found in this process, and what tests look at in them. */

/** An explanation of one query, found in this process. */
export function explained(
  text: string,
  models: readonly (string | Model)[],
  query = 0,
  shown?: readonly string[],
  solver = newSolver,
): Explanation {
  const test = litmus(text);
  const loaded = models.map(modelOf);
  const adapted = loaded.map((model) => valueOf(adapt(test.program, model)));
  const programs = adapted.map(({ program }) => program);
  const notes = adapted.map(({ note }) => note);
  const input = { test, programs, notes, query, ...(shown !== undefined && { shown }) };
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

/** Edges of a relation, by labels; initial writes begin with `init`. */
export function edges({ events, edges }: ExecutionGraph, relation: string): readonly string[] {
  const labels = new Map(
    events.map((e) => [e.id, e.column === null ? `init ${e.label}` : e.label]),
  );
  return edges
    .filter((e) => e.relation === relation)
    .map((e) => `${labels.get(e.from)} → ${labels.get(e.to)}`);
}

/** A path as lines: two events, and what relates them from the outside in; inner paths are indented. */
export function lines({ events }: ExecutionGraph, steps: readonly Step[], indent = ''): string[] {
  const labels = new Map(events.map((e) => [e.id, e.label]));
  return steps.flatMap((step) => [
    `${indent}${labels.get(step.from)} → ${labels.get(step.to)}  ${step.because.map((l) => l.text).join(': ')}`,
    ...lines({ events } as ExecutionGraph, step.via, `${indent}  `),
    ...lines({ events } as ExecutionGraph, step.also, `${indent}& `),
  ]);
}

/** A cycle may be told from any of its events on: here it begins where it is expected to. */
export function expectCycle(
  graph: ExecutionGraph,
  violation: Violation,
  expected: readonly string[],
) {
  const actual = violation.steps.map((step) => lines(graph, [step]).join('\n'));
  const first = expected[0].split('\n')[0];
  const start = actual.findIndex((line) => line.split('\n')[0] === first);
  expect([...actual.slice(start), ...actual.slice(0, start)]).toEqual(expected);
}
