import type { Automaton } from '../model/automaton.js';
import * as m from '../relation/matrix.js';
import type { Formula, Lit } from './formula.js';
import { FALSE, TRUE } from './formula.js';

/** A graph whose edges exist where their literals are true. */
export type Graph = readonly ReadonlyMap<number, Lit>[];

/** The product of events and the states of an automaton: an edge for every step and test. */
export function productGraph(
  automaton: Automaton,
  size: number,
  successors: (term: number, event: number) => Iterable<readonly [event: number, lit: Lit]>,
  member: (set: number, event: number) => Lit,
  formula: Formula,
): Graph {
  const { states, steps, tests } = automaton;
  const graph = Array.from({ length: size * states }, () => new Map<number, Lit>());
  const edge = (from: number, to: number, lit: Lit): void => {
    if (lit === FALSE) return;
    graph[from].set(to, formula.or(graph[from].get(to) ?? FALSE, lit));
  };
  for (let e = 0; e < size; e++) {
    for (const { from, to, term } of steps) {
      for (const [next, lit] of successors(term, e)) {
        edge(e * states + from, next * states + to, lit);
      }
    }
    for (const { from, to, set } of tests) {
      edge(e * states + from, e * states + to, set === undefined ? TRUE : member(set, e));
    }
  }
  return graph;
}

/**
 * Asserts that a graph has no cycle. Edges that are there in any case are dealt with first; the
 * rest is cut into strongly connected components, and these are encoded by vertex elimination
 * (Rankooh and Rintanen, 2022): vertices are taken out one by one, those with the fewest
 * paths through them first, and each path through a vertex becomes an edge beside it.
 */
export function assertAcyclic(graph: Graph, formula: Formula): void {
  const sure = m.plus(
    m.relOf(
      graph.length,
      graph.flatMap((edges, u) =>
        [...edges].filter(([, l]) => l === TRUE).map(([v]) => [u, v] as const),
      ),
    ),
  );
  const open = graph.map((edges, u) => {
    const kept = new Map<number, Lit>();
    for (const [v, lit] of edges) {
      if (v === u || m.related(sure, v, u)) formula.assert(-lit);
      // A path that is there in any case makes another edge between its ends superfluous.
      else if (lit === TRUE ? !hasDetour(graph, sure, u, v) : !m.related(sure, u, v)) {
        kept.set(v, lit);
      }
    }
    return kept;
  });
  for (const component of components(open)) {
    if (component.length > 1) eliminate(component, open, formula);
  }
}

/** Is a sure edge from u to v implied by a longer sure path? */
function hasDetour(graph: Graph, sure: m.BitRel, u: number, v: number): boolean {
  for (const [w, lit] of graph[u]) {
    if (lit === TRUE && w !== v && m.related(sure, w, v)) return true;
  }
  return false;
}

/** Strongly connected components (Tarjan), each in ascending order. */
export function components(graph: Graph): number[][] {
  const index = new Int32Array(graph.length).fill(-1);
  const low = new Int32Array(graph.length);
  const onStack = new Uint8Array(graph.length);
  const stack: number[] = [];
  const found: number[][] = [];
  let counter = 0;

  for (let root = 0; root < graph.length; root++) {
    if (index[root] >= 0) continue;
    const work: { readonly node: number; readonly edges: Iterator<number> }[] = [];
    const enter = (node: number): void => {
      index[node] = low[node] = counter++;
      stack.push(node);
      onStack[node] = 1;
      work.push({ node, edges: graph[node].keys() });
    };
    enter(root);
    while (work.length > 0) {
      const { node, edges } = work[work.length - 1];
      const next = edges.next();
      if (next.done !== true) {
        if (index[next.value] < 0) enter(next.value);
        else if (onStack[next.value] === 1) low[node] = Math.min(low[node], index[next.value]);
        continue;
      }
      work.pop();
      const parent = work[work.length - 1];
      if (parent !== undefined) low[parent.node] = Math.min(low[parent.node], low[node]);
      if (low[node] !== index[node]) continue;
      const component: number[] = [];
      for (let member = -1; member !== node;) {
        member = stack.pop()!;
        onStack[member] = 0;
        component.push(member);
      }
      found.push(component.sort((a, b) => a - b));
    }
  }
  return found;
}

function eliminate(component: readonly number[], graph: Graph, formula: Formula): void {
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
