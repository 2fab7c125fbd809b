import type { Timeline } from './timeline.js';

/** The last steps of a timeline, with what waits and what goes on at that time. */
export function ending(timeline: Timeline, most: number): Timeline {
  const { steps, lanes, ways, waits, memory } = timeline;
  const omitted = steps.length - most;
  if (omitted <= 0) return timeline;
  const kept = steps.slice(omitted);
  const before = new Map(
    steps.slice(0, omitted).flatMap(({ stored }) => (stored ? [[stored.place, stored.value]] : [])),
  );
  const later = waits.filter(({ to }) => to > omitted);
  const used = new Set([
    ...kept.flatMap(({ lane, from = lane }) => [lane, from]),
    ...later.map(({ lane }) => lane),
  ]);
  const left = [...lanes.keys()].filter((lane) => used.has(lane));
  const numbers = new Map(left.map((lane, i) => [lane, i]));
  return {
    omitted,
    memory: memory.map((cell) => ({ ...cell, value: before.get(cell.place) ?? cell.value })),
    lanes: left.map((lane) => lanes[lane]),
    steps: kept.map(({ lane, from, ...step }) => ({
      lane: numbers.get(lane)!,
      ...(from !== undefined && { from: numbers.get(from)! }),
      ...step,
    })),
    ways: ways.flatMap(({ from, to, look }) =>
      from < omitted ? [] : [{ from: from - omitted, to: to - omitted, look }],
    ),
    waits: later.map(({ lane, from, to, what }) => ({
      lane: numbers.get(lane)!,
      from: Math.max(from - omitted, 0),
      to: to - omitted,
      what,
    })),
  };
}
