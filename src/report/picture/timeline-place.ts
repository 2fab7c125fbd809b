import type {
  Timeline,
  TimelineLane,
  TimelineStep,
  TimelineWay,
} from '../../analyses/timeline/timeline.js';
import { plural } from '../explain-style.js';
import type { Box, CurvePath, PicturePoint } from './geometry.js';
import { around, left, line, top } from './geometry.js';
import type { LegendEntry, LegendText } from './legend.js';
import { entriesBelow } from './legend.js';
import { HEAD, LABEL, NAME, SMALL, TITLE } from './place.js';
import { shortened, widthOf, wrapped } from './text.js';
import { FAINT, PEN, TIMELINE_STROKES } from './theme.js';

/** A timeline: everything in it, with its place. */
export interface TimelinePicture {
  readonly title: readonly PlacedText[];
  /** Around the lanes of each node, with its name. */
  readonly nodes: readonly { readonly name: PlacedText; readonly box: Box }[];
  readonly lanes: readonly { readonly head: PlacedText; readonly path: CurvePath }[];
  readonly rows: readonly PlacedRow[];
  readonly ways: readonly { readonly way: TimelineWay; readonly path: CurvePath }[];
  readonly waits: readonly { readonly text: string; readonly box: Box }[];
  readonly legend: readonly LegendEntry[];
  readonly frame: Box;
}

export interface PlacedText {
  readonly text: string;
  readonly at: PicturePoint;
  readonly anchor: 'start' | 'middle' | 'end';
  readonly size: number;
  readonly box: Box;
}

export interface PlacedRow {
  readonly step: TimelineStep;
  readonly number: PlacedText;
  readonly brief: PlacedText;
  readonly note?: PlacedText;
  /** Behind a row in which something goes wrong. */
  readonly band: Box;
  readonly dot: PicturePoint;
  /** From where to where something goes at that moment. */
  readonly path?: CurvePath;
  readonly look: 'memory' | 'wire';
}

const ROW = 27;
const NOTE = 16;
const HEADS = 44;
const SIDE = 34;
/** Between two lanes, where there are few and where there are many. */
const LANES = { few: 62, many: 46, most: 6 } as const;
/** Between nodes there is the network. */
const WIRE = 34;
const MARGIN = 10;
const LETTERS = 46;

/** Places everything. The same timeline gives the same picture. */
export function timelinePictureOf(timeline: Timeline, title: string): TimelinePicture {
  const { lanes, steps, ways, waits, omitted = 0 } = timeline;
  const xs = lanesAcross(lanes);
  const width = Math.max(...xs) + SIDE;
  const ys = rowsDown(steps);
  const end = (ys.at(-1) ?? HEADS) + ROW;
  const placed = steps.map((step, i) => placeRow(step, { lanes, xs, width, y: ys[i] }));
  // The numbers are to the left of all texts.
  const edge = Math.min(0, ...placed.map(({ brief }) => left(brief.box)));
  const rows = placed.map((row, i) => ({
    ...row,
    number: text(String(omitted + i + 1), { x: edge - 4, y: ys[i] + 4 }, 'end', SMALL),
  }));
  const nodes = nodesOf(lanes, xs, end);
  const heads = lanes.map((lane, i) => ({
    head: text(shortened(headOf(lane), 9), { x: xs[i], y: HEADS - 12 }, 'middle', HEAD),
    path: [line({ x: xs[i], y: HEADS }, { x: xs[i], y: end })],
  }));
  const point = { lanes, steps, xs, ys };
  // What goes on at the same card needs no line beside that of the card.
  const placedWays = ways
    .map((way) => ({ way, path: pathOf(way, point) }))
    .filter(({ way, path: [[a, , , b]] }) => way.look !== 'wire' || a.x !== b.x);
  const bars = waits.map(({ lane, from, to, what }) => ({
    text: what,
    box: { x: xs[lane], y: (ys[from] + ys[to]) / 2, width: 8, height: ys[to] - ys[from] },
  }));
  const body = around([
    ...nodes.flatMap(({ name, box }) => [name.box, box]),
    ...rows.flatMap(({ brief, note, number }) => [
      brief.box,
      number.box,
      ...(note ? [note.box] : []),
    ]),
    ...placedWays.flatMap(({ path }) => path.flat().map((p) => ({ ...p, width: 4, height: 4 }))),
  ]);
  const rest = omitted === 0 ? '' : `${plural(omitted, 'step')} before left out`;
  const titled = titleAbove([title, rest].filter((part) => part !== '').join('; '), body);
  const legend = entriesBelow(body, entriesOf(rows, ways, waits.length > 0));
  const all = around([
    body,
    ...titled.map(({ box }) => box),
    ...legend.flatMap(({ nameBox, wordsBox }) => [nameBox, wordsBox]),
  ]);
  const frame = {
    ...all,
    width: Math.ceil(all.width + 2 * MARGIN),
    height: Math.ceil(all.height + 2 * MARGIN),
  };
  return { title: titled, nodes, lanes: heads, rows, ways: placedWays, waits: bars, legend, frame };
}

/** Where lanes are: the first node has its card on the right, the others on the left, so that cards face each other. */
function lanesAcross(lanes: readonly TimelineLane[]): readonly number[] {
  const space = lanes.length <= LANES.most ? LANES.few : LANES.many;
  const first = lanes[0]?.node;
  const names = [...new Set(lanes.map(({ node }) => node))];
  const across = names.flatMap((node) => {
    const own = lanes.flatMap((lane, i) => (lane.node === node ? [i] : []));
    return [node === first ? own : own.reverse()];
  });
  const xs: number[] = [];
  let x = SIDE;
  for (const own of across) {
    for (const i of own) {
      xs[i] = x;
      x += space;
    }
    x += WIRE;
  }
  return xs;
}

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
}

