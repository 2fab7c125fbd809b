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

  /** @param picture what the paths connect */
  constructor(picture: Box) {
    this.first = Math.floor((left(picture) - AROUND) / CELL);
    this.highest = Math.floor((top(picture) - AROUND) / CELL);
    this.across = Math.ceil((picture.width + 2 * AROUND) / CELL);
    this.down = Math.ceil((picture.height + 2 * AROUND) / CELL);
    this.counts = new Int32Array(this.across * this.down);
  }

  cellsOf({ x, y, count }: Trace): GridCells {
    const cells: number[] = [];
    let last = -1;
    for (let i = 0; i < count; i++) {
      const cell = this.row(y[i]) * this.across + this.column(x[i]);
      if (cell !== last) cells.push(cell);
      last = cell;
    }
    // Heads are wider than lines, and should not cover each other.
    for (let i = Math.max(0, count - HEAD); i < count; i++) {
      for (const dy of [-CELL, CELL]) {
        cells.push(this.row(y[i] + dy) * this.across + this.column(x[i]));
      }
    }
    return Int32Array.from(cells);
  }

  add(cells: GridCells): void {
    for (const c of cells) this.counts[c] += 1;
  }

  remove(cells: GridCells): void {
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
    let sum = 0;
    for (let y = y0; y <= y1; y++) {
      for (let x = x0; x <= x1; x++) sum += this.counts[y * this.across + x];
    }
    for (let i = 0; i < without.length; i++) {
      const x = without[i] % this.across;
      const y = (without[i] - x) / this.across;
      if (x >= x0 && x <= x1 && y >= y0 && y <= y1) sum -= 1;
    }
    return sum;
  }

  private column(x: number): number {
    return Math.max(0, Math.min(this.across - 1, Math.floor(x / CELL) - this.first));
  }

  private row(y: number): number {
    return Math.max(0, Math.min(this.down - 1, Math.floor(y / CELL) - this.highest));
  }
}
