import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Timeline } from '../../src/analyses/timeline/timeline.js';
import { explained, timelineOf } from '../support/explained.js';
import { ROOT } from '../support/run.js';

/** Executions in space and time. */

const field = (name: string): string =>
  readFileSync(join(ROOT, `corpus/field/${name}.litmus`), 'utf8');

/** A timeline as lines: where each step is, where from, and what is said of it. */
function lines({ lanes, steps }: Timeline): readonly string[] {
  const name = (i: number): string => {
    const { kind, node, thread } = lanes[i];
    return thread ?? `${kind} ${node}`;
  };
  return steps.map(({ lane, from, both, brief, note }) => {
    const where =
      from === undefined ? name(lane) : `${name(from)} ${both ? '<>' : '>'} ${name(lane)}`;
    return `${where}: ${brief}${note === undefined ? '' : ` (${note})`}`;
  });
}

const COMPLETION = `RDMA completion
node 1 { done = 0 }
node 2 { data = 0 }
thread T1 on 1 { data^2 := 1; poll(2); done := 1 }
thread T2 on 2 { told := done^1; poll(1); seen := data }
exists (told = 1 /\\ seen = 0)`;

describe('an execution that a machine reaches', () => {
  test('is its run, and says who reads too early, and where the data is', () => {
    const timeline = timelineOf(COMPLETION, 'rdma-tso');
    expect(lines(timeline)).toEqual([
      'T2 > nic 2: told := done^1',
      'T1 > nic 1: data^2 := 1',
      'nic 2: data = 1 arrives',
      'T1: poll(2)',
      'T1 > memory 1: done = 1',
      'memory 1 > nic 1: reads done = 1',
      'nic 2 > memory 2: told = 1',
      'T2: poll(1)',
      'memory 2 > T2: reads data = 0 (too early: data = 1 is still in the NIC of node 2)',
      'nic 2 > memory 2: data = 1',
    ]);
    expect(timeline.waits.map(({ what, from, to }) => [what, from, to])).toEqual([
      ['data = 1', 2, 9],
    ]);
  });

  test('says what memory holds, at first and after each step', () => {
    const { memory, steps } = timelineOf(COMPLETION, 'rdma-tso');
    expect(memory).toEqual([
      { node: '1', place: 'done', value: '0' },
      { node: '2', place: 'data', value: '0' },
      { node: '2', place: 'told', value: '0' },
    ]);
    const stored = steps.map(({ stored }) => stored && `${stored.place} = ${stored.value}`);
    expect(stored).toEqual([
      ...[undefined, undefined, undefined, undefined, 'done = 1'],
      ...[undefined, 'told = 1', undefined, undefined, 'data = 1'],
    ]);
  });

  test('says that a buffer was overwritten before the card read it', () => {
    const notes = timelineOf(field('buffer-reuse'), 'rdma-tso').steps.flatMap(
      ({ note = [] }) => note,
    );
    expect(notes).toEqual(['too late: buf was overwritten in between']);
  });

  test.each([
    ['deepep-head', 'too late: takes the place of head = 0, which is newer'],
    ['ping-pong-clear', 'too late: takes the place of from_server = 1, which is newer'],
  ])('says that an old value takes the place of a newer one: %s', (name, note) => {
    const { steps } = timelineOf(field(name), 'rdma-tso');
    expect(steps.flatMap((step) => step.note ?? [])).toEqual([note]);
  });

  test('has what waits in store buffers', () => {
    const text = `RDMA SB
node 1 { x = 0; y = 0 }
thread T1 on 1 { x := 1; a := y }
thread T2 on 1 { y := 1; b := x }
exists (a = 0 /\\ b = 0)`;
    const { waits, steps, lanes } = timelineOf(text, 'rdma-tso');
    expect(waits.map(({ lane }) => lanes[lane].kind)).toContain('thread');
    expect(steps.flatMap(({ note = [] }) => note).join()).toMatch(
      /too early: [xy] = 1 is still in T[12]'s store buffer/,
    );
  });

  test('has both ways of an atomic', () => {
    const text = `RDMA lock
node 1 { l = 0 }
node 2 { }
thread T1 on 1 { a := CAS(l, 0, 1) }
thread T2 on 2 { b := rfaa(l^1, 1); poll(1) }
exists (a = 0 /\\ b = 1)`;
    const told = lines(timelineOf(text, 'rdma-tso'));
    expect(told).toContain('memory 1 <> T1: CAS(l): 0 → 1');
    expect(told.some((line) => line.startsWith('memory 1 > nic 1: rfaa(l): 1 → 2'))).toBe(true);
  });
});

describe('an execution that cannot be', () => {
  test('has the circle on its lanes, and says which step cannot be', () => {
    const { steps, ways } = timelineOf(field('libfabric-completion-get'), 'rdma-tso');
    const back = ways.filter(({ look }) => look === 'back');
    expect(back).toHaveLength(1);
    const [{ from, to }] = back;
    expect([steps[from].brief, steps[to].brief]).toEqual(['reads data = 0', 'data = 1']);
    expect(steps[from].note).toBe(`cannot be: data = 1 is in memory since ${to + 1}`);
  });
});

/** What is true of each timeline. */
function check({ lanes, steps, ways, waits }: Timeline): void {
  for (const { lane, from } of steps) {
    expect(lanes[lane]).toBeDefined();
    if (from !== undefined) expect(lanes[from].node).toBe(lanes[lane].node);
  }
  // Every lane is used.
  const used = new Set([
    ...steps.flatMap(({ lane, from = lane }) => [lane, from]),
    ...waits.map((w) => w.lane),
  ]);
  expect(used.size).toBe(lanes.length);
  for (const { from, to, look } of ways) {
    if (look === 'back') expect(to).toBeLessThan(from);
    else expect(to).toBeGreaterThan(from);
  }
  for (const { from, to } of waits) expect(to).toBeGreaterThan(from + 1);
  const circle = ways.filter(({ look }) => look === 'cycle' || look === 'back');
  for (const { to } of circle) expect(circle.filter((way) => way.from === to)).toHaveLength(1);
}

describe.each([
  'buffer-reuse-two-polls',
  'deepep-head-get',
  'libfabric-completion-third',
  'libfabric-completion-third-get',
  'lock-release-same-server-local',
  'nccl-flush-get',
  'ping-pong-stale',
  'put-signal-two-nodes-get',
  'ucx-get-put-fence-second',
])('%s', (name) => {
  test.each(['rdma-tso', 'rdma-sc', 'rdma-tso-nopcie'])('under %s', (model) => {
    const text = field(name);
    const queries = (text.match(/^(exists|forall|~exists)/gm) ?? []).length;
    for (let query = 0; query < queries; query++) {
      const [found] = explained(text, [model], query, undefined, undefined, true).models;
      const { admitted, refuted } = found;
      const timeline = (admitted ?? refuted?.ways?.shapes[0]?.way)?.timeline;
      expect(timeline).toBeDefined();
      check(timeline!);
      // A run is told with its steps; steps that only compute have no place of their own.
      if (admitted?.order?.kind === 'run') {
        const told = new Set(admitted.order.steps);
        for (const { text } of timeline!.steps) expect(told).toContain(text);
      }
    }
  });
});
