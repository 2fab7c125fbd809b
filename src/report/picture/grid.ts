import type { Box } from './geometry.js';
import { bottom, left, right, top } from './geometry.js';
import type { Trace } from './trace.js';

/** Somewhat larger than the distance between points of a path. */
const CELL = 5;
/** The length of an arrow's head, in points of a path. */
const HEAD = 3;
/** How far outside the picture the grid reaches. Points further out count as points at its edge. */
const AROUND = 400;

/** The cells of a grid over the picture that a path runs through. */
export type GridCells = Int32Array;

/** Counts for each cell of a picture how many paths run through it. */
export class Grid {
  private readonly first: number;
  private readonly highest: number;
  private readonly across: number;
  private readonly down: number;
  private readonly counts: Int32Array;
  /** What `within` is worked out from, until paths are added or removed. */
  private sums: Int32Array | undefined;
  private buffer = new Int32Array(0);

  /** @param picture what the paths connect */
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

  /** How many paths run through cells, counted cell by cell. */
  along(cells: GridCells): number {
    let sum = 0;
    for (let i = 0; i < cells.length; i++) sum += this.counts[cells[i]];
    return sum;
  }

  /** The same for the cells of a box, without those of one of the paths. */
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

  /** For each cell, the sum of all that are further up and further to the left. */
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
