import type { Component, Product, ProductStep } from './bounds/product.js';
import { cyclicComponents } from '../model/relation/components.js';
import { groupBy } from '../model/relation/groups.js';
import * as m from '../model/relation/matrix.js';
import type { Formula, Lit } from './formula.js';
import { FALSE, TRUE } from './formula.js';
import type { Literals } from './relations.js';
import type { Edges, NoCycle } from './acyclicity/no-cycle.js';

/**
 * Asserts that the product graph of an automaton has no cycle (`automaton.ts`). In its components,
 * edges that are sure are dealt with first, and the rest is left to an encoding of choice.
 */
export function assertAcyclic(
  { steps, components }: Product,
  literals: Literals,
  formula: Formula,
  noCycle: NoCycle,
): void {
  const states = 1 + Math.max(...steps.map(({ to }) => to));
  const between = groupBy(steps, ({ from, to }) => from * states + to);
  for (const component of components) {
    const { nodes } = component;
    const literal = (i: number, j: number): Lit => {
      const [[a, from], [b, to]] = [nodes[i], nodes[j]];
      return edgeLiteral(between.get(from * states + to)!, a, b, literals, formula);
    };
    const edges = openEdges(component, literal, formula);
    const graph = m.emptyRel(nodes.length);
    edges.forEach((successors, i) => {
      for (const j of successors.keys()) m.relate(graph, i, j);
    });
    for (const rest of cyclicComponents(graph)) noCycle(rest, edges, formula);
  }
}

/** When does an edge of the product graph exist? When one of the steps that make it does. */
function edgeLiteral(
  steps: readonly ProductStep[],
  a: number,
  b: number,
  { pair, member }: Literals,
  { and, or }: Formula,
): Lit {
  const ways: Lit[] = [];
  for (const { terms, before, after } of steps) {
    const stays = terms.length === 0 && a === b;
    const along = stays ? TRUE : or(...terms.map((term) => pair(term, a, b)));
    if (along === FALSE) continue;
    const way = and(
      along,
      ...before.map((set) => member(set, a)),
      ...after.map((set) => member(set, b)),
    );
    if (way === TRUE) return TRUE;
    if (way !== FALSE) ways.push(way);
  }
  return ways.length === 1 ? ways[0] : or(...ways);
}

/**
 * The edges of a component that may or may not be there, and the sure ones that are needed beside
 * them, over positions in the component. An edge against a sure path is asserted not to be there;
 * one along a sure path adds nothing.
 */
function openEdges(
  { may, sure, reach }: Component,
  literal: (i: number, j: number) => Lit,
  formula: Formula,
): Edges {
  if (!m.isIrreflexive(reach)) formula.assert();
  const detours = m.seq(sure, reach);
  return Array.from({ length: may.size }, (_, i) => {
    const edges = new Map<number, Lit>();
    for (const j of m.successors(may, i)) {
      if (m.related(reach, j, i) || i === j) formula.assert(-literal(i, j));
      else if (m.related(sure, i, j)) {
        if (!m.related(detours, i, j)) edges.set(j, TRUE);
      } else if (!m.related(reach, i, j)) {
        const lit = literal(i, j);
        if (lit !== FALSE) edges.set(j, lit);
      }
    }
    return edges;
  });
}
