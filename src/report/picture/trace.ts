import type { Box, CurvePath } from './geometry.js';
import { insideBox, stepCount } from './geometry.js';

/** By default, the points of a trace are this far apart at most. */
const STEP = 4;

/** An upper bound of the rounding errors in computed points. */
const ROUNDING = 1e-6;

/** A place on a path: the index of a curve, and the parameter on it. */
export interface PointOnPath {
  readonly curve: number;
  readonly t: number;
}

/**
 * A path as a list of points, a few units apart, with both of its ends. What a path is near to is decided by these
 * points. Routing asks that about thousands of paths, so one trace is used for one path after the other, and keeps its
 * arrays.
 */
export class Trace {
  x = new Float64Array(0);
  y = new Float64Array(0);
  /** The length of the path up to each point. */
  length = new Float64Array(0);
  /** How many points there are. */
  count = 0;
  /** The length of the path. */
  total = 0;

  private path: CurvePath | undefined;
  /** For each curve the index of its first point, and in the end the number of points. */
  private readonly starts: number[] = [];
  /** For each curve the bounds of its control points, which it never leaves: left, right, top, bottom. */
  private readonly edges: number[] = [];

  constructor(private readonly step = STEP) {}

  /** Replaces the points by those of another path. Nothing is done if it is the same path. */
  follow(path: CurvePath): this {
    if (path === this.path) return this;
    this.path = path;
    const most = path.reduce((sum, cubic) => sum + stepCount(cubic, this.step), 1);
    if (this.x.length < most) {
      [this.x, this.y, this.length] = [0, 0, 0].map(() => new Float64Array(2 * most));
    }
    const { x, y, length, starts, edges } = this;
    let px = path[0][0].x;
    let py = path[0][0].y;
    let total = 0;
    let count = 1;
    x[0] = px;
    y[0] = py;
    length[0] = 0;
    for (let curve = 0; curve < path.length; curve++) {
      const cubic = path[curve];
      const [a, b, c, d] = cubic;
      starts[curve] = curve === 0 ? 0 : count;
      edges[4 * curve] = Math.min(a.x, b.x, c.x, d.x);
      edges[4 * curve + 1] = Math.max(a.x, b.x, c.x, d.x);
      edges[4 * curve + 2] = Math.min(a.y, b.y, c.y, d.y);
      edges[4 * curve + 3] = Math.max(a.y, b.y, c.y, d.y);
      const steps = stepCount(cubic, this.step);
      for (let step = 1; step <= steps; step++) {
        const t = step / steps;
        const s = 1 - t;
        const i = s * s * s;
        const j = 3 * s * s * t;
        const k = 3 * s * t * t;
        const l = t * t * t;
        const qx = i * a.x + j * b.x + k * c.x + l * d.x;
        const qy = i * a.y + j * b.y + k * c.y + l * d.y;
        total += Math.sqrt((qx - px) * (qx - px) + (qy - py) * (qy - py));
        px = qx;
        py = qy;
        x[count] = px;
        y[count] = py;
        length[count] = total;
        count += 1;
      }
    }
    starts[path.length] = count;
    this.count = count;
    this.total = total;
    return this;
  }

  /** Calls a function with the index of each point that is in a box, or closer to it than a distance. */
  eachInside(box: Box, distance: number, call: (i: number) => void): void {
    const { x, y, starts } = this;
    const curves = this.path!.length;
    for (let curve = 0; curve < curves; curve++) {
      if (this.isFar(curve, box, distance)) continue;
      for (let i = starts[curve]; i < starts[curve + 1]; i++) {
        if (insideBox(x[i], y[i], box, distance)) call(i);
      }
    }
  }

  /** How many points are in a box, or closer to it than a distance. */
  pointsIn(box: Box, distance: number): number {
    const { x, y, starts } = this;
    const curves = this.path!.length;
    let count = 0;
    for (let curve = 0; curve < curves; curve++) {
      if (this.isFar(curve, box, distance)) continue;
      for (let i = starts[curve]; i < starts[curve + 1]; i++) {
        if (insideBox(x[i], y[i], box, distance)) count += 1;
      }
    }
    return count;
  }

  /**
   * Is all of a curve further from a box than a distance? This quick test suffices for most boxes and curves. It allows
   * for rounding errors, by which points may be out of bounds.
   */
  private isFar(curve: number, { x, y, width, height }: Box, distance: number): boolean {
    const { edges } = this;
    const [across, down] = [width / 2 + distance + ROUNDING, height / 2 + distance + ROUNDING];
    return (
      edges[4 * curve] - x > across ||
      x - edges[4 * curve + 1] > across ||
      edges[4 * curve + 2] - y > down ||
      y - edges[4 * curve + 3] > down
    );
  }

  /** Where on the path a point is. */
  at(i: number): PointOnPath {
    const { starts } = this;
    if (i === 0) return { curve: 0, t: 0 };
    const curve = this.path!.findIndex((_, c) => i < starts[c + 1]);
    const before = curve === 0 ? 0 : starts[curve] - 1;
    return { curve, t: (i - before) / (starts[curve + 1] - 1 - before) };
  }
}
