import type { GraphEvent } from '../../analyses/explain/graph.js';
import type { Box, Cubic, CurvePath, PicturePoint } from './geometry.js';
import { bottom, left, line, reversed, right, top } from './geometry.js';
import type { PicturePlacement } from './place.js';

/** A path that an arrow may take, and its cost. The cost does not count boxes and arrows that are in the way. */
export interface ArrowWay {
  readonly path: CurvePath;
  readonly cost: number;
}

type BoxSide = -1 | 1;
const SIDES: readonly BoxSide[] = [1, -1];

/** Where arrows may begin and end at the side of a box: distances from its middle. */
const PORTS = [0, -10, 10];
/** Arrows that lead along a column have lanes beside it: how far the first is from the column, and how many there are. */
const FIRST_LANE = 18;
const LANES = 7;
/** The last part of an arrow, of this length, is straight: its head is there. */
const STUB = 8;
/** Where arrows may cross a column between two rows: distances from the middle between these. */
const TRACKS = [0, -9, 9];

/** The paths that an arrow between two events may take, the simple ones first. */
export function waysBetween(
  from: GraphEvent,
  to: GraphEvent,
  placement: PicturePlacement,
): readonly ArrowWay[] {
  const [a, b] = [placement.boxes.get(from.id)!, placement.boxes.get(to.id)!];
  if (from.id === to.id) return SIDES.map((side) => ({ path: loop(a, side), cost: 0 }));
  if (from.column === null && to.column === null) return beneath(a, b);
  if (from.column === null) return fromAbove(a, b, placement);
  if (to.column === null) {
    return fromAbove(b, a, placement).map(({ path, cost }) => ({ path: reversed(path), cost }));
  }
  if (from.column === to.column) {
    const next = Math.abs(from.row - to.row) === 1;
    return [...(next ? upright(a, b) : []), ...lanes(a, b, placement, next)];
  }
  const [first, last] = [Math.min(from.column, to.column), Math.max(from.column, to.column)];
  const crossed = placement.columns.slice(first + 1, last);
  return [...direct(a, b), ...(crossed.length === 0 ? [] : through(a, b, placement, first, last))];
}

const outs = ({ lane }: PicturePlacement, count: number): readonly number[] =>
  Array.from({ length: count }, (_, k) => FIRST_LANE + k * lane);

/**
 * Straight down or up to the next box. Upwards, the arrow keeps away from the line of program order, which leads down.
 */
function upright(a: Box, b: Box): readonly ArrowWay[] {
  const down = a.y < b.y;
  const [y0, y1] = down ? [bottom(a), top(b)] : [top(a), bottom(b)];
  return [...(down ? [0] : []), 14, -14, 28, -28]
    .filter((dx) => Math.abs(dx) < a.width / 2 - 6)
    .map((dx) => ({
      path: [line({ x: a.x + dx, y: y0 }, { x: a.x + dx, y: y1 })],
      cost: dx === 0 ? 0 : 12,
    }));
}

/** Out of a column to its side, along it, and into it again. */
function lanes(a: Box, b: Box, placement: PicturePlacement, next: boolean): readonly ArrowWay[] {
  const dir = a.y < b.y ? 1 : -1;
  return SIDES.flatMap((side) =>
    outs(placement, LANES).flatMap((out, k) =>
      [5, 12].flatMap((start) =>
        [5, 12].map((end): ArrowWay => {
          const edge = a.x + (side * a.width) / 2;
          const x = edge + side * out;
          const bend = Math.min(out - STUB, 16);
          const [y0, y1] = [a.y + dir * start, b.y - dir * end];
          const [before, after] = [y0 + dir * bend, y1 - dir * bend];
          const near = edge + side * STUB;
          const path: CurvePath = [
            quarter({ x: edge, y: y0 }, { x, y: before }, 'across'),
            line({ x, y: before }, { x, y: after }),
            quarter({ x, y: after }, { x: near, y: y1 }, 'down'),
            line({ x: near, y: y1 }, { x: edge, y: y1 }),
          ];
          return { path, cost: k * 2 + (next ? 20 : 0) };
        }),
      ),
    ),
  );
}

/** A straight line from the side of one box to the side of another. */
function direct(a: Box, b: Box): readonly ArrowWay[] {
  const dir = a.x < b.x ? 1 : -1;
  return PORTS.flatMap((start) =>
    PORTS.map((end): ArrowWay => {
      const from = { x: a.x + (dir * a.width) / 2, y: a.y + start };
      const to = { x: b.x - (dir * b.width) / 2, y: b.y + end };
      return { path: [line(from, to)], cost: (Math.abs(start) + Math.abs(end)) / 10 };
    }),
  );
}

