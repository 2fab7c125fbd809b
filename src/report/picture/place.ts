import type { EventId } from '../../program/events/structure.js';
import type { ExecutionGraph, GraphColumn, GraphEvent } from '../../analyses/explain/graph.js';
import { beginsCall } from '../../analyses/explain/graph.js';
import type { Arrow } from './arrows.js';
import type { Box } from './geometry.js';
import { around } from './geometry.js';
import { shortened, textWidth } from './text.js';

/** Sizes of fonts. They must be whole numbers: Graphviz takes no others inside of labels. */
export const LABEL = 13;
export const SMALL = 10;
export const HEAD = 13;
export const NAME = 11;
export const TITLE = 15;
/** The height of a line of text, as a multiple of the size of its font. */
export const LINE = 1.2;

/** Longer instructions are cut off: they only help readers to find the place in the program. */
const SOURCE_LETTERS = 30;
const HEAD_LETTERS = 24;

const BOX_HEIGHT = 36;
const INITIAL_HEIGHT = 24;
const HEAD_HEIGHT = 32;

/** The places of everything but arrows, which are routed around these. */
export interface PicturePlacement {
  readonly columns: readonly PlacedColumn[];
  readonly events: readonly PlacedEvent[];
  /** The calls of libraries that have several events: a box around the events of each. */
  readonly calls: readonly PlacedCall[];
  /** The boxes of events, by their numbers. */
  readonly boxes: ReadonlyMap<EventId, Box>;
  /**
   * Heights: one above the first row, one between each two rows, and one below the last. Arrows may cross columns
   * there.
   */
  readonly gaps: readonly number[];
  /** The middles of the spaces between columns. */
  readonly gutters: readonly number[];
  /** The distance between arrows that lead along a column. */
  readonly lane: number;
}

export interface PlacedColumn {
  /** The two lines of its head. */
  readonly thread: string;
  readonly node: string;
  readonly head: Box;
  /** The middle and the width of the boxes of its events. */
  readonly x: number;
  readonly width: number;
}

export interface PlacedEvent {
  readonly event: GraphEvent;
  readonly box: Box;
  readonly source?: string;
  /** Whether it is on the highlighted cycle. */
  readonly marked: boolean;
}

/** A call of a library: its events, or the events of the implementation that replaces it. */
export interface PlacedCall {
  readonly events: readonly EventId[];
  readonly box: Box;
}

/** How far the box of a call is from its events. */
const CALL_MARGIN = 7;

/**
 * The space that was added for labels: how much wider each space between columns is, and how much higher each one of
 * rows.
 */
export interface Growth {
  readonly gutters: readonly number[];
  readonly gaps: readonly number[];
  readonly lane: number;
}

/**
 * Places the events of a graph. Threads are columns of equal boxes, and events of the same row are at the same height.
 * Initial writes are above, each near the events that it is connected with.
 */
export function place(
  graph: ExecutionGraph,
  arrows: readonly Arrow[],
  highlight: boolean,
  growth: Growth,
): PicturePlacement {
  const threads = graph.events.filter((e) => e.column !== null);
  const { columns, gutters } = placeColumns(graph, threads, arrows, growth);
  const { middles, gaps } = placeRows(Math.max(0, ...threads.map((e) => e.row + 1)), growth);
  const above = -HEAD_HEIGHT / 2 - 24 - (growth.gaps[0] ?? 0) - INITIAL_HEIGHT / 2;
  const initial = placeInitial(graph, arrows, columns, above);
  const begin = beginnings(graph);
  const events = graph.events.map((event): PlacedEvent => {
    const { column, row } = event;
    const marked = highlight && event.onCycle;
    if (column === null) return { event, box: initial.get(event.id)!, marked };
    const { x, width } = columns[column];
    const box = { x, y: middles[row], width, height: BOX_HEIGHT };
    // Only the first event of a library's call shows the text of the call.
    const isSaid = event.reference !== undefined && !begin.has(event.id);
    const source = isSaid ? undefined : sourceText(event);
    return { event, box, ...(source !== undefined && { source }), marked };
  });
  const boxes = new Map(events.map(({ event, box }) => [event.id, box]));
  const calls = callsIn(threads, begin).map((all) => placeCall(all, boxes));
  return { columns, events, calls, boxes, gaps, gutters, lane: growth.lane };
}

/** The instruction of an event, and its line in C. */
function sourceText({ source, lines }: GraphEvent): string | undefined {
  if (source === undefined || lines === undefined) {
    return source && shortened(source, SOURCE_LETTERS);
  }
  const line = ` · ${/^\d+/.exec(lines)![0]}`;
  return `${shortened(source, SOURCE_LETTERS - line.length)}${line}`;
}

