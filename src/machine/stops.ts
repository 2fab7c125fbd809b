import type { FlowGraph } from '../program/flow/graph.js';

/**
 * The steps of a thread that are steps of their own: moments, steps that set what a question looks at, and one step of each circle. What is
 * taken as soon as it is possible has to come to an end by itself, or what others do would be put off for ever.
 *
 * @param isWatched whether a question looks at what a step sets
 * @param isVisible whether the use of an operation at a step is surely a step of its own
 */
export function stopsOf(
  { steps }: FlowGraph,
  isWatched: (at: number) => boolean,
  isVisible: (at: number) => boolean,
): ReadonlySet<number> {
  const stops = new Set<number>();
  steps.forEach(({ isMoment }, at) => {
    if (isMoment === true || isWatched(at)) stops.add(at);
  });
  // 1: on the way that is being followed, 2: all ways from here are known.
  const state = new Uint8Array(steps.length + 1);
  const isStop = (at: number): boolean => stops.has(at) || isVisible(at);
  const visit = (start: number): void => {
    const way: { readonly at: number; readonly next: readonly number[]; k: number }[] = [];
    const open = (at: number): void => {
      state[at] = 1;
      const next = at >= steps.length || isStop(at) ? [] : steps[at].next;
      way.push({ at, next, k: 0 });
    };
    open(start);
    while (way.length > 0) {
      const top = way[way.length - 1];
      if (top.k === top.next.length || isStop(top.at)) {
        state[top.at] = 2;
        way.pop();
        continue;
      }
      const to = top.next[top.k++];
      if (state[to] === 1) stops.add(to);
      else if (state[to] === 0) open(to);
    }
  };
  for (const at of steps.keys()) if (state[at] === 0) visit(at);
  return stops;
}
