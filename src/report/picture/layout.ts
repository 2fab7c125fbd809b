import type { ExecutionGraph } from '../../analyses/explain/graph.js';
import type { Arrow } from './arrows.js';
import { arrowsOf } from './arrows.js';
import { cutOut } from './cut.js';
import type { Box, CurvePath } from './geometry.js';
import type { ArrowLabel } from './label.js';
import { label } from './label.js';
import type { Growth, PicturePlacement } from './place.js';
import { place } from './place.js';
import type { OrderLine, Route } from './route.js';
import { routeArrow } from './route.js';

/** The parts of the picture of an execution, each with its place. */
export interface PictureLayout extends Pick<PicturePlacement, 'columns' | 'events' | 'calls'> {
  readonly arrows: readonly PlacedArrow[];
  readonly order: readonly OrderLine[];
}

export interface PlacedArrow extends Arrow {
  /** One path, or two with the label in between. */
  readonly paths: readonly CurvePath[];
  readonly label: Pick<ArrowLabel, 'lines' | 'box'>;
}

/** How often space is added for labels that have none. For large pictures less often, since each time takes long. */
const TRIES = 8;
const CROWD = 50;
const TRIES_IN_CROWD = 4;

/** Lays out a graph. If a label finds no place, rows and columns move apart there. */
export function layout(graph: ExecutionGraph, highlight: boolean): PictureLayout {
  const arrows = arrowsOf(graph, highlight);
  let growth: Growth = { gutters: [], gaps: [], lane: 12 };
  let best: { readonly put: () => PictureLayout; readonly trouble: number } | undefined;
  const most = arrows.length > CROWD ? TRIES_IN_CROWD : TRIES;
  for (let tries = 0; tries < most; tries++) {
    const placement = place(graph, arrows, highlight, growth);
    const { ways, order, grid } = routeArrow(arrows, placement);
    const obstacles = [...placement.boxes.values(), ...placement.columns.map((c) => c.head)];
    const labels = label(arrows, ways, obstacles, grid);
    const trouble = labels.reduce((sum, l) => sum + l.trouble, 0);
    if (best === undefined || trouble < best.trouble) {
      best = { put: () => put(arrows, placement, ways, labels, order), trouble };
    }
    if (trouble === 0) break;
    growth = grown(growth, placement, arrows, labels);
  }
  return best!.put();
}

function put(
  arrows: readonly Arrow[],
  { columns, events, calls }: PicturePlacement,
  ways: readonly Route[],
  labels: readonly ArrowLabel[],
  order: readonly OrderLine[],
): PictureLayout {
  return {
    columns,
    events,
    calls,
    arrows: arrows.map((arrow, i) => {
      const { isOn, lines, box } = labels[i];
      const parts = isOn ? cutOut(ways[i].path, box, 1) : [ways[i].path];
      return { ...arrow, paths: parts, label: { lines, box } };
    }),
    order,
  };
}

/** Adds space near the labels that need it: between the nearest rows, between the nearest columns, and between lanes. */
function grown(
  growth: Growth,
  { gutters, gaps }: PicturePlacement,
  arrows: readonly Arrow[],
  labels: readonly ArrowLabel[],
): Growth {
  const [wider, higher] = [new Set<number>(), new Set<number>()];
  let { lane } = growth;
  labels.forEach(({ box, trouble }, i) => {
    if (trouble === 0) return;
    if (gutters.length > 0) wider.add(nearest(gutters, box.x));
    higher.add(box.y < gaps[0] - 10 ? 0 : nearest(gaps, box.y));
    const { from, to } = arrows[i];
    if (from.column === to.column || from.column === null) lane = growth.lane + 4;
  });
  const add = (all: readonly number[], count: number, where: ReadonlySet<number>, by: number) =>
    Array.from({ length: count }, (_, i) => (all[i] ?? 0) + (where.has(i) ? by : 0));
  return {
    gutters: add(growth.gutters, gutters.length, wider, 20),
    gaps: add(growth.gaps, gaps.length, higher, 10),
    lane,
  };
}

const nearest = (all: readonly number[], to: number): number =>
  all.reduce((best, x, i) => (Math.abs(x - to) < Math.abs(all[best] - to) ? i : best), 0);

/** The boxes of everything in a layout. A title and a legend have to be outside of these. */
export function boxesOf({ columns, events, calls, arrows }: PictureLayout): readonly Box[] {
  const points = arrows.flatMap((a) => a.paths.flat(2).map((p) => ({ ...p, width: 4, height: 4 })));
  return [
    ...columns.map((c) => c.head),
    ...events.map((e) => e.box),
    ...calls.map((c) => c.box),
    ...arrows.map((a) => a.label.box),
    ...points,
  ];
}
