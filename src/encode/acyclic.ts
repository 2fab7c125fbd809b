import type { Product } from '../bounds/product.js';
import type { Automaton } from '../model/automaton.js';
import * as m from '../relation/matrix.js';
import { components } from '../relation/components.js';
import type { Formula, Lit } from './formula.js';
import { FALSE, TRUE } from './formula.js';
import type { Literals } from './relations.js';

/** Edges of some nodes among themselves: for each node, its successors and when they are. */
type Edges = readonly Map<number, Lit>[];

/**
 * Asserts that the product graph of an automaton has no cycle (`automaton.ts`). Only its strongly
 * connected components matter; in these, edges that are sure are dealt with first, and the rest
 * is encoded by vertex elimination.
 */
export function assertAcyclic(
  automaton: Automaton,
  product: Product,
  literals: Literals,
  formula: Formula,
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
      if (rest.length > 1) eliminate(rest, edges, formula);
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

/**
 * Vertex elimination (Rankooh and Rintanen, AAAI 2022): vertices are taken out one by one, those
 * with the fewest paths through them first, and each path through a vertex becomes an edge.
 */
function eliminate(component: readonly number[], graph: Edges, formula: Formula): void {
  const inside = new Set(component);
  const out = new Map<number, Map<number, Lit>>();
  const into = new Map<number, Set<number>>(component.map((v) => [v, new Set()]));
  for (const u of component) {
    out.set(u, new Map([...graph[u]].filter(([v]) => inside.has(v))));
    for (const v of out.get(u)!.keys()) into.get(v)!.add(u);
  }
  /** Literals made here, each with the one edge that it was made for: only that edge may give it
   * further reasons to be true, since other edges may have taken it over. */
  const paths = new Map<Lit, number>();

  const join = (u: number, w: number, first: Lit, second: Lit): void => {
    if (u === w) return formula.assert(-first, -second);
    const beside = out.get(u)!.get(w);
    if (beside === TRUE) return;
    if (first === TRUE && second === TRUE) return setEdge(u, w, TRUE);
    if (beside === undefined && (first === TRUE || second === TRUE)) {
      return setEdge(u, w, first === TRUE ? second : first);
    }
    const edge = u * graph.length + w;
    if (beside !== undefined && paths.get(beside) === edge) {
      return formula.assert(-first, -second, beside);
    }
    // A path beside an edge of the relation needs a literal of its own, which the edge implies:
    // with the edge's literal, the path would force the relation.
    const path = formula.fresh();
    paths.set(path, edge);
    formula.assert(-first, -second, path);
    if (beside !== undefined) formula.assert(-beside, path);
    setEdge(u, w, path);
  };
  const setEdge = (u: number, w: number, lit: Lit): void => {
    out.get(u)!.set(w, lit);
    into.get(w)!.add(u);
  };

  const left = new Set(component);
  while (left.size > 1) {
    let best = -1;
    let cost = Infinity;
    for (const v of left) {
      const c = into.get(v)!.size * out.get(v)!.size;
      if (c < cost) [best, cost] = [v, c];
    }
    left.delete(best);
    const sources = [...into.get(best)!];
    const targets = [...out.get(best)!];
    for (const u of sources) {
      const first = out.get(u)!.get(best)!;
      out.get(u)!.delete(best);
      for (const [w, second] of targets) join(u, w, first, second);
    }
    for (const [w] of targets) into.get(w)!.delete(best);
    out.delete(best);
    into.delete(best);
  }
}
