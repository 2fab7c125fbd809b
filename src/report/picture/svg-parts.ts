import { arrowHead } from './arrow-head.js';
import type { Box, CurvePath, PicturePoint } from './geometry.js';
import { left, top } from './geometry.js';
import type { LegendEntry } from './legend.js';
import type { TextLine, TextPiece } from './lines.js';
import { legendName, legendWords } from './lines.js';
import { LINE } from './place.js';
import { escapeXml, num } from './text.js';
import type { Color, Font, Stroke } from './theme.js';
import { CODE, GROUND, LEGEND_WORDS, styleFor } from './theme.js';

/** The parts of all pictures in SVG. */

/** How far the baseline of a text is below the middle of its letters, as a multiple of the size of the font. */
const BELOW_MIDDLE = 0.33;
const DASHES = { solid: undefined, dashed: '5,3', dotted: '1,5' } as const;

/** What a whole picture says about itself. */
export interface SvgHead {
  /** The prefix of all identifiers in it. */
  readonly id: string;
  readonly name: string;
  /** Everything that it shows, in words. */
  readonly description: string;
  readonly frame: Box;
}

/** A whole picture as an SVG. Its lengths are points. */
export function wholeSvg(
  { id, name, description, frame }: SvgHead,
  content: readonly string[],
): string {
  const root = {
    id,
    xmlns: 'http://www.w3.org/2000/svg',
    role: 'img',
    'aria-labelledby': `${id}-title ${id}-desc`,
    width: `${frame.width}pt`,
    height: `${frame.height}pt`,
    viewBox: `${num(left(frame))} ${num(top(frame))} ${frame.width} ${frame.height}`,
    style: 'max-width:100%;height:auto',
    'font-family': CODE.families,
    'xml:space': 'preserve',
  };
  const all = [
    element('title', { id: `${id}-title` }, escapeXml(name)),
    element('desc', { id: `${id}-desc` }, escapeXml(description)),
    element('style', {}, block([styleFor(id)])),
    ...content,
  ];
  return `${element('svg', root, block(all))}\n`;
}

/** A group of elements with an identifier, so that scripts and styles can find it. */
export const part = (id: string, what: string, content: readonly string[]): string =>
  element('g', { id: `${id}-${what}` }, block(content));

/** A rectangle. */
export const rectangle = (
  box: Box,
  look: {
    readonly fill?: Color;
    readonly stroke?: Color;
    readonly pen?: number;
    readonly dash?: Stroke['dash'];
  },
): string =>
  element('rect', {
    x: num(left(box)),
    y: num(top(box)),
    width: num(box.width),
    height: num(box.height),
    fill: look.fill?.light ?? 'none',
    stroke: look.stroke?.light,
    'stroke-width': look.pen === undefined ? undefined : num(look.pen),
    'stroke-dasharray': look.dash === undefined ? undefined : DASHES[look.dash],
  });

/**
 * Makes an identifier of a prefix that is safe in attributes and in selectors of CSS. Different prefixes stay
 * different.
 */
export function identifier(prefix: string): string {
  const plain = prefix.replace(/[^A-Za-z0-9-]/gu, (c) => `_${c.codePointAt(0)!.toString(16)}_`);
  return /^[A-Za-z]/.test(plain) ? plain : `x${plain}`;
}

export function legendContent(entry: LegendEntry): readonly string[] {
  const { path, nameBox, words, wordsBox, stroke, pen, head } = entry;
  return [
    ...(head ? pointed([path], stroke, pen) : curves([path], stroke, pen)),
    beginning(nameBox, legendName(entry), CODE),
    ...(words === '' ? [] : [beginning(wordsBox, legendWords(entry), LEGEND_WORDS)]),
  ];
}

/** Paths, the last of which has the head of an arrow. */
export function pointed(
  paths: readonly CurvePath[],
  stroke: Stroke,
  pen: number,
): readonly string[] {
  const { line, corners } = arrowHead(paths[paths.length - 1], pen);
  const head = { fill: stroke.color.light, points: corners.map(point).join(' ') };
  return [...curves([...paths.slice(0, -1), line], stroke, pen), element('polygon', head)];
}

