import type { Product } from '../bounds/product.js';
import type { Automaton } from '../model/automaton.js';
import * as m from '../relation/matrix.js';
import { components } from '../relation/components.js';
import type { Formula, Lit } from './formula.js';
import { FALSE, TRUE } from './formula.js';
import type { Literals } from './relations.js';
import type { Edges, NoCycle } from './acyclicity/no-cycle.js';

/**
 * Asserts that the product graph of an automaton has no cycle (`automaton.ts`). Only its strongly
 * connected components matter; in these, edges that are sure are dealt with first, and the rest
 * is left to an encoding of choice.
 */
export function assertAcyclic(
  automaton: Automaton,
  product: Product,
  literals: Literals,
  formula: Formula,
  noCycle: NoCycle,
): void {
  const literal = edgeLiterals(automaton, product, literals, formula);
  const { may, sure } = product;
  const successors = Array.from({ length: may.size }, (_, u) => m.successors(may, u));
  for (const component of components(successors)) {
    if (component.length === 1) {
      const [u] = component;
      if (m.related(may, u, u)) formula.assert(-literal(u, u));
      continue;
    }
    const edges = openEdges(component, may, sure, literal, formula);
    for (const rest of components(edges.map((e) => e.keys()))) {
      if (rest.length > 1) noCycle(rest, edges, formula);
    }
  }
}

/** When does an edge of the product graph exist? When one of its steps or tests does. */
function edgeLiterals(
  { steps, tests }: Automaton,
  { event, state }: Product,
  literals: Literals,
  formula: Formula,
) {
  return (u: number, v: number): Lit => {
    const [a, b, from, to] = [event(u), event(v), state(u), state(v)];
    const ways: Lit[] = [];
    for (const step of steps) {
      if (step.from !== from || step.to !== to) continue;
      const way = literals.pair(step.term, a, b);
      if (way === TRUE) return TRUE;
      if (way !== FALSE) ways.push(way);
    }
    for (const test of tests) {
      if (a !== b || test.from !== from || test.to !== to) continue;
      ways.push(test.set === undefined ? TRUE : literals.member(test.set, a));
    }
    return ways.length === 1 ? ways[0] : formula.or(...ways);
  };
}

/**
 * The edges of a component that may or may not be there, and the sure ones that are needed beside
 * them, over positions in the component. An edge against a sure path is asserted not to be there;
 * one along a sure path adds nothing.
 */
function openEdges(
  component: readonly number[],
  may: m.BitRel,
  sure: m.BitRel,
  literal: (u: number, v: number) => Lit,
  formula: Formula,
): Edges {
  const size = component.length;
  const local = m.emptyRel(size);
  component.forEach((u, i) =>
    component.forEach((v, j) => m.related(sure, u, v) && m.relate(local, i, j)),
  );
  const reach = m.plus(local);
  if (!m.isIrreflexive(reach)) formula.assert();
  const detours = m.seq(local, reach);
  return component.map((u, i) => {
    const edges = new Map<number, Lit>();
    component.forEach((v, j) => {
      if (!m.related(may, u, v)) return;
      if (m.related(reach, j, i) || i === j) formula.assert(-literal(u, v));
      else if (m.related(local, i, j)) {
        if (!m.related(detours, i, j)) edges.set(j, TRUE);
      } else if (!m.related(reach, i, j)) {
        const lit = literal(u, v);
        if (lit !== FALSE) edges.set(j, lit);
      }
    });
    return edges;
  });
}
