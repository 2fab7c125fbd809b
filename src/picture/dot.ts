import { createHash } from 'node:crypto';
import type { ExecutionGraph } from '../explain/graph.js';
import type { Box, Path, Point } from './geometry.js';
import { around, left, shortened, top } from './geometry.js';
import type { PlacedArrow } from './layout.js';
import { boxesOf, layout } from './layout.js';
import type { LegendEntry } from './legend.js';
import { SPARE, legendBelow } from './legend.js';
import type { PlacedEvent } from './place.js';
import { HEAD, LABEL, NAME, SMALL } from './place.js';
import { escapeLabel, quoted, widthOf } from './text.js';
import type { Color, Stroke } from './theme.js';
import { FAINT, INK, MARK, PALE, strokesFor } from './theme.js';

export interface PictureOptions {
  /** Stands above the picture. */
  readonly title?: string;
  /** Whether the cycle of the graph is highlighted; it is by default. */
  readonly highlight?: boolean;
  /**
   * What all `id`s in the picture begin with: give each picture of a page another one. Without it, it
   * is made from what is in the picture.
   */
  readonly idPrefix?: string;
}

/** Both are known to Graphviz by their widths. */
const CODE = 'Courier New';
const WORDS = 'Arial';

const HEAD_SIZE = 0.7;
/** The length of a head of size 1, in points. */
const HEAD_LENGTH = 10;
const TITLE = 15;

type Attributes = Readonly<Record<string, string>>;

/**
 * A picture of an execution in Graphviz's language, with a place for everything in it: any of
 * Graphviz's commands draws it as it is, because the text itself asks for the layout `nop2`.
 */
export const drawDot = (graph: ExecutionGraph, options: PictureOptions = {}): string =>
  dotOf(graph, options).dot;

/** As `drawDot`, with what identifiers begin with. */
export function dotOf(
  graph: ExecutionGraph,
  options: PictureOptions,
): { readonly dot: string; readonly prefix: string } {
  const { title, highlight = true } = options;
  const prefix = prefixOf(graph, options);
  const laid = layout(graph, highlight);
  const strokes = strokesFor(graph.relations.map((r) => r.name));
  const picture = around(boxesOf(laid));
  const legend = legendBelow(picture, {
    relations: graph.relations,
    strokes,
    order: laid.order.length > 0,
    cycle: laid.arrows.some((a) => a.onCycle),
  });
  const lines = [
    `graph ${list({ layout: 'nop2', bgcolor: 'transparent', charset: 'UTF-8', pad: '0.15', id: `${prefix}-graph` })}`,
    `node ${list({ shape: 'plaintext', fixedsize: 'true', margin: '0', fontname: CODE })}`,
    `edge ${list({ fontname: CODE, fontsize: num(NAME), arrowsize: num(HEAD_SIZE) })}`,
    ...(title === undefined ? [] : [titleLine(title, picture, prefix)]),
    ...laid.columns.map(({ head, thread, node }, i) => {
      const label = `<B>${sized(thread, HEAD, INK)}</B><BR/>${sized(node, SMALL, FAINT)}`;
      return nodeLine(`t${i}`, head, { label: html(label), id: `${prefix}-t${i}` });
    }),
    ...laid.events.map((e) => eventLine(e, prefix, highlight)),
    ...laid.order.map(({ from, to, path }) =>
      edgeLine(`e${from}`, `e${to}`, [path], {
        ...strokeOf({ color: PALE, dash: 'solid' }),
        dir: 'none',
        id: `${prefix}-po-${from}-${to}`,
      }),
    ),
    ...laid.arrows.map((a) => arrowLine(a, prefix, strokes)),
    ...legend.flatMap((entry, i) => legendLines(entry, `k${i}`, prefix)),
  ];
  const dot = `digraph execution {\n${lines.map((l) => `  ${l};\n`).join('')}}\n`;
  return { dot, prefix };
}

/** What identifiers begin with: as asked for, or else the same for the same picture only. */
function prefixOf(graph: ExecutionGraph, { idPrefix, ...options }: PictureOptions): string {
  if (idPrefix === undefined) {
    const hash = createHash('sha256').update(JSON.stringify([graph, options]));
    return `x${hash.digest('hex').slice(0, 10)}`;
  }
  // It stands in attributes and in selectors of CSS, too.
  const plain = idPrefix.replace(/[^A-Za-z0-9-]/gu, (c) => `_${c.codePointAt(0)!.toString(16)}_`);
  return /^[A-Za-z]/.test(plain) ? plain : `x${plain}`;
}

/** The title, above the left edge of the picture; it may be longer than the picture is wide. */
function titleLine(title: string, picture: Box, prefix: string): string {
  const width = widthOf(title, TITLE) * SPARE;
  const box = { x: left(picture) + width / 2, y: top(picture) - 22, width, height: 22 };
  return textLine('title', box, title, {
    fontsize: num(TITLE),
    fontname: WORDS,
    fontcolor: INK.light,
    id: `${prefix}-heading`,
  });
}

