import type { ExecutionGraph, GraphEvent } from '../analyses/explain/graph.js';
import { beginsCall } from '../analyses/explain/graph.js';
import type { Colours } from './colours.js';
import { WIDTH, wrap } from './explain-style.js';

/** What an event is called in text: `3 lW(y,1)`. */
export type EventReference = (id: number) => string;

/** Calls events by number and label. */
export const shortReferenceIn = (graph: ExecutionGraph): EventReference =>
  referenceBy(graph, ({ label }) => label);

/** The same, and if a library's call has several events, also by that call: `3 T1 rbl.submit(x, 1) aNRW(2)`. */
export const referenceIn = (graph: ExecutionGraph): EventReference =>
  referenceBy(graph, ({ label, reference }) => reference ?? label);

function referenceBy(
  { events, marks = [] }: ExecutionGraph,
  called: (event: GraphEvent) => string,
): EventReference {
  const names = new Map([
    ...events.map((e): [number, string] => [e.id, `${e.name} ${called(e)}`]),
    ...marks.map(({ id, reference }): [number, string] => [id, reference]),
  ]);
  return (id) => names.get(id) ?? `event ${id}`;
}

/** An execution as text: its threads side by side, if there is room, and its edges below. */
export function graphLines(graph: ExecutionGraph, colours: Colours): readonly string[] {
  const columns = graph.columns.map((_, c) => columnOf(graph, c, colours));
  const blocks: PaintedText[][][] = [];
  let width = 0;
  for (const column of columns) {
    const own = widthOf(column) + GAP.length;
    if (blocks.length === 0 || width + own > WIDTH - GAP.length) {
      blocks.push([]);
      width = 0;
    }
    blocks[blocks.length - 1].push(column);
    width += own;
  }
  const threads = blocks.flatMap((block, b) => [...(b > 0 ? [''] : []), ...besides(block)]);
  const edges = edgeLines(graph, colours);
  return [...threads, ...(edges.length > 0 ? ['', ...edges] : [])];
}

/** A piece of text, with and without colours. Its width is that of `plain`: codes for colours take no room. */
interface PaintedText {
  readonly plain: string;
  readonly painted: string;
}

const GAP = '    ';

function columnOf(graph: ExecutionGraph, c: number, colours: Colours): PaintedText[] {
  const { columns, events } = graph;
  const { thread, node } = columns[c];
  const head = `${thread} on node ${node}`;
  const own = events.filter((e) => e.column === c);
  const widest = (text: (e: GraphEvent) => string) =>
    Math.max(0, ...own.map((e) => text(e).length));
  const [name, label] = [widest((e) => e.name), widest((e) => e.label)];
  const sources = own.map((e, i) => {
    const begins = beginsCall(graph, e, own[i - 1]);
    return begins && e.source !== undefined ? cut(e.source) : '';
  });
  const room = Math.max(0, ...sources.map((source) => source.length));
  const rows = own.map((e, i): PaintedText => {
    const mark = e.onCycle ? '•' : ' ';
    const event = `${mark}${e.name.padStart(name)} ${e.label}`;
    const line = sources[i] === '' || e.lines === undefined ? '' : `  line ${e.lines}`;
    const source = line === '' ? sources[i] : sources[i].padEnd(room) + line;
    const blanks = ' '.repeat(label - e.label.length + 2);
    const plain = source === '' ? event : `${event}${blanks}${source}`;
    const bold = e.onCycle ? colours.bold(event) : event;
    return { plain, painted: source === '' ? bold : `${bold}${blanks}${colours.dim(source)}` };
  });
  return [{ plain: head, painted: colours.bold(head) }, ...rows];
}

/** Longer instructions are cut off: readers only have to recognise them. */
const SOURCE = 36;
const cut = (text: string): string =>
  text.length <= SOURCE ? text : `${text.slice(0, SOURCE - 1)}…`;

const widthOf = (cells: readonly PaintedText[]): number =>
  Math.max(...cells.map((c) => c.plain.length));

function besides(columns: readonly (readonly PaintedText[])[]): readonly string[] {
  const widths = columns.map(widthOf);
  const rows = Math.max(...columns.map((column) => column.length));
  return Array.from({ length: rows }, (_, r) =>
    columns
      .map((column, c) => {
        const { plain, painted } = column[r] ?? { plain: '', painted: '' };
        return painted + ' '.repeat(widths[c] - plain.length);
      })
      .join(GAP)
      .trimEnd(),
  );
}

/** The edges, a line for each relation, with as many of them as fit. */
function edgeLines(graph: ExecutionGraph, colours: Colours): readonly string[] {
  const reference = shortReferenceIn(graph);
  const names = graph.relations.map((r) => r.name);
  const room = Math.max(0, ...names.map((name) => name.length)) + 2;
  return names.flatMap((name) => {
    const edges = graph.edges.filter((e) => e.relation === name);
    const texts = edges.map(({ from, to }) => `${reference(from)} → ${reference(to)}`);
    return wrap(texts, '   ', WIDTH - GAP.length - room).map((line, i) =>
      i === 0 ? colours.bold(name.padEnd(room)) + line : ' '.repeat(room) + line,
    );
  });
}
