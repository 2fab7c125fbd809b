import type {
  Timeline,
  TimelineLane,
  TimelineStep,
  TimelineWay,
} from '../../analyses/timeline/timeline.js';
import { plural } from '../explain-style.js';
import type { Box, CurvePath, PicturePoint } from './geometry.js';
import { around, left, line, reversed, top } from './geometry.js';
import { headBox } from './arrow-head.js';
import type { LegendEntry, LegendText } from './legend.js';
import { entriesBelow } from './legend.js';
import { HEAD, LABEL, NAME, SMALL, TITLE } from './place.js';
import { shortened, textWidth, wrapped } from './text.js';
import type { PlacedText, Spot } from './timeline-label.js';
import { TITLE_LETTER, beside, placedText as text } from './timeline-label.js';
import { FAINT, PEN, TIMELINE_STROKES } from './theme.js';

/** A picture of a timeline: everything in it, with its place. */
export interface TimelinePicture {
  readonly title: readonly PlacedText[];
  /** For each node a box around its lanes, and its name. */
  readonly nodes: readonly { readonly name: PlacedText; readonly box: Box }[];
  readonly lanes: readonly { readonly head: PlacedText; readonly path: CurvePath }[];
  readonly rows: readonly PlacedRow[];
  readonly ways: readonly { readonly way: TimelineWay; readonly path: CurvePath }[];
  readonly waits: readonly { readonly text: string; readonly box: Box }[];
  readonly legend: readonly LegendEntry[];
  readonly frame: Box;
}

export interface PlacedRow {
  readonly step: TimelineStep;
  /** The number that the step has in the words beside the picture, if it is told there. */
  readonly number?: PlacedText;
  readonly brief: PlacedText;
  readonly note?: PlacedText;
  /** The ground of the whole row, which is coloured if something goes wrong in it. */
  readonly band: Box;
  readonly dot: PicturePoint;
  /** The arrow of the step, if something goes from one lane to another at that moment. */
  readonly path?: CurvePath;
  readonly look: 'memory' | 'wire';
}

const ROW = 27;
const NOTE = 16;
const HEADS = 44;
const SIDE = 34;
/** The distance between two lanes if there are few of them, or many: more than `most`. */
const LANES = { few: 62, many: 46, most: 6 } as const;
/** The extra distance between lanes of different nodes: the network is between them. */
const WIRE = 34;
const MARGIN = 10;
const LETTERS = 46;

/** Places everything. The same timeline gives the same picture. */
export function timelinePictureOf(timeline: Timeline, title: string): TimelinePicture {
  const { lanes, steps, ways, waits, omitted = 0 } = timeline;
  const xs = lanesAcross(lanes);
  const ys = rowsDown(steps);
  const end = (ys.at(-1) ?? HEADS) + ROW;
  const places = { lanes, steps, xs, ys };
  // If something continues at the same card, the line of the card is enough, and there is no arrow.
  const placedWays = ways
    .map((way) => ({ way, path: pathOf(way, places) }))
    .filter(({ way, path: [[a, , , b]] }) => way.look !== 'wire' || a.x !== b.x);
  const rows = placeRows(
    places,
    placedWays.map(({ way, path }) => headBox(path, penOf(way.look))),
  );
  const nodes = nodesOf(lanes, xs, end);
  const heads = lanes.map((lane, i) => ({
    head: text(headOf(lane), { x: xs[i], y: HEADS - 12 }, 'middle', HEAD),
    path: [line({ x: xs[i], y: HEADS }, { x: xs[i], y: end })],
  }));
  const bars = waits.map(({ lane, from, to, what }) => ({
    text: what,
    box: { x: xs[lane], y: (ys[from] + ys[to]) / 2, width: 8, height: ys[to] - ys[from] },
  }));
  const body = around([
    ...nodes.flatMap(({ name, box }) => [name.box, box]),
    ...rows.flatMap(textsOf).map(({ box }) => box),
    ...placedWays.flatMap(({ path }) => path.flat().map((p) => ({ ...p, width: 4, height: 4 }))),
  ]);
  const rest = omitted === 0 ? '' : `${plural(omitted, 'step')} before left out`;
  const titled = titleAbove([title, rest].filter((part) => part !== '').join('; '), body);
  const legend = entriesBelow(body, entriesOf(rows, ways, waits.length > 0));
  const frame = withMargin(
    around([
      body,
      ...titled.map(({ box }) => box),
      ...legend.flatMap(({ nameBox, wordsBox }) => [nameBox, wordsBox]),
    ]),
  );
  return { title: titled, nodes, lanes: heads, rows, ways: placedWays, waits: bars, legend, frame };
}