/** Across the columns in between, through the space between two rows. */
function through(
  a: Box,
  b: Box,
  { columns, gaps }: PicturePlacement,
  first: number,
  last: number,
): readonly ArrowWay[] {
  const dir = a.x < b.x ? 1 : -1;
  const crossed = columns.slice(first + 1, last);
  const [x0, x1] = [
    Math.min(...crossed.map((c) => c.x - c.width / 2)) - 6,
    Math.max(...crossed.map((c) => c.x + c.width / 2)) + 6,
  ];
  const [near, far] = dir > 0 ? [x0, x1] : [x1, x0];
  return gaps.slice(1).flatMap((gap) =>
    TRACKS.flatMap((track) =>
      [2, 10].flatMap((start) =>
        [2, 10].map((end): ArrowWay => {
          const y = gap + track;
          const from = { x: a.x + (dir * a.width) / 2, y: a.y + Math.sign(y - a.y) * start };
          const to = { x: b.x - (dir * b.width) / 2, y: b.y + Math.sign(y - b.y) * end };
          const path: CurvePath = [
            swing(from, { x: near, y }),
            line({ x: near, y }, { x: far, y }),
            swing({ x: far, y }, to),
          ];
          return { path, cost: 6 };
        }),
      ),
    ),
  );
}

/** From an initial write: straight down; or past the boxes in between, into the side of the box. */
function fromAbove(a: Box, b: Box, placement: PicturePlacement): readonly ArrowWay[] {
  const starts = [0, -0.3, 0.3].map((f) => ({ x: a.x + f * a.width, y: bottom(a) }));
  const straight = starts.flatMap((from) =>
    [0, -0.35, 0.35].map((f): ArrowWay => {
      const to = { x: b.x + f * b.width, y: top(b) };
      return { path: [line(from, to)], cost: Math.abs(f) };
    }),
  );
  const around = starts.flatMap((from) =>
    SIDES.flatMap((side) =>
      outs(placement, 5).flatMap((out, k) =>
        PORTS.map((end): ArrowWay => {
          const edge = b.x + (side * b.width) / 2;
          const x = edge + side * out;
          const to = { x: edge, y: b.y + end };
          const bend = Math.min(out - STUB, 20);
          const turn = Math.min(from.y + 56, to.y - bend - 8);
          const near = { x: edge + side * STUB, y: to.y };
          const path: CurvePath = [
            fall(from, { x, y: turn }),
            line({ x, y: turn }, { x, y: to.y - bend }),
            quarter({ x, y: to.y - bend }, near, 'down'),
            line(near, to),
          ];
          return { path, cost: 3 + k };
        }),
      ),
    ),
  );
  return [...straight, ...around];
}

/** From one initial write to another. */
function beneath(a: Box, b: Box): readonly ArrowWay[] {
  return [16, 26, 36].map((depth): ArrowWay => {
    const [from, to] = [
      { x: a.x, y: bottom(a) },
      { x: b.x, y: bottom(b) },
    ];
    const low = bottom(a) + depth;
    return { path: [[from, { x: from.x, y: low }, { x: to.x, y: low }, to]], cost: depth / 10 };
  });
}

function loop(a: Box, side: BoxSide): CurvePath {
  const edge = side > 0 ? right(a) : left(a);
  const out = edge + side * 44;
  const [y0, y1] = [a.y - 9, a.y + 9];
  return [
    [
      { x: edge, y: y0 },
      { x: out, y: y0 - 14 },
      { x: out, y: y1 + 14 },
      { x: edge, y: y1 },
    ],
  ];
}

/** A quarter of an ellipse, which leaves its first point across or down. */
function quarter(a: PicturePoint, b: PicturePoint, out: 'across' | 'down'): Cubic {
  const corner = out === 'across' ? { x: b.x, y: a.y } : { x: a.x, y: b.y };
  const pull = (p: PicturePoint): PicturePoint => ({
    x: p.x + (corner.x - p.x) * 0.55,
    y: p.y + (corner.y - p.y) * 0.55,
  });
  return [a, pull(a), pull(b), b];
}

/** A curve that leaves and arrives horizontally. */
function swing(a: PicturePoint, b: PicturePoint): Cubic {
  const middle = (a.x + b.x) / 2;
  return [a, { x: middle, y: a.y }, { x: middle, y: b.y }, b];
}

/** A curve that leaves and arrives vertically. */
function fall(a: PicturePoint, b: PicturePoint): Cubic {
  const middle = (a.y + b.y) / 2;
  return [a, { x: a.x, y: middle }, { x: b.x, y: middle }, b];
}
