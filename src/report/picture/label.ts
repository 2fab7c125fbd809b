import type { Arrow, ArrowName } from './arrows.js';
import type { Box } from './geometry.js';
import { near } from './geometry.js';
import type { Grid } from './grid.js';
import { LINE, NAME } from './place.js';
import type { Route } from './route.js';
import { textWidth, wrapped } from './text.js';
import { Trace } from './trace.js';

/** Lines with more letters than this are wrapped, if that is possible. */
const LETTERS = 12;
/** At how many points of a path a label is tried. */
const PLACES = 24;
/**
 * The costs of a place: that it hides all of the path; that it is beside the path, or touches it with a corner only;
 * each cell of another path below the label, or near it; each box.
 */
const HIDDEN = 16;
const BESIDE = 5;
const CORNER = 20;
const CROSSED = 8;
const NEAR = 0.7;
const TOUCHED = 1000;
/** A label with at least this trouble covers something. */
const TROUBLE = 20;

/** The label of an arrow, at its place. */
export interface ArrowLabel {
  readonly lines: readonly (readonly ArrowName[])[];
  readonly box: Box;
  /** Is it on the arrow, which is interrupted there? Otherwise it is beside it. */
  readonly isOn: boolean;
  /** How much it covers or touches; 0 if nothing. */
  readonly trouble: number;
}

interface Spot extends Omit<ArrowLabel, 'lines' | 'trouble'> {
  readonly cost: number;
}

/**
 * Finds places for labels: on their paths, which are interrupted there, or beside them. As far as possible they touch
 * no box and no other label, and no other arrow goes through them.
 */
export function label(
  arrows: readonly Arrow[],
  ways: readonly Route[],
  obstacles: readonly Box[],
  grid: Grid,
): readonly ArrowLabel[] {
  const lines = arrows.map(({ names }) => wrapped(names, (n) => `${n.name},`, LETTERS));
  const spots = arrows.map((_, i) => spotsOn(ways[i], sizeOf(lines[i]), obstacles, grid));
  // Labels with few good places choose first.
  const choice = spots.map((all) => all.filter((s) => s.cost < TROUBLE).length);
  const sequence = arrows.map((_, i) => i).sort((a, b) => choice[a] - choice[b] || a - b);
  const chosen = new Map<number, { readonly spot: Spot; readonly trouble: number }>();
  for (let round = 0; round < 3; round++) {
    for (const i of sequence) {
      chosen.delete(i);
      const others = [...chosen.values()].map(({ spot }) => spot.box);
      let best: { spot: Spot; trouble: number } | undefined;
      let least = Infinity;
      for (const spot of spots[i]) {
        if (spot.cost >= least) break;
        const hits = others.filter((o) => near(o, spot.box, 2)).length;
        const all = spot.cost + hits * TOUCHED;
        if (all < least) [best, least] = [{ spot, trouble: all < TROUBLE ? 0 : all }, all];
      }
      chosen.set(i, best!);
    }
  }
  return arrows.map((_, i) => {
    const { spot, trouble } = chosen.get(i)!;
    const { box, isOn } = spot;
    return { lines: lines[i], box, isOn, trouble };
  });
}

function sizeOf(lines: ArrowLabel['lines']): { readonly width: number; readonly height: number } {
  const widths = lines.map((line, i) => {
    const comma = i < lines.length - 1 ? ',' : '';
    return textWidth(line.map((n) => n.name).join(', ') + comma, NAME);
  });
  return { width: Math.max(...widths) + 3, height: lines.length * NAME * LINE };
}

/** The places that a label may have, the best first. */
function spotsOn(
  { path, cells }: Route,
  { width, height }: { readonly width: number; readonly height: number },
  obstacles: readonly Box[],
  grid: Grid,
): readonly Spot[] {
  const trace = new Trace().follow(path);
  const { x: xs, y: ys, length, count, total } = trace;
  const spots: Spot[] = [];
  const [across, down] = [width / 2 + 4, height / 2 + 3];
  const every = Math.max(2, Math.ceil(count / PLACES));
  const consider = (at: number, dx: number, dy: number): void => {
    const box = { x: xs[at] + dx, y: ys[at] + dy, width, height };
    const isOn = dx === 0 && dy === 0;
    let [first, last] = [Infinity, -Infinity];
    trace.eachInside(box, 2, (i) => {
      first = Math.min(first, length[i]);
      last = length[i];
    });
    if (!isOn && first < Infinity) return;
    // So much of the path must stay visible before and after the label; after it, there is also the head of the arrow.
    if (isOn && (first < 9 || total - last < 15)) return;
    const own = isOn ? ((last - first) / total) * HIDDEN : dx !== 0 && dy !== 0 ? CORNER : BESIDE;
    let touched = 0;
    for (const o of obstacles) if (near(o, box, 2)) touched += TOUCHED;
    const around = { ...box, width: width + 20, height: height + 20 };
    const crossed =
      touched > 0 ? 0 : grid.within(box, cells) * CROSSED + grid.within(around, cells) * NEAR;
    const middle = Math.abs(length[at] / total - 0.5) * 10;
    spots.push({ box, isOn, cost: own + middle + crossed + touched });
  };
  for (let at = 0; at < count; at += every) {
    consider(at, 0, 0);
    for (const dx of [across, -across]) consider(at, dx, 0);
    for (const dy of [down, -down]) consider(at, 0, dy);
  }
  if (!spots.some(({ cost }) => cost < TROUBLE)) {
    for (let at = 0; at < count; at += every) {
      for (const dx of [across, -across]) for (const dy of [down, -down]) consider(at, dx, dy);
    }
  }
  if (spots.length === 0) {
    const at = Math.floor(count / 2);
    spots.push({ box: { x: xs[at], y: ys[at], width, height }, isOn: false, cost: TOUCHED });
  }
  return spots.sort((a, b) => a.cost - b.cost);
}