/**
 * Places the rows of all steps. The numbers of steps are to the left of all texts.
 *
 * @param wayHeads the heads of the arrows between steps. Texts must not touch these either
 */
function placeRows(places: Places, wayHeads: readonly Box[]): readonly PlacedRow[] {
  const { lanes, steps, xs, ys } = places;
  const width = Math.max(...xs) + SIDE;
  const arrows = steps.map((step, i) => arrowOf(step, xs, ys[i]));
  const heads = [...wayHeads, ...arrows.flatMap((path, i) => headsOf(path, steps[i].both))];
  const placed = steps.map((step, i) =>
    placeRow(step, { lanes, xs, width, y: ys[i], arrow: arrows[i], heads }),
  );
  const edge = Math.min(0, ...placed.flatMap(textsOf).map((t) => left(t.box)));
  return placed.map((row, i): PlacedRow => {
    const { number } = row.step;
    if (number === undefined) return row;
    return { ...row, number: text(String(number), { x: edge - 4, y: ys[i] + 4 }, 'end', SMALL) };
  });
}

/** The texts of a row. */
const textsOf = ({ brief, number, note }: PlacedRow): readonly PlacedText[] =>
  [brief, number, note].filter((one) => one !== undefined);

const withMargin = (box: Box): Box => ({
  ...box,
  width: Math.ceil(box.width + 2 * MARGIN),
  height: Math.ceil(box.height + 2 * MARGIN),
});

/**
 * The places of lanes from left to right. The first node has its card on the right, the others have theirs on the left.
 */
function lanesAcross(lanes: readonly TimelineLane[]): readonly number[] {
  const space = lanes.length <= LANES.most ? LANES.few : LANES.many;
  const first = lanes[0]?.node;
  const names = [...new Set(lanes.map(({ node }) => node))];
  const xs: number[] = [];
  /** The width that is taken so far, by lanes and by the names of nodes. */
  let taken = 0;
  let before: number | undefined;
  for (const node of names) {
    const own = lanes.flatMap((lane, i) => (lane.node === node ? [i] : []));
    const across = node === first ? own : own.reverse();
    const apart = across.slice(1).map((lane, k) => between(lanes[across[k]], lanes[lane], space));
    const wide = apart.reduce((sum, one) => sum + one, 0);
    // The name of a node is centred above its lanes, and may be wider than these.
    const name = Math.max(wide + 2 * SIDE, textWidth(nameOf(node), HEAD) + 2 * NEXT);
    const begin =
      before === undefined
        ? SIDE
        : xs[before] + between(lanes[before], lanes[across[0]], space) + WIRE;
    const x = Math.max(begin, taken + (name - wide) / 2);
    let at = x;
    for (const [k, lane] of across.entries()) {
      xs[lane] = at;
      at += apart[k] ?? 0;
    }
    taken = x + wide / 2 + name / 2;
    before = across.at(-1);
  }
  return xs;
}

/** The least distance between the heads of two lanes. */
const NEXT = 5;

/** The distance from one lane to the next: enough for their heads to be beside each other. */
const between = (a: TimelineLane, b: TimelineLane, space: number): number =>
  Math.max(space, textWidth(headOf(a), HEAD) / 2 + textWidth(headOf(b), HEAD) / 2 + 2 * NEXT);

function rowsDown(steps: readonly TimelineStep[]): readonly number[] {
  let y = HEADS + ROW - 6;
  return steps.map(({ note }) => {
    const at = y;
    y += ROW + (note === undefined ? 0 : NOTE);
    return at;
  });
}

