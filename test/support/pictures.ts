import type { ExecutionGraph, GraphEdge, GraphEvent } from '../../src/analyses/explain/graph.js';

/** Graphs by hand, and what can be read off their pictures. */

interface Draft {
  /** Labels and instructions of each thread's events: `lW(x,1): x := 1`. */
  readonly threads: readonly (readonly string[])[];
  readonly initial?: readonly string[];
  /** `rf 3 4`, with `!` in front on the highlighted cycle. Initial writes have the first numbers. */
  readonly edges: readonly string[];
  readonly words?: Readonly<Record<string, string>>;
}

export function graph({ threads, initial = [], edges, words = {} }: Draft): ExecutionGraph {
  const all: GraphEdge[] = edges.map((text) => {
    const [, mark, relation, from, to] = /^(!?)(.*) (\d+) (\d+)$/.exec(text)!;
    return { relation, from: Number(from), to: Number(to), onCycle: mark === '!' };
  });
  const cycle = new Set(all.filter((e) => e.onCycle).flatMap((e) => [e.from, e.to]));
  const events: GraphEvent[] = [];
  const add = (column: number | null, row: number, text: string): void => {
    const [label, source] = text.split(': ');
    const id = events.length;
    events.push({
      id,
      name: column === null ? 'init' : String(id - initial.length + 1),
      column,
      row,
      label,
      ...(source !== undefined && { source }),
      first: true,
      onCycle: cycle.has(id),
    });
  };
  initial.forEach((text, row) => add(null, row, text));
  threads.forEach((list, column) => list.forEach((text, row) => add(column, row, text)));
  const names = [...new Set(all.map((e) => e.relation))];
  return {
    columns: threads.map((_, i) => ({ thread: `T${i + 1}`, node: String((i % 2) + 1) })),
    events,
    relations: names.map((name) => ({
      name,
      ...(Object.hasOwn(words, name) && { words: words[name] }),
    })),
    edges: all,
  };
}

const WORDS = { rf: 'is read by the other', mo: 'comes before the other in modification order' };

/** Store buffering: two threads, four events, and a cycle. */
export const SMALL = graph({
  threads: [
    ['lW(x,1): x := 1', 'lR(y,0): a := y'],
    ['lW(y,1): y := 1', 'lR(x,0): b := x'],
  ],
  initial: ['lW(x,0)', 'lW(y,0)'],
  edges: ['rf 0 5', 'rf 1 3', 'mo 0 2', 'mo 1 4', '!rb 3 4', '!rb 5 2', '!po 2 3', '!po 4 5'],
  words: WORDS,
});

/** Five threads with four events each, edges between all of them, and a cycle through four. */
export const LARGE = graph({
  threads: Array.from({ length: 5 }, (_, t) => [
    `lW(x${t},1): x${t} := 1`,
    `nlR(x${t},1,n2): z^2 := x${t}`,
    `nrW(z,1): z^2 := x${t}`,
    `lR(x${(t + 1) % 5},0): a := x${(t + 1) % 5}`,
  ]),
  initial: ['lW(x0,0)', 'lW(x1,0)', 'lW(z,0)'],
  edges: [
    ...['rf 0 22', 'rf 1 6', 'mo 2 5', 'mo 5 9', 'mo 9 13', 'mo 13 17', 'mo 17 21'],
    ...['rf 3 4', 'rf 7 8', 'rf 11 12', 'rf 15 16', 'rf 19 20'],
    ...['!rb 6 7', '!rb 10 11', '!rb 14 3', 'rb 18 19', 'rb 22 3', 'nfo 4 5', 'nfo 8 9'],
    ...['ob 7 3', 'ob 15 22', 'ib 4 12', '!oppo 3 6', '!oppo 7 10', '!oppo 11 14', 'ib 5 4'],
  ],
  words: WORDS,
});

/** Graphs that are unlikely, but must be drawn: loops, both directions, edges to initial writes, an empty thread. */
export const ODD = graph({
  threads: [['lW(x,1): x := 1', 'CAS(x,1,2): r := CAS(x, 1, 2)'], [], ['lR(x,2): a := x']],
  initial: ['lW(x,0)', 'lW(y,0)'],
  edges: [
    ...['!rb 3 3', 'rf 2 3', 'rb 3 2', 'mo 0 2', 'mo 2 3', 'rf 3 4', 'rb 4 3', 'rf 0 4'],
    ...['po 0 1', 'rf^-1 4 0', '[Inst];ib 2 4', 'ob 4 2'],
  ],
});

