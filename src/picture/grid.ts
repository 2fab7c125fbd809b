import type { Box, Trace } from './geometry.js';
import { bottom, left, right, top } from './geometry.js';

/** Somewhat larger than the distance between points of a path. */
const CELL = 5;
/** How many points of a path its head is long. */
const HEAD = 3;
/** Larger than any picture, in cells. */
const SPAN = 1 << 15;

/** The cells of a grid over the picture that a path runs through. */
export type Cells = Int32Array;

/** What runs where: counts of paths for each cell. */
export interface Grid {
  add(cells: Cells): void;
  remove(cells: Cells): void;
  /** How many paths run through cells, counted cell by cell. */
  along(cells: Cells): number;
  /** The same for the cells of a box, without those of one of the paths. */
  within(box: Box, without: Cells): number;
}

const index = (v: number): number => Math.floor(v / CELL) + SPAN / 2;

export function cellsOf({ x, y }: Trace): Cells {
  const cells: number[] = [];
  let last = -1;
  for (let i = 0; i < x.length; i++) {
    const cell = index(x[i]) * SPAN + index(y[i]);
    if (cell !== last) cells.push(cell);
    last = cell;
  }
  // Heads are wider than lines, and should not cover each other.
  for (let i = Math.max(0, x.length - HEAD); i < x.length; i++) {
    const cell = index(x[i]) * SPAN + index(y[i]);
    cells.push(cell - 1, cell + 1);
  }
  return Int32Array.from(cells);
}

export function createGrid(): Grid {
  const counts = new Map<number, number>();
  const change = (cells: Cells, by: number): void => {
    for (const c of cells) counts.set(c, (counts.get(c) ?? 0) + by);
  };
  return {
    add: (cells) => change(cells, 1),
    remove: (cells) => change(cells, -1),
    along: (cells) => {
      let sum = 0;
      for (const c of cells) sum += counts.get(c) ?? 0;
      return sum;
    },
    within: (box, without) => {
      const [x0, x1] = [index(left(box)), index(right(box))];
      const [y0, y1] = [index(top(box)), index(bottom(box))];
      let sum = 0;
      for (let x = x0; x <= x1; x++) {
        for (let y = y0; y <= y1; y++) sum += counts.get(x * SPAN + y) ?? 0;
      }
      for (const c of without) {
        const [x, y] = [Math.floor(c / SPAN), c % SPAN];
        if (x >= x0 && x <= x1 && y >= y0 && y <= y1) sum -= 1;
      }
      return sum;
    },
  };
}