export function curves(
  paths: readonly CurvePath[],
  { color, dash }: Stroke,
  pen: number,
): readonly string[] {
  const to = (points: readonly PicturePoint[]): string => `C${points.map(point).join(' ')}`;
  return paths.map((path) =>
    element('path', {
      fill: 'none',
      stroke: color.light,
      'stroke-width': num(pen),
      'stroke-dasharray': DASHES[dash],
      // Round ends make round dots. Otherwise the dots of wide lines would be dashes across the line.
      'stroke-linecap': dash === 'dotted' ? 'round' : undefined,
      d: `M${point(path[0][0])}${path.map(([, ...points]) => to(points)).join('')}`,
    }),
  );
}

/** Lines of text, one below the other, in the middle of a box. */
export function centred({ x, y }: Box, lines: readonly TextLine[]): readonly string[] {
  const sizes = lines.map((line) => Math.max(...line.map((p) => p.size)));
  let below = y - (sizes.reduce((sum, size) => sum + size, 0) * LINE) / 2;
  return lines.map((line, i) => {
    const middle = below + (sizes[i] * LINE) / 2;
    below += sizes[i] * LINE;
    const place = { x: num(x), y: num(middle + sizes[i] * BELOW_MIDDLE) };
    const pieces = line.map((p) => element('tspan', lookOf(p), escapeXml(p.text)));
    return element('text', { 'text-anchor': 'middle', ...place }, pieces.join(''));
  });
}

/** A line of text at the left edge of a box. */
export function beginning(box: Box, piece: TextPiece, { families }: Font): string {
  const place = { x: num(left(box)), y: num(box.y + piece.size * BELOW_MIDDLE) };
  const look = { 'font-family': families, ...lookOf(piece) };
  return element('text', { ...place, ...look }, escapeXml(piece.text));
}

const lookOf = ({ size, color, bold }: TextPiece): SvgAttributes => ({
  'font-size': num(size),
  'font-weight': bold ? 'bold' : undefined,
  fill: color.light,
});

/** A dot. */
export const circle = ({ x, y }: PicturePoint, radius: number, color: Color): string =>
  element('circle', { cx: num(x), cy: num(y), r: num(radius), fill: color.light });

/** A text that can be read even on top of lines: its letters have an outline in the colour of the ground. */
export function haloed(
  placed: {
    readonly text: string;
    readonly at: PicturePoint;
    readonly anchor: string;
    readonly size: number;
  },
  color: Color,
  { families }: Font,
  bold = false,
  ground = GROUND,
): string {
  const { text, at, anchor, size } = placed;
  const look = lookOf({ text, size, color, bold });
  const halo = { stroke: ground.light, 'stroke-width': '3', 'stroke-linejoin': 'round' };
  const place = { x: num(at.x), y: num(at.y), 'text-anchor': anchor };
  const all = { ...place, 'font-family': families, ...look, ...halo, 'paint-order': 'stroke' };
  return element('text', all, escapeXml(text));
}

/** A tip, which is shown while the pointer rests on the element. */
export const tip = (text: string): string => element('title', {}, escapeXml(text));

const point = ({ x, y }: PicturePoint): string => `${num(x)},${num(y)}`;

type SvgAttributes = Readonly<Record<string, string | undefined>>;

/** An element of XML. Attributes must be escaped already. */
function element(name: string, attributes: SvgAttributes, content = ''): string {
  let head = `<${name}`;
  for (const key in attributes) {
    if (attributes[key] !== undefined) head += ` ${key}="${attributes[key]}"`;
  }
  return content === '' ? `${head}/>` : `${head}>${content}</${name}>`;
}

/** Elements, each on a line of its own. */
const block = (elements: readonly string[]): string => `\n${elements.join('\n')}\n`;
