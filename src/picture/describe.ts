import type { ExecutionGraph, GraphEvent } from '../explain/graph.js';
import type { Arrow } from './arrows.js';
import { arrowsOf } from './arrows.js';

/** A picture in words, for those who do not see it, and for what the pointer rests on. */
export interface Description {
  readonly title: string;
  readonly text: string;
  /** The words for each event and each arrow, by what they are called in DOT: `e3`, `e3->e4`. */
  readonly parts: ReadonlyMap<string, string>;
}

/** Describes what is drawn of a graph. */
export function describe(graph: ExecutionGraph, highlight: boolean, title?: string): Description {
  const arrows = arrowsOf(graph, highlight);
  const inThread = (c: number | null) =>
    graph.events
      .filter((e) => e.column === c)
      .map(nameOf)
      .join(', ');
  const initial = inThread(null);
  const cycle = arrows.filter((a) => a.onCycle);
  const sentences = [
    ...(initial === '' ? [] : [`Initial writes: ${initial}.`]),
    ...graph.columns.map((column, c) => `${placeOf(column)}: ${inThread(c) || 'no events'}.`),
    ...(arrows.length === 0 ? [] : [`Edges: ${arrows.map(arrowText).join('; ')}.`]),
    ...(cycle.length === 0 ? [] : [`Highlighted: ${cycle.map(arrowText).join('; ')}.`]),
  ];
  const events = graph.events.map((e): [string, string] => [`e${e.id}`, eventText(graph, e)]);
  const edges = arrows.map((a): [string, string] => [`e${a.from.id}->e${a.to.id}`, arrowText(a)]);
  return {
    title: title ?? 'An execution',
    text: sentences.join(' '),
    parts: new Map([...events, ...edges]),
  };
}

const nameOf = ({ name, label }: GraphEvent): string => `${name} ${label}`;

const placeOf = ({ thread, node }: ExecutionGraph['columns'][number]): string =>
  `${thread} on node ${node}`;

function eventText({ columns }: ExecutionGraph, event: GraphEvent): string {
  if (event.column === null) return `${event.label}, an initial write`;
  const source = event.source === undefined ? '' : `: ${event.source}`;
  return `${nameOf(event)} of ${placeOf(columns[event.column])}${source}`;
}

const arrowText = ({ names, from, to }: Arrow): string =>
  `${names.map((n) => n.name).join(', ')} from ${nameOf(from)} to ${nameOf(to)}`;