interface Row {
  readonly lanes: readonly TimelineLane[];
  readonly xs: readonly number[];
  readonly width: number;
  readonly y: number;
  readonly arrow: CurvePath | undefined;
  /** The heads of all arrows, which no text may cover. */
  readonly heads: readonly Box[];
}

/** The arrow of a step in which something goes from one lane to another at one moment. */
function arrowOf(
  { lane, from }: TimelineStep,
  xs: readonly number[],
  y: number,
): CurvePath | undefined {
  if (from === undefined || xs[from] === xs[lane]) return undefined;
  return [line({ x: xs[from], y }, { x: xs[lane], y })];
}

function placeRow(
  step: TimelineStep,
  { lanes, xs, width, y, arrow, heads }: Row,
): Omit<PlacedRow, 'number'> {
  const at = xs[step.lane];
  const spots = spotsOf(step, { lanes, xs, width, y });
  const brief = beside(shortened(step.brief, LETTERS), LABEL, spots, heads);
  const isMemory = [step.lane, step.from].some(
    (l) => l !== undefined && lanes[l].kind === 'memory',
  );
  const height = ROW + (step.note === undefined ? 0 : NOTE);
  const below = [{ x: brief.at.x, anchor: brief.anchor as Spot['anchor'] }, ...spots];
  return {
    step,
    brief,
    ...(step.note !== undefined && {
      note: beside(
        step.note,
        NAME,
        below.map((spot) => ({ ...spot, y: y + 18 })),
        heads,
      ),
    }),
    band: { x: width / 2, y: y - ROW / 2 + height / 2 - 2, width, height },
    dot: { x: at, y },
    ...(arrow && { path: arrow }),
    look: isMemory ? 'memory' : 'wire',
  };
}

/**
 * The spots for the words of a step, the best first. If the step has no arrow, they are beside its dot: preferably on
 * the side from which no arrow comes. Otherwise they are above the arrow, or beside it.
 */
function spotsOf(
  step: TimelineStep,
  { lanes, xs, width, y }: Pick<Row, 'lanes' | 'xs' | 'width' | 'y'>,
): readonly Spot[] {
  const at = xs[step.lane];
  const other = step.from === undefined ? at : xs[step.from];
  const [low, high] = [Math.min(at, other), Math.max(at, other)];
  const outside: readonly Spot[] = [
    { x: high + 8, y: y + 4, anchor: 'start' },
    { x: low - 8, y: y + 4, anchor: 'end' },
  ];
  if (low === high) {
    const own = xs.filter((_, i) => lanes[i].node === lanes[step.lane].node);
    const inside = own.reduce((sum, x) => sum + x, 0) / own.length - at;
    const isRight = inside === 0 ? low + high < width : inside > 0;
    return isRight ? outside : outside.toReversed();
  }
  const above: readonly Spot[] = [
    { x: low + 8, y: y - ABOVE, anchor: 'start' },
    { x: high - 8, y: y - ABOVE, anchor: 'end' },
  ];
  // The spot towards the middle of the picture comes first.
  return [...(low + high < width ? above : above.toReversed()), ...outside];
}

/** How far the words of an arrow are above it, so that they do not touch its head. */
const ABOVE = 8;

function nodesOf(
  lanes: readonly TimelineLane[],
  xs: readonly number[],
  end: number,
): TimelinePicture['nodes'] {
  return [...new Set(lanes.map(({ node }) => node))].map((node) => {
    const own = xs.filter((_, i) => lanes[i].node === node);
    const [low, high] = [Math.min(...own) - SIDE + 4, Math.max(...own) + SIDE - 4];
    const box = { x: (low + high) / 2, y: (end + 8) / 2, width: high - low, height: end + 8 };
    return { name: text(nameOf(node), { x: box.x, y: top(box) + 15 }, 'middle', HEAD), box };
  });
}

const headOf = ({ kind, thread }: TimelineLane): string =>
  kind === 'thread' ? shortened(thread!, 9) : kind === 'nic' ? 'NIC' : 'memory';

const nameOf = (node: string): string => `node ${node}`;

