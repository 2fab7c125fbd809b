import { digest } from 'ohash';
import type { ExecutionGraph } from '../../analyses/explain/graph.js';
import { arrowText, describe, eventText } from './describe.js';
import type { PlacedArrow } from './layout.js';
import { eventLines, columnLines, labelLines, titlePiece } from './lines.js';
import type { Picture, PictureOptions } from './picture.js';
import { pictureOf } from './picture.js';
import type { PlacedEvent } from './place.js';
import {
  beginning,
  centred,
  curves,
  identifier,
  legendContent,
  part,
  pointed,
  rectangle,
  tip,
  wholeSvg,
} from './svg-parts.js';
import type { Stroke } from './theme.js';
import { CALL, INK, MARK, ORDER, PEN, LEGEND_WORDS } from './theme.js';

export interface SvgOptions {
  /** The prefix of all `id`s in the picture. Each picture of a page needs another one. */
  readonly idPrefix: string;
  /** What screen readers call the picture. By default, its title. */
  readonly name?: string;
}

/**
 * A picture of an execution as SVG, for a file or for a page. Without a prefix for its `id`s, one is made from what is
 * in the picture.
 */
export function drawSvg(
  graph: ExecutionGraph,
  { idPrefix, name, ...options }: PictureOptions & Partial<SvgOptions> = {},
): string {
  const prefix = idPrefix ?? `x${digest(JSON.stringify([graph, options])).slice(0, 10)}`;
  return svgOf(pictureOf(graph, options), { idPrefix: prefix, ...(name && { name }) });
}

/** A picture that is laid out already, as SVG. */
export function svgOf(picture: Picture, { idPrefix, name }: SvgOptions): string {
  const { graph, title, columns, events, calls, order, arrows, strokes, legend, frame } = picture;
  const id = identifier(idPrefix);
  const description = describe(graph, arrows);
  return wholeSvg({ id, name: name ?? title?.text ?? 'An execution', description, frame }, [
    ...(title === undefined
      ? []
      : [part(id, 'heading', [beginning(title.box, titlePiece(title), LEGEND_WORDS)])]),
    ...columns.map((column, i) => part(id, `t${i}`, centred(column.head, columnLines(column)))),
    ...calls.map((c) => part(id, `c${c.events[0]}`, [rectangle(c.box, CALL)])),
    ...events.map((e) => part(id, `e${e.event.id}`, eventContent(e, graph))),
    ...order.map((o) => part(id, `po-${o.from}-${o.to}`, curves([o.path], ORDER, PEN.order))),
    ...arrows.map((a) => part(id, `e${a.from.id}-e${a.to.id}`, arrowContent(a, strokes))),
    ...legend.map((entry, i) => part(id, `k${i}`, legendContent(entry))),
  ]);
}

function eventContent(placed: PlacedEvent, graph: ExecutionGraph): readonly string[] {
  const { event, box, marked } = placed;
  const outline = rectangle(box, {
    ...(marked && { fill: MARK }),
    stroke: INK,
    pen: marked ? PEN.marked : PEN.box,
  });
  return [tip(eventText(graph, event)), outline, ...centred(box, eventLines(placed))];
}

function arrowContent(arrow: PlacedArrow, strokes: ReadonlyMap<string, Stroke>): readonly string[] {
  const { names, onCycle, paths, label } = arrow;
  const stroke = strokes.get(names[0].name)!;
  return [
    tip(arrowText(arrow)),
    ...pointed(paths, stroke, onCycle ? PEN.cycle : PEN.arrow),
    ...centred(label.box, labelLines(arrow, strokes)),
  ];
}
