import type { Box } from './geometry.js';
import { bottom, left, right, top } from './geometry.js';
import type { Trace } from './trace.js';

/** The size of a cell: somewhat more than the distance between points of a trace, so that no cell on a path is missed. */
const CELL = 5;
/** How many points of a trace the head of an arrow takes. */
const HEAD = 3;
/** How far the grid reaches beyond the picture. Points even further away count for the cells at its edge. */
const AROUND = 400;

/** The cells of a grid that a path runs through. */
export type GridCells = Int32Array;

/** A grid over a picture, which counts for each cell how many paths run through it. */
export class Grid {
  private readonly first: number;
  private readonly highest: number;
  private readonly across: number;
  private readonly down: number;
  private readonly counts: Int32Array;
  /** The sums for `within`. Undefined after paths were added or removed. */
  private sums: Int32Array | undefined;
  private buffer = new Int32Array(0);

  /** @param picture the box around all that paths connect */
  constructor(picture: Box) {
    this.first = Math.floor((left(picture) - AROUND) / CELL);
    this.highest = Math.floor((top(picture) - AROUND) / CELL);
    this.across = Math.ceil((picture.width + 2 * AROUND) / CELL);
    this.down = Math.ceil((picture.height + 2 * AROUND) / CELL);
    this.counts = new Int32Array(this.across * this.down);
  }

  cellsOf({ x, y, count }: Trace): GridCells {
    const most = count + 2 * HEAD;
    if (this.buffer.length < most) this.buffer = new Int32Array(2 * most);
    const cells = this.buffer;
    let found = 0;
    let last = -1;
    for (let i = 0; i < count; i++) {
      const cell = this.row(y[i]) * this.across + this.column(x[i]);
      if (cell !== last) cells[found++] = cell;
      last = cell;
    }
    // Heads are wider than lines, and should not cover each other.
    for (let i = Math.max(0, count - HEAD); i < count; i++) {
      cells[found++] = this.row(y[i] - CELL) * this.across + this.column(x[i]);
      cells[found++] = this.row(y[i] + CELL) * this.across + this.column(x[i]);
    }
    return cells.slice(0, found);
  }

  add(cells: GridCells): void {
    this.sums = undefined;
    for (const c of cells) this.counts[c] += 1;
  }

  remove(cells: GridCells): void {
    this.sums = undefined;
    for (const c of cells) this.counts[c] -= 1;
  }

  /** How many paths run through some cells: the sum over these cells. */
  along(cells: GridCells): number {
    let sum = 0;
    for (let i = 0; i < cells.length; i++) sum += this.counts[cells[i]];
    return sum;
  }

  /** How many paths run through the cells of a box, not counting one of the paths. */
  within(box: Box, without: GridCells): number {
    const [x0, x1] = [this.column(left(box)), this.column(right(box))];
    const [y0, y1] = [this.row(top(box)), this.row(bottom(box))];
    const sums = (this.sums ??= this.summed());
    const wide = this.across + 1;
    let sum =
      sums[(y1 + 1) * wide + x1 + 1] -
      sums[y0 * wide + x1 + 1] -
      sums[(y1 + 1) * wide + x0] +
      sums[y0 * wide + x0];
    if (sum === 0) return 0;
    const [first, last] = [y0 * this.across, (y1 + 1) * this.across];
    for (let i = 0; i < without.length; i++) {
      const cell = without[i];
      if (cell < first || cell >= last) continue;
      const x = cell % this.across;
      if (x >= x0 && x <= x1) sum -= 1;
    }
    return sum;
  }

  /**
   * For each cell, the sum over all cells above it and to the left of it: with these, a box is summed in constant time.
   */
  private summed(): Int32Array {
    const { across, down, counts } = this;
    const sums = new Int32Array((across + 1) * (down + 1));
    for (let y = 0, cell = 0; y < down; y++) {
      let row = 0;
      for (let x = 0; x < across; x++, cell++) {
        row += counts[cell];
        const at = (y + 1) * (across + 1) + x + 1;
        sums[at] = sums[at - across - 1] + row;
      }
    }
    return sums;
  }

  private column(x: number): number {
    return Math.max(0, Math.min(this.across - 1, Math.floor(x / CELL) - this.first));
  }

  private row(y: number): number {
    return Math.max(0, Math.min(this.down - 1, Math.floor(y / CELL) - this.highest));
  }
}