/** Names that mean something in DOT, HTML or SVG, and some that must not occur in any of them. */
export const NAMES = [
  '"quoted"',
  '<b>&amp;</b>',
  'a\\Nb\\',
  '-->]]>',
  'héhé…',
  '漢字',
  '😀',
  "it's\ta\u0007b",
  '\ud800',
];

export const NAMED: ExecutionGraph = {
  columns: NAMES.map((thread, i) => ({ thread, node: NAMES[(i + 1) % NAMES.length] })),
  events: NAMES.map((label, i) => ({
    id: i,
    name: String(i),
    column: i,
    row: 0,
    label,
    source: NAMES[(i + 2) % NAMES.length],
    first: true,
    onCycle: i < 2,
  })),
  relations: NAMES.map((name) => ({ name, words: name })),
  edges: NAMES.map((relation, i) => ({
    relation,
    from: i,
    to: (i + 1) % NAMES.length,
    onCycle: false,
  })),
};

export interface Rectangle {
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
}

/** What an SVG shows, under the parts of `id`s that follow the prefix. */
export interface Seen {
  /** The boxes of events, by `e3`. */
  readonly boxes: ReadonlyMap<string, Rectangle>;
  /** The labels of edges, by `e3-e4`: about where their letters are, and the text. */
  readonly labels: ReadonlyMap<string, Rectangle & { readonly text: string }>;
  readonly ids: readonly string[];
}

export function seen(svg: string): Seen {
  const prefix = /^<svg id="([^"]+)"/.exec(svg)![1];
  const boxes = new Map<string, Rectangle>();
  const labels = new Map<string, Rectangle & { readonly text: string }>();
  for (const [, id, body] of svg.matchAll(/<g id="([^"]+)">([^]*?)<\/g>/g)) {
    const name = id.slice(prefix.length + 1);
    if (/^e\d+$/.test(name)) {
      const place = /<rect x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)"/.exec(body)!;
      const [x, y, width, height] = place.slice(1).map(Number);
      boxes.set(name, { x0: x, x1: x + width, y0: y, y1: y + height });
    }
    if (/^e\d+-e\d+$/.test(name)) {
      const lines = [...body.matchAll(/<text [^>]*x="([^"]*)" y="([^"]*)"[^>]*>(.*?)<\/text>/g)];
      const parts = lines.map(([, x, y, spans]) => {
        const text = spans.replaceAll(/<[^>]*>/g, '');
        const half = (text.length * 11 * 0.6) / 2;
        const rectangle = {
          x0: Number(x) - half,
          x1: Number(x) + half,
          y0: Number(y) - 9,
          y1: Number(y) + 2,
        };
        return { ...rectangle, text };
      });
      labels.set(name, {
        x0: Math.min(...parts.map((p) => p.x0)),
        x1: Math.max(...parts.map((p) => p.x1)),
        y0: Math.min(...parts.map((p) => p.y0)),
        y1: Math.max(...parts.map((p) => p.y1)),
        text: parts.map((p) => p.text).join(' '),
      });
    }
  }
  return { boxes, labels, ids: [...svg.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id) };
}

export const overlap = (a: Rectangle, b: Rectangle): boolean =>
  Math.min(a.x1, b.x1) > Math.max(a.x0, b.x0) && Math.min(a.y1, b.y1) > Math.max(a.y0, b.y0);

/** Is a text a single XML element, as far as tags, attributes and entities go? */
export function wellFormed(xml: string): boolean {
  const open: string[] = [];
  let at = 0;
  for (const match of xml.matchAll(/<(\/?)([A-Za-z][\w:]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/g)) {
    const text = xml.slice(at, match.index);
    const [all, closes, name, attributes, empty] = match;
    if (/[<>]/.test(text) || (open.length === 0 && at > 0) || !sound(text + attributes))
      return false;
    if (closes === '/' && open.pop() !== name) return false;
    if (closes === '' && empty === '') open.push(name);
    at = match.index + all.length;
  }
  return open.length === 0 && xml.slice(at).trim() === '';
}

const sound = (text: string): boolean =>
  !/&(?!(?:lt|gt|amp|quot|#\d+);)/.test(text) &&
  !/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text);
