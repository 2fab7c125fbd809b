import type { CurvePath, Cubic, PicturePoint } from './geometry.js';
import { bottom, left, line, right } from './geometry.js';
import type { PlacedStep, RunPlacement } from './run-place.js';
import { ROW } from './run-place.js';
import type { RUN_STROKES } from './theme.js';

/**
 * An arrow of a run: from a step to the step that goes on with it, such as from a write to its arrival in memory. It
 * leads to the bottom of the picture (`to` is undefined) if there is no such step.
 */
export interface RunArrow {
  readonly from: number;
  readonly to: number | undefined;
  readonly look: keyof typeof RUN_STROKES;
  /** The space in which it leads down: the one to the right of the lane with this index. */
  readonly gutter: number;
  /** Which of the tracks in this space it takes, counted from the left. */
  readonly track: number;
}

/** How far tracks are from each other, and from lanes. */
const TRACK = 7;
const BESIDE = 12;
/** Arrows leave a step so far below its middle, and arrive at one so far above it. */
const OFF_MIDDLE = 4;
const BEND = 4;

/**
 * The arrows of a run. Each leads along the row of its first step, in which there is no other step, and then down
 * beside the lane of its second. So none crosses a step.
 */
export function arrowsOfRun(
  steps: readonly Pick<PlacedStep, 'step' | 'lane'>[],
): readonly RunArrow[] {
  /** For each space, by tracks: the row down to which the track is taken. */
  const taken = new Map<number, number[]>();
  const wanted = steps.flatMap(({ step, lane }, at) => {
    const { from } = step;
    const gutter = from !== undefined && steps[from].lane < lane ? lane - 1 : lane;
    return [
      ...(from === undefined ? [] : [{ from, to: at, gutter, look: lookOf(step.kind) }]),
      ...(step.pending
        ? [{ from: at, to: undefined, gutter: lane, look: 'pending' as const }]
        : []),
    ];
  });
  // In the order of the rows in which they begin to lead down.
  return [...wanted]
    .sort((a, b) => a.from - b.from || (a.to ?? Infinity) - (b.to ?? Infinity))
    .map((arrow) => {
      const tracks = taken.get(arrow.gutter) ?? [];
      taken.set(arrow.gutter, tracks);
      const free = tracks.findIndex((until) => until < arrow.from);
      const track = free < 0 ? tracks.length : free;
      tracks[track] = arrow.to ?? Infinity;
      return { ...arrow, track };
    });
}

function lookOf(kind: string): RunArrow['look'] {
  if (kind === 'drain') return 'buffered';
  if (kind === 'poll') return 'polled';
  return kind.startsWith('flush') ? 'memory' : 'network';
}

/** The widths that the spaces to the right of lanes need for their tracks. */
export function guttersOf(lanes: number, arrows: readonly RunArrow[]): readonly number[] {
  return Array.from({ length: lanes }, (_, gutter) => {
    const tracks = arrows.filter((a) => a.gutter === gutter).map(({ track }) => track + 1);
    const room = 2 * BESIDE + TRACK * Math.max(0, Math.max(0, ...tracks) - 1);
    return gutter === lanes - 1 && tracks.length === 0 ? 0 : room;
  });
}

export function arrowPath(arrow: RunArrow, { lanes, steps }: RunPlacement): CurvePath {
  const from = steps[arrow.from];
  const lane = lanes[arrow.gutter];
  const down = lane.x + lane.width / 2 + BESIDE + TRACK * arrow.track;
  const start = {
    x: from.box.x < down ? right(from.box) : left(from.box),
    y: from.box.y + OFF_MIDDLE,
  };
  if (arrow.to === undefined) {
    const last = steps[steps.length - 1];
    return rounded([start, { x: down, y: start.y }, { x: down, y: bottom(last.box) + ROW / 2 }]);
  }
  const to = steps[arrow.to];
  const comesFromRight = to.box.x < down;
  const end = { x: comesFromRight ? right(to.box) : left(to.box), y: to.box.y - OFF_MIDDLE };
  const corners = [start, { x: down, y: start.y }, { x: down, y: end.y }, end];
  return rounded(corners);
}

/** Straight lines from point to point, with rounded corners. */
function rounded(points: readonly PicturePoint[]): CurvePath {
  const path: Cubic[] = [];
  let [at] = points;
  for (let i = 1; i < points.length - 1; i++) {
    const corner = points[i];
    const [before, after] = [towards(corner, at, BEND), towards(corner, points[i + 1], BEND)];
    path.push(line(at, before), [before, corner, corner, after]);
    at = after;
  }
  path.push(line(at, points[points.length - 1]));
  return path;
}

/** The point at a distance from one point towards another. Both must be on a line along an axis. */
const towards = (from: PicturePoint, to: PicturePoint, by: number): PicturePoint => ({
  x: from.x + Math.sign(to.x - from.x) * Math.min(by, Math.abs(to.x - from.x)),
  y: from.y + Math.sign(to.y - from.y) * Math.min(by, Math.abs(to.y - from.y)),
});
