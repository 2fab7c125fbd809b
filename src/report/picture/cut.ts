import type { Box, CurvePath } from './geometry.js';
import { split } from './geometry.js';
import type { PointOnPath } from './trace.js';
import { Trace } from './trace.js';

/** Paths are cut at points of a trace, which are this far apart at most. */
const [AROUND_BOXES, AT_ENDS] = [1, 0.5];

/** The two parts of a path before and after it comes near a box. */
export function cutOut(
  path: CurvePath,
  box: Box,
  distance: number,
): readonly [CurvePath, CurvePath] {
  const trace = new Trace(AROUND_BOXES).follow(path);
  let [first, last] = [-1, -1];
  trace.eachInside(box, distance, (i) => {
    if (first < 0) first = i;
    last = i;
  });
  return [before(path, trace.at(first)), after(path, trace.at(last))];
}

/** A path without its last part, which has about the given length. */
export function withoutEnd(path: CurvePath, by: number): CurvePath {
  const trace = new Trace(AT_ENDS).follow(path);
  const { length, total } = trace;
  let last = trace.count - 1;
  while (last > 0 && length[last] > total - by) last -= 1;
  return before(path, trace.at(last));
}

const before = (path: CurvePath, { curve, t }: PointOnPath): CurvePath => [
  ...path.slice(0, curve),
  split(path[curve], t)[0],
];

const after = (path: CurvePath, { curve, t }: PointOnPath): CurvePath => [
  split(path[curve], t)[1],
  ...path.slice(curve + 1),
];
