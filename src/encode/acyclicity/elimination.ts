import type { Formula, Lit } from '../formula.js';
import { TRUE } from '../formula.js';
import type { Edges } from './no-cycle.js';

/**
 * Vertex elimination (Rankooh and Rintanen, AAAI 2022): vertices are taken out one by one, those
 * with the fewest paths through them first, and each path through a vertex becomes an edge.
 */
export function elimination(component: readonly number[], graph: Edges, formula: Formula): void {
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
