import { describe, expect, test } from 'vitest';
import type { Timeline } from '../../src/analyses/timeline/timeline.js';
import { drawTimelineSvg } from '../../src/report/picture/index.js';
import { covered, departures, seenTimeline, timelinesOf } from '../support/timelines.js';

/** Pictures in space and time, read off their SVG. Those of the whole corpus are in `timelines-corpus`. */

describe.each([
  ['corpus/tso', 50],
  ['corpus/libraries/rbl-own.litmus', 6],
])('%s', (path, least) => {
  test('nothing covers an arrowhead or a head; numbers, words and order are those beside it', async () => {
    const told = await timelinesOf(path);
    expect(told.length).toBeGreaterThanOrEqual(least);
    for (const one of told) {
      const svg = drawTimelineSvg(one.timeline, one.name);
      const { heads, labels } = seenTimeline(svg);
      expect([heads.length > 0, labels.length >= one.timeline.steps.length]).toEqual([true, true]);
      expect([one.name, ...covered(svg)]).toEqual([one.name]);
      expect([one.name, ...departures(one)]).toEqual([one.name]);
      // Whoever hears the picture hears sentences, and no events as papers write them.
      const raw = one.timeline.steps.filter(({ text }) => /^\S+ \w+\([^()]*\)$/.test(text));
      expect([one.name, ...raw]).toEqual([one.name]);
    }
  });
});

test('two writes are drawn in the order in which they are told', async () => {
  const [{ timeline, words }] = await timelinesOf('corpus/libraries/rbl-own.litmus');
  const writes = timeline.steps.map(({ brief }) => brief).filter((brief) => /^x/.test(brief));
  expect(writes).toEqual(['x[1] = 1', 'x[1] = 2']);
  expect(words!.filter((step) => step.includes('writes'))).toEqual([
    'T1 rbl.submit(x, 1) aCW: writes x[1] = 1',
    'T1 rbl.submit(x, 2) aCW: writes x[1] = 2',
  ]);
});

test('heads of lanes and names of nodes stand beside each other, however long', () => {
  const nodes = ['a', 'a-node-with-quite-a-long-name', 'the-other-node-of-the-two', 'b'];
  const lanes = nodes.flatMap((node) => [
    { kind: 'thread', node, thread: 'somebody-1' } as const,
    { kind: 'thread', node, thread: 'somebody-2' } as const,
    { kind: 'memory', node } as const,
  ]);
  const steps = lanes.map((_, lane) => ({ lane, brief: 'x = 1', text: 'x', number: lane + 1 }));
  for (const some of [lanes, lanes.slice(0, 3), lanes.slice(3, 9)]) {
    const timeline: Timeline = {
      lanes: some,
      steps: steps.slice(0, some.length),
      ways: [],
      waits: [],
      memory: [],
    };
    expect(covered(drawTimelineSvg(timeline, ''))).toEqual([]);
  }
});
