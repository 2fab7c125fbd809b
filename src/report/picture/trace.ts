import type { Box, CurvePath } from './geometry.js';
import { stepsOf } from './geometry.js';

/** How far apart the points of a trace are at most. */
const STEP = 4;

/**
 * A path as points, a few units apart, both ends among them: what questions of nearness are put to.
 * These are asked of ways by the thousand, so that one trace can follow one path after the other.
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
  /** The box around the points. */
  box: Box = { x: 0, y: 0, width: 0, height: 0 };

  private path: CurvePath | undefined;

  /** Takes the points of a path, and forgets those that it had. The same path again costs nothing. */
  follow(path: CurvePath): this {
    if (path === this.path) return this;
    this.path = path;
    const most = path.reduce((sum, cubic) => sum + stepsOf(cubic, STEP), 1);
    if (this.x.length < most) {
      [this.x, this.y, this.length] = [0, 0, 0].map(() => new Float64Array(2 * most));
    }
    const { x, y, length } = this;
    const [first] = path[0];
    let [px, py, total, count] = [first.x, first.y, 0, 1];
    let [x0, x1, y0, y1] = [px, px, py, py];
    x[0] = px;
    y[0] = py;
    for (const cubic of path) {
      const [a, b, c, d] = cubic;
      const steps = stepsOf(cubic, STEP);
      for (let step = 1; step <= steps; step++) {
        const t = step / steps;
        const s = 1 - t;
        const [i, j, k, l] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
        const qx = i * a.x + j * b.x + k * c.x + l * d.x;
        const qy = i * a.y + j * b.y + k * c.y + l * d.y;
        total += Math.sqrt((qx - px) * (qx - px) + (qy - py) * (qy - py));
        px = qx;
        py = qy;
        x[count] = px;
        y[count] = py;
        length[count] = total;
        count += 1;
        x0 = Math.min(x0, px);
        x1 = Math.max(x1, px);
        y0 = Math.min(y0, py);
        y1 = Math.max(y1, py);
      }
    }
    this.count = count;
    this.total = total;
    this.box = { x: (x0 + x1) / 2, y: (y0 + y1) / 2, width: x1 - x0, height: y1 - y0 };
    return this;
  }
}
