import type { ExecutionGraph } from '../../analyses/explain/graph.js';
import type { Box } from './geometry.js';
import { around, left, top } from './geometry.js';
import type { PictureLayout } from './layout.js';
import { boxesOf, layout } from './layout.js';
import type { LegendEntry } from './legend.js';
import { SPARE, legendBelow } from './legend.js';
import { TITLE } from './place.js';
import { textWidth } from './text.js';
import type { Stroke } from './theme.js';
import { strokesFor } from './theme.js';

export interface PictureOptions {
  /** The line above the picture; none by default. */
  readonly title?: string;
  /** Whether the cycle of the graph is highlighted. By default it is. */
  readonly highlight?: boolean;
}

/**
 * A picture of an execution: everything in it, with its place. DOT and SVG are made from it, and decide no place
 * themselves.
 */
export interface Picture extends PictureLayout {
  readonly graph: ExecutionGraph;
  readonly title?: { readonly text: string; readonly box: Box };
  /** How the arrows of a relation look, by its name. */
  readonly strokes: ReadonlyMap<string, Stroke>;
  readonly legend: readonly LegendEntry[];
  /** The box around everything. Its width and height are whole points. */
  readonly frame: Box;
}

/** The width of the empty margin around everything. */
const MARGIN = 11;

/** Places everything in the picture of an execution. The same graph gives the same picture. */
export function pictureOf(
  graph: ExecutionGraph,
  { title: text, highlight = true }: PictureOptions = {},
): Picture {
  const laid = layout(graph, highlight);
  const strokes = strokesFor(graph.relations.map((r) => r.name));
  const execution = around(boxesOf(laid));
  const legend = legendBelow(execution, {
    relations: graph.relations,
    strokes,
    order: laid.order.length > 0,
    cycle: laid.arrows.some((a) => a.onCycle),
  });
  const title = text === undefined ? undefined : { text, box: titleBox(text, execution) };
  const all = around([
    execution,
    ...(title === undefined ? [] : [title.box]),
    ...legend.flatMap(({ nameBox, wordsBox }) => [nameBox, wordsBox]),
  ]);
  const frame = {
    ...all,
    width: Math.ceil(all.width + 2 * MARGIN),
    height: Math.ceil(all.height + 2 * MARGIN),
  };
  return { graph, ...laid, ...(title && { title }), strokes, legend, frame };
}

/** The box of the title: above the left edge of the execution. It may be wider than the execution. */
function titleBox(text: string, execution: Box): Box {
  const [width, height] = [textWidth(text, TITLE) * SPARE, 22];
  return { x: left(execution) + width / 2, y: top(execution) - height, width, height };
}
