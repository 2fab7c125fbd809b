import type { ExecutionGraph, GraphEvent } from '../../analyses/explain/graph.js';
import type { Arrow } from './arrows.js';

/** Pictures in words: for screen readers, and for tips where the pointer rests. */

/** Everything that is drawn of a graph, in words. */
export function describe(graph: ExecutionGraph, arrows: readonly Arrow[]): string {
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
  return sentences.join(' ');
}

const nameOf = ({ name, label }: GraphEvent): string => `${name} ${label}`;

const placeOf = ({ thread, node }: ExecutionGraph['columns'][number]): string =>
  `${thread} on node ${node}`;

export function eventText({ columns }: ExecutionGraph, event: GraphEvent): string {
  if (event.column === null) return `${event.label}, an initial write`;
  const source = event.source === undefined ? '' : `: ${event.source}`;
  const line = event.lines === undefined ? '' : `, line ${event.lines}`;
  return `${nameOf(event)} of ${placeOf(columns[event.column])}${source}${line}`;
}

export const arrowText = ({ names, from, to }: Arrow): string =>
  `${names.map((n) => n.name).join(', ')} from ${nameOf(from)} to ${nameOf(to)}`;
