import type { ExecutionGraph } from '../../analyses/explain/graph.js';
import type { Box, CurvePath, PicturePoint } from './geometry.js';
import { shortened } from './geometry.js';
import type { PlacedArrow } from './layout.js';
import type { LegendEntry } from './legend.js';
import type { TextLine, TextPiece } from './lines.js';
import { eventLines, headLines, labelLines, legendName, legendWords, titlePiece } from './lines.js';
import type { PictureOptions } from './picture.js';
import { pictureOf } from './picture.js';
import type { PlacedEvent } from './place.js';
import { NAME } from './place.js';
import { escapeLabel, num, quoted } from './text.js';
import type { Font, Stroke } from './theme.js';
import { CODE, INK, MARK, ORDER, PEN, WORDS } from './theme.js';

const HEAD_SIZE = 0.7;
/** The length of a head of size 1, in points. */
const HEAD_LENGTH = 10;

type DotAttributes = Readonly<Record<string, string>>;

/**
 * A picture of an execution in Graphviz's language, with a place for everything in it: any of
 * Graphviz's commands draws it as it is, because the text itself asks for the layout `nop2`.
 */
export function drawDot(graph: ExecutionGraph, options: PictureOptions = {}): string {
  const { title, columns, events, order, arrows, strokes, legend } = pictureOf(graph, options);
  const lines = [
    `graph ${list({ layout: 'nop2', bgcolor: 'transparent', charset: 'UTF-8', pad: '0.15' })}`,
    `node ${list({ shape: 'plaintext', fixedsize: 'true', margin: '0', fontname: CODE.known })}`,
    `edge ${list({ fontname: CODE.known, fontsize: num(NAME), arrowsize: num(HEAD_SIZE) })}`,
    ...(title === undefined ? [] : [textLine('title', title.box, titlePiece(title), WORDS)]),
    ...columns.map((column, i) =>
      nodeLine(`t${i}`, column.head, { label: html(headLines(column)) }),
    ),
    ...events.map(eventLine),
    ...order.map(({ from, to, path }) =>
      edgeLine(`e${from}`, `e${to}`, [path], { ...strokeOf(ORDER, PEN.order), dir: 'none' }),
    ),
    ...arrows.map((a) => arrowLine(a, strokes)),
    ...legend.flatMap((entry, i) => legendLines(entry, `k${i}`)),
  ];
  return `digraph execution {\n${lines.map((l) => `  ${l};\n`).join('')}}\n`;
}

function eventLine(placed: PlacedEvent): string {
  const { event, box, marked } = placed;
  return nodeLine(`e${event.id}`, box, {
    label: html(eventLines(placed)),
    shape: 'box',
    style: marked ? 'filled' : 'solid',
    ...(marked && { fillcolor: MARK.light }),
    color: INK.light,
    penwidth: num(marked ? PEN.marked : PEN.box),
  });
}

function arrowLine(arrow: PlacedArrow, strokes: ReadonlyMap<string, Stroke>): string {
  const { from, to, names, onCycle, paths, label } = arrow;
  return edgeLine(`e${from.id}`, `e${to.id}`, paths, {
    ...strokeOf(strokes.get(names[0].name)!, onCycle ? PEN.cycle : PEN.arrow),
    label: html(labelLines(arrow, strokes)),
    lp: position(label.box),
  });
}

function legendLines(entry: LegendEntry, name: string): readonly string[] {
  const { path, nameBox, words, wordsBox, stroke, pen, head } = entry;
  const [first] = path;
  const end = (p: PicturePoint): Box => ({ ...p, width: 0.01, height: 0.01 });
  const invisible = { label: '""', style: 'invis' };
  const ends: Readonly<Record<string, string>> = head ? {} : { dir: 'none' };
  return [
    nodeLine(`${name}a`, end(first[0]), invisible),
    nodeLine(`${name}b`, end(first[3]), invisible),
    edgeLine(`${name}a`, `${name}b`, [path], { ...strokeOf(stroke, pen), ...ends }),
    textLine(`${name}n`, nameBox, legendName(entry), CODE),
    ...(words === '' ? [] : [textLine(`${name}w`, wordsBox, legendWords(entry), WORDS)]),
  ];
}

/** A line of text that begins at the left edge of its box. */
const textLine = (name: string, box: Box, { text, size, color }: TextPiece, font: Font): string =>
  nodeLine(name, box, {
    label: quoted(text, '\\l'),
    fontsize: num(size),
    fontname: font.known,
    fontcolor: color.light,
  });

function nodeLine(name: string, box: Box, attributes: DotAttributes): string {
  const { width, height } = box;
  const place = { pos: position(box), width: num(width / 72, 4), height: num(height / 72, 4) };
  return `${name} ${list({ ...place, ...attributes })}`;
}

/** An edge along paths; the last one has an arrow's head unless the attributes say otherwise. */
function edgeLine(
  from: string,
  to: string,
  paths: readonly CurvePath[],
  attributes: DotAttributes,
): string {
  const splines = paths.map((path, i) => {
    const points = (p: CurvePath): string =>
      [p[0][0], ...p.flatMap(([, b, c, d]) => [b, c, d])].map(position).join(' ');
    if (i < paths.length - 1 || attributes['dir'] === 'none') return points(path);
    const tip = path[path.length - 1][3];
    return `e,${position(tip)} ${points(shortened(path, HEAD_LENGTH * HEAD_SIZE))}`;
  });
  return `${from} -> ${to} ${list({ pos: splines.join(';'), ...attributes })}`;
}

const strokeOf = ({ color, dash }: Stroke, pen: number): DotAttributes => ({
  color: color.light,
  style: dash,
  penwidth: num(pen),
});

/** A label of several lines. */
const html = (lines: readonly TextLine[]): string =>
  `<${lines.map((line) => line.map(sized).join('')).join('<BR/>')}>`;

function sized({ text, size, color, bold }: TextPiece): string {
  const font = `<FONT POINT-SIZE="${num(size)}" COLOR="${color.light}">${escapeLabel(text)}</FONT>`;
  return bold ? `<B>${font}</B>` : font;
}

/** Attributes in brackets. Labels come quoted, because there are two ways to do it. */
const list = (attributes: DotAttributes): string =>
  `[${Object.entries(attributes)
    .map(([name, value]) => `${name}=${name === 'label' ? value : quoted(value)}`)
    .join(', ')}]`;

/** Upwards is positive in DOT. */
const position = ({ x, y }: PicturePoint): string => `${num(x)},${num(-y)}`;
