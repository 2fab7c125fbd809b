import { join } from 'node:path';
import { createColors } from 'picocolors';
import { expect, test } from 'vitest';
import { explain } from '../../src/analyses/explain/explain.js';
import { explanationText } from '../../src/report/explain.js';
import { itemsOf, readProgram, testCases } from '../support/cases.js';
import { cat, litmus, modelOf, modelsOf, newSolver } from '../support/checker.js';
import { explained, published, under } from '../support/explained.js';
import { two } from '../support/litmus.js';

/** Why a query has its answer: executions, cycles, and the ways in which candidates fail. */

// Executions and cycles of published tests were worked out on paper, from the figures and the prose of
// the TSO paper. An explanation may hold choices that its answer does not depend on: cases leave them open.
testCases(join(import.meta.dirname, 'explain'), (input) => {
  const { settings, text } = readProgram(input, ['models', 'cat', 'query', 'show']);
  const query = Number(settings.query ?? 1) - 1;
  const shown = settings.show === undefined ? undefined : itemsOf(settings.show);
  return explanationText(explained(text, modelsOf(settings), query, shown), createColors(false));
});

test('the run of the machine ends in the state that the query asks about', () => {
  // The order of the TSO paper's prose (App. A.11): the get's write of x is pending when T2's put,
  // which comes after both of its writes of w, is in memory.
  const { order } = under(published('GFG'), 'rdma-tso').admitted!;
  expect(order?.kind).toBe('run');
  const at = (...parts: readonly string[]): number =>
    order!.steps.findIndex((step) => parts.every((part) => step.includes(part)));
  const places = [
    at('T1->2 reads w = 1'),
    at('w := 2', 'to memory'),
    at('T2->1 writes x := 3 to memory'),
    at('T1 reads x = 3'),
    at('T1->2 writes x := 0 to memory'),
    at('T1 reads x = 0'),
  ];
  expect(places.every((place) => place >= 0)).toBe(true);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

test('the ways that are about a value asked for come first', () => {
  const { shapes } = under(published('GFP1'), 'rdma-tso').refuted!.ways!;
  expect(shapes.map(({ way }) => way.beside)).toEqual([false, false, false, true]);
  expect(shapes.map(({ way }) => way.asked.length > 0)).toEqual([true, true, true, false]);
});

test('relations that are drawn for a circle alone have their words, too', () => {
  const { shapes } = under(published('GFP1'), 'rdma-tso').refuted!.ways!;
  const relations = shapes.flatMap(({ way }) => way.graph.relations);
  const meant = relations.filter(({ name }) => name === 'oppo').map(({ words }) => words);
  expect(meant.length).toBeGreaterThan(0);
  expect(new Set(meant)).toEqual(new Set(['is observed before the other, by program order']));
});

test('an axiom that a later way breaks as well is told, and no other', () => {
  const together = two('thread T1 on 1 { x := 1; x := 2; a := x } exists (a = 0)');
  const model = cat(`let initial = lR & range([IW];rf)
    empty initial * range([lW \\ IW];(mo & po)) as a
    empty initial * range(mo & po^-1) as b`);
  for (const { refuted } of [under(published('RFF1'), 'rdma-tso', 1), under(together, model)]) {
    expect(refuted!.ways!.shapes.map(({ way }) => way.others)).toEqual([[], []]);
  }
});

test('the limit and the deadline are told', () => {
  const text = litmus(published('RFF1'));
  const model = modelOf('rdma-tso');
  const input = { test: text, programs: [text.program], notes: [undefined], query: 1 };
  const late = { models: [model], newSolver, acyclicity: 'elimination', deadline: 0 } as const;
  const [found] = explain(input, late).models;
  expect(found.verdict).toBe('forbidden');
  expect(found.unfinished).toBe('time limit reached');
});
