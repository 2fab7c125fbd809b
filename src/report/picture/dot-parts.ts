import type { Box, CurvePath, PicturePoint } from './geometry.js';
import { withoutEnd } from './cut.js';
import type { LegendEntry } from './legend.js';
import type { TextLine, TextPiece } from './lines.js';
import { legendName, legendWords } from './lines.js';
import { NAME } from './place.js';
import { escapeLabel, num, quoted } from './text.js';
import type { Font, Stroke } from './theme.js';
import { CODE, LEGEND_WORDS } from './theme.js';

/** The parts of all pictures in DOT, the language of Graphviz. */

const HEAD_SIZE = 0.7;
/** How long Graphviz draws the head of an arrow of size 1, in points. */
const HEAD_LENGTH = 10;

type DotAttributes = Readonly<Record<string, string>>;

/**
 * A whole picture. It asks for the layout `nop2`, so that every command of Graphviz draws it as it is, and lays out
 * nothing.
 */
export function digraph(name: string, lines: readonly string[]): string {
  const all = [
    `graph ${list({ layout: 'nop2', bgcolor: 'transparent', charset: 'UTF-8', pad: '0.15' })}`,
    `node ${list({ shape: 'plaintext', fixedsize: 'true', margin: '0', fontname: CODE.known })}`,
    `edge ${list({ fontname: CODE.known, fontsize: num(NAME), arrowsize: num(HEAD_SIZE) })}`,
    ...lines,
  ];
  return `digraph ${name} {\n${all.map((l) => `  ${l};\n`).join('')}}\n`;
}

export function legendLines(entry: LegendEntry, name: string): readonly string[] {
  const { path, nameBox, words, wordsBox, stroke, pen, head } = entry;
  const ends: Readonly<Record<string, string>> = head ? {} : { dir: 'none' };
  return [
    ...loneLine(name, path, { ...strokeOf(stroke, pen), ...ends }),
    textLine(`${name}n`, nameBox, legendName(entry), CODE),
    ...(words === '' ? [] : [textLine(`${name}w`, wordsBox, legendWords(entry), LEGEND_WORDS)]),
  ];
}

/** A line that connects nothing. DOT has no such thing, so its ends are invisible nodes. */
export function loneLine(
  name: string,
  path: CurvePath,
  attributes: DotAttributes,
): readonly string[] {
  const end = (p: PicturePoint): Box => ({ ...p, width: 0.01, height: 0.01 });
  const invisible = { label: '""', style: 'invis' };
  return [
    nodeLine(`${name}a`, end(path[0][0]), invisible),
    nodeLine(`${name}b`, end(path[path.length - 1][3]), invisible),
    edgeLine(`${name}a`, `${name}b`, [path], attributes),
  ];
}

/** A line of text at the left edge of its box. */
export const textLine = (
  name: string,
  box: Box,
  { text, size, color }: TextPiece,
  font: Font,
): string =>
  nodeLine(name, box, {
    label: quoted(text, '\\l'),
    fontsize: num(size),
    fontname: font.known,
    fontcolor: color.light,
  });

export function nodeLine(name: string, box: Box, attributes: DotAttributes): string {
  const { width, height } = box;
  const place = { pos: dotPosition(box), width: num(width / 72, 4), height: num(height / 72, 4) };
  return `${name} ${list({ ...place, ...attributes })}`;
}

/** An edge along paths. The last one gets the head of an arrow, unless the attributes say otherwise. */
export function edgeLine(
  from: string,
  to: string,
  paths: readonly CurvePath[],
  attributes: DotAttributes,
): string {
  const splines = paths.map((path, i) => {
    const points = (p: CurvePath): string =>
      [p[0][0], ...p.flatMap(([, b, c, d]) => [b, c, d])].map(dotPosition).join(' ');
    if (i < paths.length - 1 || attributes['dir'] === 'none') return points(path);
    const tip = path[path.length - 1][3];
    return `e,${dotPosition(tip)} ${points(withoutEnd(path, HEAD_LENGTH * HEAD_SIZE))}`;
  });
  return `${from} -> ${to} ${list({ pos: splines.join(';'), ...attributes })}`;
}

export const strokeOf = ({ color, dash }: Stroke, pen: number): DotAttributes => ({
  color: color.light,
  style: dash,
  penwidth: num(pen),
});

/** A label of several lines. */
export const dotHtml = (lines: readonly TextLine[]): string =>
  `<${lines.map((line) => line.map(sized).join('')).join('<BR/>')}>`;

function sized({ text, size, color, bold }: TextPiece): string {
  const font = `<FONT POINT-SIZE="${num(size)}" COLOR="${color.light}">${escapeLabel(text)}</FONT>`;
  return bold ? `<B>${font}</B>` : font;
}

/** Attributes in brackets. Labels must be quoted already: there are two ways to quote one. */
const list = (attributes: DotAttributes): string =>
  `[${Object.entries(attributes)
    .map(([name, value]) => `${name}=${name === 'label' ? value : quoted(value)}`)
    .join(', ')}]`;

/** A point in DOT, where y grows upwards. */
export const dotPosition = ({ x, y }: PicturePoint): string => `${num(x)},${num(-y)}`;
