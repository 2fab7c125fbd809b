import type { EventId } from '../../program/events/structure.js';
import type { Formula, Lit } from '../formula.js';

/** Edges of some nodes among themselves: for each node, its successors and when they are. */
export type Edges = readonly ReadonlyMap<number, Lit>[];

/**
 * Asserts that the edges of a graph that are there make no cycle of nodes of a component. Edges that
 * lead elsewhere are on none. An edge may be `TRUE`; none leads from a node to itself.
 *
 * Edges are asserted not to be there, and never to be there: what holds of a solution without some
 * edge must be left possible with it.
 */
export type NoCycle = (
  component: readonly number[],
  edges: Edges,
  formula: Formula,
  nodes: Nodes,
) => void;

/** What the nodes of a graph are, for people. */
export interface Nodes {
  /** What must have no cycle: the name of an axiom, or of an order. */
  readonly of: string;
  /** The event that a node is, or that a path over it goes by. */
  readonly event: (node: number) => EventId;
}

/** How graphs are kept without cycles. */
export interface Cycles {
  /** Any graph. */
  readonly graph: NoCycle;
  /** The graph of a total order: between two nodes that are there, one way or the other, is an edge. */
  readonly order: NoCycle;
}

/** The edges of a component, those that leave it left out: from, to, and when. */
export function* edgesInside(
  component: readonly number[],
  edges: Edges,
): Generator<readonly [number, number, Lit]> {
  const nodes = new Set(component);
  for (const u of component) {
    for (const [v, lit] of edges[u]) if (nodes.has(v)) yield [u, v, lit];
  }
}
