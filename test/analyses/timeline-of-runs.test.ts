import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { timelineOfShown } from '../../src/analyses/timeline/from-run.js';
import type { Timeline } from '../../src/analyses/timeline/timeline.js';
import { timelinePictureOf } from '../../src/report/picture/index.js';
import { decidedRuns } from '../support/explored.js';
import { litmus } from '../support/litmus.js';
import { ROOT } from '../support/run.js';

/** Explored runs in space and time. */

function drawn(text: string, query = 0): Timeline {
  const of = litmus(text);
  const [answer] = decidedRuns(of, 'rdma-tso', [query]);
  return timelineOfShown(of.program, of.queries[query], answer);
}

const lock = (name: string): string =>
  readFileSync(join(ROOT, `corpus/locks/${name}.litmus`), 'utf8');

const notes = ({ steps }: Timeline): readonly string[] =>
  steps.flatMap(({ brief, note }) => (note === undefined ? [] : [`${brief}: ${note}`]));

test('who is in the block already, and what both threads read too early', () => {
  expect(notes(drawn(lock('peterson-local-remote-no-fence')))).toEqual([
    'reads f2 = 0: too early: f2 = 1 is still in the NIC of node 1',
    "reads f1 = 0: too early: f1 = 1 is still in T1's store buffer",
    'enters c: T1 is in c, too',
  ]);
});

test('the picture of a long run says what it leaves out, with a title or without one', () => {
  const timeline = drawn(lock('tas-elsewhere'), 1);
  const title = (of: string) =>
    timelinePictureOf(timeline, of)
      .title.map(({ text }) => text)
      .join(' ');
  expect(title('')).toBe('5 steps before left out');
  expect(title('tas')).toBe('tas; 5 steps before left out');
});

test('of a long run the end, with the bars of what waits since before', () => {
  const { steps, omitted, waits, ways, lanes } = drawn(lock('tas-elsewhere'), 1);
  expect([steps.length, omitted]).toEqual([30, 5]);
  expect(waits).toContainEqual({ lane: 1, from: 0, to: 2, what: 'l = 1' });
  for (const { from, to } of [...ways, ...waits]) {
    expect([from >= 0, from < to, to < steps.length]).toEqual([true, true, true]);
  }
  const used = new Set(steps.flatMap(({ lane, from = lane }) => [lane, from]));
  expect([...used].sort((a, b) => a - b)).toEqual([...lanes.keys()]);
});

test('what a thread does for itself is folded, but not the step that it fails with', () => {
  const { steps } = drawn(
    'RDMA x\nnode 1 { x = 0 }\nthread T on 1 { a := 1; x := 2; b := a; assert(b = 0); skip }\nassertions',
  );
  expect(steps.map(({ brief }) => brief)).toEqual(['x = 2', 'assertion fails']);
});

test('where a round begins that is taken for ever', () => {
  const timeline = drawn(
    'RDMA x\nnode 1 { x = 0 }\nthread T on 1 { loop { at p; a := 0; while (a = 0) { a := x } at q } }\nprogress T:p -> T:q',
  );
  expect(notes(timeline)).toEqual(['reads x = 0: from here on, again and again']);
});
