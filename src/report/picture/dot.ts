import type { ExecutionGraph } from '../../analyses/explain/graph.js';
import {
  digraph,
  edgeLine,
  dotHtml,
  legendLines,
  nodeLine,
  dotPosition,
  strokeOf,
  textLine,
} from './dot-parts.js';
import type { PlacedArrow } from './layout.js';
import { eventLines, columnLines, labelLines, titlePiece } from './lines.js';
import type { PictureOptions } from './picture.js';
import { pictureOf } from './picture.js';
import type { PlacedCall, PlacedEvent } from './place.js';
import { num } from './text.js';
import type { Stroke } from './theme.js';
import { CALL, INK, MARK, ORDER, PEN, LEGEND_WORDS } from './theme.js';

/**
 * A picture of an execution in DOT. Everything in it has its place already, and every command of Graphviz draws it just
 * as it is (see `digraph`).
 */
export function drawDot(graph: ExecutionGraph, options: PictureOptions = {}): string {
  const { title, columns, events, calls, order, arrows, strokes, legend } = pictureOf(
    graph,
    options,
  );
  return digraph('execution', [
    ...(title === undefined ? [] : [textLine('title', title.box, titlePiece(title), LEGEND_WORDS)]),
    ...columns.map((column, i) =>
      nodeLine(`t${i}`, column.head, { label: dotHtml(columnLines(column)) }),
    ),
    ...calls.map(callLine),
    ...events.map(eventLine),
    ...order.map(({ from, to, path }) =>
      edgeLine(`e${from}`, `e${to}`, [path], { ...strokeOf(ORDER, PEN.order), dir: 'none' }),
    ),
    ...arrows.map((a) => arrowLine(a, strokes)),
    ...legend.flatMap((entry, i) => legendLines(entry, `k${i}`)),
  ]);
}

function eventLine(placed: PlacedEvent): string {
  const { event, box, marked } = placed;
  return nodeLine(`e${event.id}`, box, {
    label: dotHtml(eventLines(placed)),
    shape: 'box',
    style: marked ? 'filled' : 'solid',
    ...(marked && { fillcolor: MARK.light }),
    color: INK.light,
    penwidth: num(marked ? PEN.marked : PEN.box),
  });
}

const callLine = ({ events, box }: PlacedCall): string =>
  nodeLine(`c${events[0]}`, box, {
    label: '""',
    shape: 'box',
    style: CALL.dash,
    color: CALL.stroke.light,
    penwidth: num(CALL.pen),
  });

function arrowLine(arrow: PlacedArrow, strokes: ReadonlyMap<string, Stroke>): string {
  const { from, to, names, onCycle, paths, label } = arrow;
  return edgeLine(`e${from.id}`, `e${to.id}`, paths, {
    ...strokeOf(strokes.get(names[0].name)!, onCycle ? PEN.cycle : PEN.arrow),
    label: dotHtml(labelLines(arrow, strokes)),
    lp: dotPosition(label.box),
  });
}