function placeRow(step: TimelineStep, { lanes, xs, width, y }: Row): Omit<PlacedRow, 'number'> {
  const at = xs[step.lane];
  const other = step.from === undefined ? at : xs[step.from];
  const [low, high] = [Math.min(at, other), Math.max(at, other)];
  const brief = shortened(step.brief, LETTERS);
  // Beside a dot, on the side of its node where no way comes from; above an arrow.
  const isDot = low === high;
  const lift = isDot ? 4 : -5;
  const own = xs.filter((_, i) => lanes[i].node === lanes[step.lane].node);
  const inside = own.reduce((sum, x) => sum + x, 0) / own.length - at;
  const isStart = isDot && inside !== 0 ? inside > 0 : low + high < width;
  const anchor = isStart ? 'start' : 'end';
  const where = { x: isStart ? low + 8 : high - 8, y: y + lift };
  const isMemory = [step.lane, step.from].some(
    (l) => l !== undefined && lanes[l].kind === 'memory',
  );
  const height = ROW + (step.note === undefined ? 0 : NOTE);
  return {
    step,
    brief: text(brief, where, anchor, LABEL),
    ...(step.note !== undefined && {
      note: text(step.note, { x: where.x, y: y + 18 }, anchor, NAME),
    }),
    band: { x: width / 2, y: y - ROW / 2 + height / 2 - 2, width, height },
    dot: { x: at, y },
    ...(low !== high && { path: [line({ x: other, y }, { x: at, y })] }),
    look: isMemory ? 'memory' : 'wire',
  };
}

function nodesOf(
  lanes: readonly TimelineLane[],
  xs: readonly number[],
  end: number,
): TimelinePicture['nodes'] {
  return [...new Set(lanes.map(({ node }) => node))].map((node) => {
    const own = xs.filter((_, i) => lanes[i].node === node);
    const [low, high] = [Math.min(...own) - SIDE + 4, Math.max(...own) + SIDE - 4];
    const box = { x: (low + high) / 2, y: (end + 8) / 2, width: high - low, height: end + 8 };
    return { name: text(`node ${node}`, { x: box.x, y: top(box) + 15 }, 'middle', HEAD), box };
  });
}

const headOf = ({ kind, thread }: TimelineLane): string =>
  kind === 'thread' ? thread! : kind === 'nic' ? 'NIC' : 'memory';

interface Places {
  readonly lanes: readonly TimelineLane[];
  readonly steps: readonly TimelineStep[];
  readonly xs: readonly number[];
  readonly ys: readonly number[];
}

/** From card to card, to the thread that polls; steps of a cycle from dot to dot. */
function pathOf({ from, to, look }: TimelineWay, { lanes, steps, xs, ys }: Places): CurvePath {
  const card = ({ lane, from: other }: TimelineStep): number =>
    [lane, other].find((l) => l !== undefined && lanes[l].kind === 'nic') ?? lane;
  const isCycle = look === 'cycle' || look === 'back';
  const ends = { from: steps[from], to: steps[to] };
  const a = { x: xs[isCycle ? ends.from.lane : card(ends.from)], y: ys[from] };
  const isPoll = look === 'completion';
  const b = { x: xs[isCycle || isPoll ? ends.to.lane : card(ends.to)], y: ys[to] };
  if (!isCycle) return [line(shortBy(a, b, 4), shortBy(b, a, 4))];
  // Bent, so that it is told from what is straight.
  const bend = a.x === b.x ? 34 : 14;
  const side = look === 'back' ? -1 : 1;
  const [c, d] = [1 / 3, 2 / 3].map((part) => ({
    x: a.x + (b.x - a.x) * part + side * bend,
    y: a.y + (b.y - a.y) * part,
  }));
  return [[shortBy(a, c, 5), c, d, shortBy(b, d, 5)]];
}

/** A point moved towards another one. */
function shortBy(from: PicturePoint, to: PicturePoint, by: number): PicturePoint {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return {
    x: from.x + ((to.x - from.x) * by) / length,
    y: from.y + ((to.y - from.y) * by) / length,
  };
}

/** On as many lines as it takes to be no wider than what is below. */
function titleAbove(title: string, body: Box): readonly PlacedText[] {
  if (title === '') return [];
  const letters = Math.max(24, Math.floor(body.width / (TITLE * LETTER)));
  const lines = wrapped(title.split(' '), (word) => word, letters).map((words) => words.join(' '));
  const x = left(body);
  return lines.map((line, i) =>
    text(line, { x, y: top(body) - 14 - (lines.length - 1 - i) * 19 }, 'start', TITLE),
  );
}

/** How wide a letter of a title is on the whole, in parts of its size. */
const LETTER = 0.52;

function text(
  words: string,
  at: PicturePoint,
  anchor: PlacedText['anchor'],
  size: number,
): PlacedText {
  const width = size === TITLE ? words.length * TITLE * LETTER : widthOf(words, size);
  const shift = anchor === 'start' ? width / 2 : anchor === 'end' ? -width / 2 : 0;
  const box = { x: at.x + shift, y: at.y - size / 3, width, height: size * 1.2 };
  return { text: words, at, anchor, size, box };
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
