import { withoutEnd } from './cut.js';
import type { Box, CurvePath, PicturePoint } from './geometry.js';
import { around } from './geometry.js';

/** How long the head is; it grows with the width of the pen. */
const lengthOf = (pen: number): number => 7 + 2 * pen;

/** The head of an arrow, as the corners of a polygon, and the line without the part that the head covers. */
export interface ArrowHead {
  readonly line: CurvePath;
  readonly corners: readonly PicturePoint[];
}

export function arrowHead(path: CurvePath, pen: number): ArrowHead {
  const tip = path[path.length - 1][3];
  const line = withoutEnd(path, lengthOf(pen));
  const end = line[line.length - 1][3];
  const [x, y] = [(tip.x - end.x) / 3, (tip.y - end.y) / 3];
  return { line, corners: [tip, { x: end.x - y, y: end.y + x }, { x: end.x + y, y: end.y - x }] };
}

/** The box around the head of an arrow. */
export const headBox = (path: CurvePath, pen: number): Box =>
  around(arrowHead(path, pen).corners.map((corner) => ({ ...corner, width: 0, height: 0 })));