interface Places {
  readonly lanes: readonly TimelineLane[];
  readonly steps: readonly TimelineStep[];
  readonly xs: readonly number[];
  readonly ys: readonly number[];
}

/** The heads of a step's arrow. With `both`, it has one at each end. */
const headsOf = (path: CurvePath | undefined, both: boolean | undefined): readonly Box[] =>
  path === undefined
    ? []
    : [path, ...(both ? [reversed(path)] : [])].map((one) => headBox(one, PEN.arrow));

/** The path of an arrow between steps: from card to card, to the thread that polls, or along a cycle from dot to dot. */
function pathOf({ from, to, look }: TimelineWay, { lanes, steps, xs, ys }: Places): CurvePath {
  const card = ({ lane, from: other }: TimelineStep): number =>
    [lane, other].find((l) => l !== undefined && lanes[l].kind === 'nic') ?? lane;
  const isCycle = look === 'cycle' || look === 'back';
  const ends = { from: steps[from], to: steps[to] };
  const a = { x: xs[isCycle ? ends.from.lane : card(ends.from)], y: ys[from] };
  const isPoll = look === 'completion';
  const b = { x: xs[isCycle || isPoll ? ends.to.lane : card(ends.to)], y: ys[to] };
  if (!isCycle) return [line(shortBy(a, b, 4), shortBy(b, a, 4))];
  // It is bent, so that nobody takes it for one of the straight arrows.
  const bend = a.x === b.x ? 34 : 14;
  const side = look === 'back' ? -1 : 1;
  const [c, d] = [1 / 3, 2 / 3].map((part) => ({
    x: a.x + (b.x - a.x) * part + side * bend,
    y: a.y + (b.y - a.y) * part,
  }));
  return [[shortBy(a, c, 5), c, d, shortBy(b, d, 5)]];
}

/** A point, moved towards another one by a length. */
function shortBy(from: PicturePoint, to: PicturePoint, by: number): PicturePoint {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return {
    x: from.x + ((to.x - from.x) * by) / length,
    y: from.y + ((to.y - from.y) * by) / length,
  };
}

/** The title, on as many lines as it takes to be no wider than the picture below it. */
function titleAbove(title: string, body: Box): readonly PlacedText[] {
  if (title === '') return [];
  const letters = Math.max(24, Math.floor(body.width / (TITLE * TITLE_LETTER)));
  const lines = wrapped(title.split(' '), (word) => word, letters).map((words) => words.join(' '));
  const x = left(body);
  return lines.map((line, i) =>
    text(line, { x, y: top(body) - 14 - (lines.length - 1 - i) * 19 }, 'start', TITLE),
  );
}

const WAYS: Readonly<Record<TimelineWay['look'], readonly [name: string, words: string]>> = {
  wire: ['network', 'from card to card'],
  completion: ['completion', 'tells the thread that it is done'],
  cycle: ['before', 'has to come before'],
  back: ['back', 'has to come before, and would go back in time'],
};

function entriesOf(
  rows: readonly PlacedRow[],
  ways: readonly TimelineWay[],
  waits: boolean,
): readonly LegendText[] {
  const entry = (look: keyof typeof TIMELINE_STROKES, name: string, words: string): LegendText => {
    const stroke = TIMELINE_STROKES[look];
    const isBar = look === 'wait';
    const color = isBar ? FAINT : stroke.color;
    return { name, words, stroke, pen: penOf(look), head: !isBar, color };
  };
  const looks = Object.keys(WAYS) as readonly TimelineWay['look'][];
  return [
    ...(rows.some(({ look, path }) => look === 'memory' && path !== undefined)
      ? [entry('memory', 'memory', 'reads or writes')]
      : []),
    ...looks
      .filter((look) => ways.some((way) => way.look === look))
      .map((look) => entry(look, ...WAYS[look])),
    ...(waits ? [entry('wait', 'waiting', 'in a buffer, not in memory')] : []),
  ];
}

export const penOf = (look: keyof typeof TIMELINE_STROKES): number =>
  look === 'wait' ? 8 : look === 'cycle' || look === 'back' ? PEN.cycle : PEN.arrow;
