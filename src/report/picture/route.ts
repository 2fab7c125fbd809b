import type { Arrow } from './arrows.js';
import type { ArrowWay } from './candidates.js';
import { waysBetween } from './candidates.js';
import type { Box, CurvePath } from './geometry.js';
import { around, bottom, distance, line, top } from './geometry.js';
import type { GridCells } from './grid.js';
import { Grid } from './grid.js';
import type { PicturePlacement } from './place.js';
import { Trace } from './trace.js';
import { once } from '../../parse/once.js';

/** How often each arrow is routed. From the second time on, all others have paths that it can avoid. */
const ROUNDS = 3;
/** The costs of a path: each of its points that is in a box; each cell that another arrow runs through; its length. */
const HIT = 200;
const SHARED = 5;
const LENGTH = 0.05;

export interface Routes {
  /** The path of each arrow, in the order of the arrows. */
  readonly ways: readonly Route[];
  /**
   * Lines for program order: from each event of a thread to the next. There is none if an arrow leads straight there,
   * and none within a call of a library.
   */
  readonly order: readonly OrderLine[];
  /** The grid that counts all of these paths. */
  readonly grid: Grid;
}

export interface Route {
  readonly path: CurvePath;
  readonly cells: GridCells;
}

export interface OrderLine {
  readonly from: number;
  readonly to: number;
  readonly path: CurvePath;
}

/** Finds a path for each arrow: around boxes, and, if possible, not along other arrows. */
export function routeArrow(arrows: readonly Arrow[], placement: PicturePlacement): Routes {
  const grid = new Grid(
    around([...placement.boxes.values(), ...placement.columns.map((c) => c.head)]),
  );
  const obstacles = [
    ...placement.boxes.values(),
    ...placement.columns.map((c) => ({ ...c.head, width: c.head.width + 4 })),
  ];
  const trace = new Trace();
  const choices = arrows.map(({ from, to }): readonly RouteChoice[] => {
    const own = [placement.boxes.get(from.id)!, placement.boxes.get(to.id)!];
    const others = obstacles.filter((o) => !own.includes(o));
    return waysBetween(from, to, placement)
      .map((way) => ({
        path: way.path,
        least: way.cost + span(way.path) * LENGTH,
        cost: fixedCost(way, trace, own, others),
        cells: once(() => grid.cellsOf(trace.follow(way.path))),
      }))
      .sort((a, b) => a.least - b.least);
  });
  // Short arrows have the fewest paths to choose from, so they go first.
  const sequence = arrows
    .map((_, i) => i)
    .sort((a, b) => span(choices[a][0].path) - span(choices[b][0].path) || a - b);
  const chosen = new Map<number, Route>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const i of sequence) {
      const before = chosen.get(i);
      if (before !== undefined) grid.remove(before.cells);
      const next = cheapest(choices[i], grid);
      grid.add(next.cells);
      chosen.set(i, next);
    }
  }
  const ways = arrows.map((_, i) => chosen.get(i)!);
  const order = orderLines(placement, arrows, ways);
  for (const { path } of order) grid.add(grid.cellsOf(trace.follow(path)));
  return { ways, order, grid };
}

/**
 * A path with a lower bound of its cost. The functions take longer, and are called only for paths that may be the best.
 */
interface RouteChoice {
  readonly path: CurvePath;
  readonly least: number;
  /** The cost; or, if that is at least the limit, some number between the limit and the cost. */
  readonly cost: (limit: number) => number;
  readonly cells: () => GridCells;
}

/** The first of the cheapest paths. Most are ruled out by their lower bounds alone. */
function cheapest(choices: readonly RouteChoice[], grid: Grid): Route {
  let best: Route | undefined;
  let paid = Infinity;
  for (const choice of choices) {
    if (choice.least >= paid) break;
    const cost = choice.cost(paid);
    if (cost >= paid) continue;
    const cells = choice.cells();
    const all = cost + SHARED * grid.along(cells);
    if (all < paid) [best, paid] = [{ path: choice.path, cells }, all];
  }
  return best!;
}

/** The length that a path would have if its curves were straight: a lower bound of its length. */
const span = (path: CurvePath): number => path.reduce((sum, [a, , , b]) => sum + distance(a, b), 0);

/**
 * The cost of a path without that of other arrows: its length, and above all the boxes in its way. With a limit, as
 * `cost`.
 */
function fixedCost(
  { path, cost }: ArrowWay,
  trace: Trace,
  own: readonly Box[],
  others: readonly Box[],
): RouteChoice['cost'] {
  let [known, isExact] = [-Infinity, false];
  return (limit) => {
    if (isExact || known >= limit) return known;
    trace.follow(path);
    const length = trace.total * LENGTH;
    let hits = 0;
    for (const box of others) {
      hits += trace.pointsIn(box, 4);
      if (hits > 0 && cost + hits * HIT + length >= limit)
        return (known = cost + hits * HIT + length);
    }
    for (const box of own) hits += trace.pointsIn(box, -1);
    isExact = true;
    return (known = cost + (hits * HIT + length));
  };
}

function orderLines(
  { events }: PicturePlacement,
  arrows: readonly Arrow[],
  ways: readonly Route[],
): readonly OrderLine[] {
  return events.flatMap(({ event, box }) => {
    const next = events.find(
      (e) => e.event.column === event.column && e.event.row === event.row + 1,
    );
    if (event.column === null || next === undefined) return [];
    // The events of one call have no order that could be drawn.
    if (event.reference !== undefined && !next.event.first) return [];
    const covered = arrows.some(
      ({ from, to }, i) =>
        from.id === event.id && to.id === next.event.id && ways[i].path[0][0].x === box.x,
    );
    if (covered) return [];
    const path = [line({ x: box.x, y: bottom(box) }, { x: box.x, y: top(next.box) })];
    return [{ from: event.id, to: next.event.id, path }];
  });
}
