import type { ExecutionGraph, GraphEvent } from '../../analyses/explain/graph.js';

/** What is drawn for all edges from one event to another, whatever relations they are of: a single arrow. */
export interface Arrow {
  readonly from: GraphEvent;
  readonly to: GraphEvent;
  /** The relations of these edges; those on the highlighted cycle come first. */
  readonly names: readonly ArrowName[];
  readonly onCycle: boolean;
}

export interface ArrowName {
  readonly name: string;
  readonly onCycle: boolean;
}

/**
 * The arrows of a graph, in the order of their first edges. The relations of an arrow are in the order of the graph,
 * too, but those on the highlighted cycle come first, because they decide how the arrow looks.
 */
export function arrowsOf(graph: ExecutionGraph, highlight: boolean): readonly Arrow[] {
  const events = new Map(graph.events.map((e) => [e.id, e]));
  const ranks = new Map(graph.relations.map((r, rank) => [r.name, rank]));
  const rank = ({ name, onCycle }: ArrowName): number =>
    (ranks.get(name) ?? ranks.size) + (onCycle ? 0 : ranks.size + 1);
  const pairs = new Map<string, { from: GraphEvent; to: GraphEvent; names: ArrowName[] }>();
  for (const edge of graph.edges) {
    const key = `${edge.from} ${edge.to}`;
    const [from, to] = [events.get(edge.from)!, events.get(edge.to)!];
    const pair = pairs.get(key) ?? { from, to, names: [] };
    pairs.set(key, pair);
    const onCycle = highlight && edge.onCycle;
    const known = pair.names.findIndex(({ name }) => name === edge.relation);
    if (known < 0) pair.names.push({ name: edge.relation, onCycle });
    else if (onCycle) pair.names[known] = { name: edge.relation, onCycle };
  }
  return [...pairs.values()].map(({ from, to, names }) => ({
    from,
    to,
    names: names.sort((a, b) => rank(a) - rank(b)),
    onCycle: names.some((n) => n.onCycle),
  }));
}