function eventLine(
  { event, box, source }: PlacedEvent,
  prefix: string,
  highlight: boolean,
): string {
  const marked = highlight && event.onCycle;
  const below = source === undefined ? '' : `<BR/>${sized(source, SMALL, FAINT)}`;
  const label = `${sized(`${event.name} `, SMALL, FAINT)}${sized(event.label, LABEL, INK)}`;
  return nodeLine(`e${event.id}`, box, {
    label: html(`${marked ? `<B>${label}</B>` : label}${below}`),
    shape: 'box',
    style: marked ? 'filled' : 'solid',
    ...(marked && { fillcolor: MARK.light }),
    color: INK.light,
    penwidth: marked ? '2.2' : '0.8',
    id: `${prefix}-e${event.id}`,
  });
}

function arrowLine(
  { from, to, names, onCycle, paths, label }: PlacedArrow,
  prefix: string,
  strokes: ReadonlyMap<string, Stroke>,
): string {
  const last = names[names.length - 1];
  const lines = label.lines.map((line) =>
    line
      .map((n) => {
        const text = sized(n === last ? n.name : `${n.name}, `, NAME, strokes.get(n.name)!.color);
        return n.onCycle ? `<B>${text}</B>` : text;
      })
      .join(''),
  );
  const { x, y } = label.box;
  return edgeLine(`e${from.id}`, `e${to.id}`, paths, {
    ...strokeOf(strokes.get(names[0].name)!),
    penwidth: onCycle ? '2.6' : '1.1',
    label: html(lines.join('<BR/>')),
    lp: position({ x, y }),
    id: `${prefix}-e${from.id}-e${to.id}`,
  });
}

function legendLines(entry: LegendEntry, name: string, prefix: string): readonly string[] {
  const { path, nameBox, wordsBox, stroke, kind } = entry;
  const [first] = path;
  const end = (p: Point): Box => ({ ...p, width: 0.01, height: 0.01 });
  const invisible = { label: '""', style: 'invis' };
  return [
    nodeLine(`${name}a`, end(first[0]), invisible),
    nodeLine(`${name}b`, end(first[3]), invisible),
    edgeLine(`${name}a`, `${name}b`, [path], {
      ...strokeOf(stroke),
      penwidth: kind === 'bold' ? '2.6' : '1.1',
      ...(kind === 'line' && { dir: 'none' }),
      id: `${prefix}-${name}`,
    }),
    textLine(`${name}n`, nameBox, entry.name, {
      fontsize: num(NAME),
      fontcolor: kind === 'line' ? FAINT.light : stroke.color.light,
      id: `${prefix}-${name}n`,
    }),
    ...(entry.words === ''
      ? []
      : [
          textLine(`${name}w`, wordsBox, entry.words, {
            fontsize: num(SMALL),
            fontname: WORDS,
            fontcolor: FAINT.light,
            id: `${prefix}-${name}w`,
          }),
        ]),
  ];
}

/** A line of text that begins at the left edge of its box. */
const textLine = (name: string, box: Box, text: string, attributes: Attributes): string =>
  nodeLine(name, box, { ...attributes, label: quoted(text, '\\l') });

function nodeLine(name: string, box: Box, attributes: Attributes): string {
  const { width, height } = box;
  const place = { pos: position(box), width: num(width / 72, 4), height: num(height / 72, 4) };
  return `${name} ${list({ ...place, ...attributes })}`;
}

/** An edge along paths; the last one has an arrow's head unless the attributes say otherwise. */
function edgeLine(
  from: string,
  to: string,
  paths: readonly Path[],
  attributes: Attributes,
): string {
  const splines = paths.map((path, i) => {
    const points = (p: Path): string =>
      [p[0][0], ...p.flatMap(([, b, c, d]) => [b, c, d])].map(position).join(' ');
    if (i < paths.length - 1 || attributes['dir'] === 'none') return points(path);
    const tip = path[path.length - 1][3];
    return `e,${position(tip)} ${points(shortened(path, HEAD_LENGTH * HEAD_SIZE))}`;
  });
  return `${from} -> ${to} ${list({ pos: splines.join(';'), ...attributes })}`;
}

const strokeOf = ({ color, dash }: Stroke): Attributes => ({ color: color.light, style: dash });

const html = (text: string): string => `<${text}>`;

const sized = (text: string, size: number, color: Color): string =>
  `<FONT POINT-SIZE="${num(size)}" COLOR="${color.light}">${escapeLabel(text)}</FONT>`;

/** Attributes in brackets. Labels come quoted, because there are two ways to do it. */
const list = (attributes: Attributes): string =>
  `[${Object.entries(attributes)
    .map(([name, value]) => `${name}=${name === 'label' ? value : quoted(value)}`)
    .join(', ')}]`;

/** Upwards is positive in DOT. */
const position = ({ x, y }: Point): string => `${num(x)},${num(-y)}`;

/** Without the last digits, in which machines may differ. */
const num = (value: number, digits = 2): string => String(Number(value.toFixed(digits)) + 0);