/** Columns from left to right, and the middles of the spaces between them. */
function placeColumns(
  graph: ExecutionGraph,
  threads: readonly GraphEvent[],
  arrows: readonly Arrow[],
  growth: Growth,
): Pick<PicturePlacement, 'columns' | 'gutters'> {
  const columns: PlacedColumn[] = [];
  const gutters: number[] = [];
  let x = 0;
  graph.columns.forEach((column, c) => {
    if (c > 0) {
      const gutter = gutterWidth(arrows, c) + (growth.gutters[c - 1] ?? 0);
      gutters.push(x + gutter / 2);
      x += gutter;
    }
    const own = threads.filter((e) => e.column === c);
    const width = Math.max(headWidth(column), ...own.map(boxWidth));
    const head = { x: x + width / 2, y: 0, width: headWidth(column), height: HEAD_HEIGHT };
    columns.push({ ...headText(column), head, x: head.x, width });
    x += width;
  });
  return { columns, gutters };
}

/** The middles of the rows from top to bottom, and the heights between them. */
function placeRows(
  rows: number,
  growth: Growth,
): Pick<PicturePlacement, 'gaps'> & { readonly middles: readonly number[] } {
  const gaps: number[] = [HEAD_HEIGHT / 2 + 2];
  const middles: number[] = [];
  let y = HEAD_HEIGHT / 2 + 4;
  for (let row = 0; row < rows; row++) {
    middles.push(y + BOX_HEIGHT / 2);
    y += BOX_HEIGHT;
    const gap = 40 + (growth.gaps[row + 1] ?? 0);
    gaps.push(y + gap / 2);
    y += gap;
  }
  return { middles, gaps };
}

/** Puts a box around the events of a call. */
function placeCall(events: readonly GraphEvent[], boxes: ReadonlyMap<EventId, Box>): PlacedCall {
  const inner = around(events.map(({ id }) => boxes.get(id)!));
  const box = {
    ...inner,
    width: inner.width + 2 * CALL_MARGIN,
    height: inner.height + 2 * CALL_MARGIN,
  };
  return { events: events.map(({ id }) => id), box };
}

/** The events that begin a call, or an instruction. */
function beginnings(graph: ExecutionGraph): ReadonlySet<EventId> {
  const { events } = graph;
  const begin = events.filter((event, i) => {
    const before = events[i - 1];
    return beginsCall(graph, event, before?.column === event.column ? before : undefined);
  });
  return new Set(begin.map(({ id }) => id));
}

/** The events of each call of a library that has several. They always follow each other. */
function callsIn(
  events: readonly GraphEvent[],
  begin: ReadonlySet<EventId>,
): readonly (readonly GraphEvent[])[] {
  const calls: GraphEvent[][] = [];
  for (const event of events) {
    if (event.reference === undefined) continue;
    if (begin.has(event.id)) calls.push([event]);
    else calls.at(-1)?.push(event);
  }
  return calls.filter(({ length }) => length > 1);
}

/** Puts initial writes next to each other, each above the columns that its arrows lead to. */
function placeInitial(
  graph: ExecutionGraph,
  arrows: readonly Arrow[],
  columns: readonly PlacedColumn[],
  y: number,
): ReadonlyMap<EventId, Box> {
  const wanted = graph.events
    .filter((e) => e.column === null)
    .map((event) => {
      const others = arrows.flatMap(({ from, to }) => {
        const other = from.id === event.id ? to : to.id === event.id ? from : undefined;
        return other === undefined || other.column === null ? [] : [columns[other.column].x];
      });
      const x = others.length === 0 ? 0 : others.reduce((a, b) => a + b) / others.length;
      return { event, x, width: boxWidth(event) };
    })
    .sort((a, b) => a.x - b.x || a.event.id - b.event.id);
  const between = 16;
  // From left to right, each goes where it should be, or further right if the one before it is in the way. Then all
  // move left by the average of that.
  let from = -Infinity;
  const xs = wanted.map(({ x, width }) => {
    const at = Math.max(x, from + width / 2);
    from = at + width / 2 + between;
    return at;
  });
  const over = xs.reduce((sum, x, i) => sum + (x - wanted[i].x), 0) / (xs.length || 1);
  return new Map(
    wanted.map(({ event, width }, i) => [
      event.id,
      { x: xs[i] - over, y, width, height: INITIAL_HEIGHT },
    ]),
  );
}

function boxWidth(event: GraphEvent): number {
  const { name, label } = event;
  return Math.max(
    56,
    textWidth(`${name} `, SMALL) + textWidth(label, LABEL) + 16,
    textWidth(sourceText(event) ?? '', SMALL) + 14,
  );
}

const headText = ({ thread, node }: GraphColumn): GraphColumn => ({
  thread: shortened(thread, HEAD_LETTERS),
  node: shortened(`node ${node}`, HEAD_LETTERS),
});

function headWidth(column: GraphColumn): number {
  const { thread, node } = headText(column);
  return Math.max(textWidth(thread, HEAD), textWidth(node, SMALL)) + 4;
}

/** The width of a space between columns: enough for the longest label of an arrow that crosses it. */
function gutterWidth(arrows: readonly Arrow[], c: number): number {
  const crossing = arrows.filter(({ from, to }) => {
    if (from.column === null || to.column === null) return false;
    return Math.min(from.column, to.column) < c && Math.max(from.column, to.column) >= c;
  });
  const labels = crossing.map(({ names }) =>
    Math.min(12, names.map((n) => n.name).join(', ').length),
  );
  return crossing.length === 0 ? 56 : 64 + textWidth('x', NAME) * Math.max(...labels);
}
