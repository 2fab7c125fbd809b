/** Points, boxes and curves. Lengths are in points (1/72 inch); x grows to the right, and y downwards. */
export interface PicturePoint {
  readonly x: number;
  readonly y: number;
}

/** A rectangle. Its point is its centre, and never a corner. */
export interface Box extends PicturePoint {
  readonly width: number;
  readonly height: number;
}

/** A cubic Bézier curve: its start, its two control points, its end. */
export type Cubic = readonly [PicturePoint, PicturePoint, PicturePoint, PicturePoint];

/** A path of curves. Each of them must begin where the one before it ends. */
export type CurvePath = readonly Cubic[];

export const left = (b: Box): number => b.x - b.width / 2;
export const right = (b: Box): number => b.x + b.width / 2;
export const top = (b: Box): number => b.y - b.height / 2;
export const bottom = (b: Box): number => b.y + b.height / 2;

/** Are two boxes closer to each other than a distance, both across and down? */
export function near(a: Box, b: Box, distance: number): boolean {
  const across = Math.abs(a.x - b.x) - (a.width + b.width) / 2;
  const down = Math.abs(a.y - b.y) - (a.height + b.height) / 2;
  return across < distance && down < distance;
}

/** Is a point inside a box, or closer to it than a distance? */
export const insideBox = (x: number, y: number, b: Box, distance: number): boolean =>
  Math.abs(x - b.x) < b.width / 2 + distance && Math.abs(y - b.y) < b.height / 2 + distance;

/** The smallest box around some boxes and points. An empty one if there are none. */
export function around(boxes: readonly Box[]): Box {
  if (boxes.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  const [x0, x1] = [Math.min(...boxes.map(left)), Math.max(...boxes.map(right))];
  const [y0, y1] = [Math.min(...boxes.map(top)), Math.max(...boxes.map(bottom))];
  return { x: (x0 + x1) / 2, y: (y0 + y1) / 2, width: x1 - x0, height: y1 - y0 };
}

/** A straight line, as a curve. */
export const line = (a: PicturePoint, b: PicturePoint): Cubic => [
  a,
  between(a, b, 1 / 3),
  between(a, b, 2 / 3),
  b,
];

const between = (a: PicturePoint, b: PicturePoint, t: number): PicturePoint => ({
  x: a.x + (b.x - a.x) * t,
  y: a.y + (b.y - a.y) * t,
});

/** The same path from its end to its beginning. */
export const reversed = (path: CurvePath): CurvePath =>
  path.map(([a, b, c, d]): Cubic => [d, c, b, a]).reverse();

/** Splits a curve at a parameter (de Casteljau's algorithm). */
export function split([a, b, c, d]: Cubic, t: number): readonly [Cubic, Cubic] {
  const [ab, bc, cd] = [between(a, b, t), between(b, c, t), between(c, d, t)];
  const [abc, bcd] = [between(ab, bc, t), between(bc, cd, t)];
  const middle = between(abc, bcd, t);
  return [
    [a, ab, abc, middle],
    [middle, bcd, cd, d],
  ];
}

/** How many steps of at most a length it takes to walk along a curve. */
export const stepCount = ([a, b, c, d]: Cubic, step: number): number =>
  Math.max(1, Math.ceil((distance(a, b) + distance(b, c) + distance(c, d)) / step));

export function distance(a: PicturePoint, b: PicturePoint): number {
  const [dx, dy] = [a.x - b.x, a.y - b.y];
  // Not `Math.hypot`: JavaScript engines differ in its last digits, and it takes longer.
  return Math.sqrt(dx * dx + dy * dy);
}
