import * as m from '../../model/relation/matrix.js';
import type { Formula, Lit } from '../formula.js';
import { FALSE, TRUE } from '../formula.js';
import type { Edges } from './no-cycle.js';
import { edgesInside } from './no-cycle.js';

/**
 * For each two nodes, a literal that is true if one reaches the other: along an edge, or along a
 * path and one edge more. No node reaches itself. Literals may be true without a path; what sure
 * edges decide has none.
 */
export function closure(component: readonly number[], edges: Edges, formula: Formula): void {
  const all = [...edgesInside(component, edges)];
  const sure = all.flatMap(([u, v, lit]) => (lit === TRUE ? [[u, v] as const] : []));
  const surely = m.plus(m.relOf(edges.length, sure));
  const made = new Map<number, Lit>();
  const reach = (u: number, v: number): Lit => {
    if (u === v || m.related(surely, v, u)) return FALSE;
    if (m.related(surely, u, v)) return TRUE;
    const pair = u * edges.length + v;
    const lit = made.get(pair) ?? formula.fresh();
    made.set(pair, lit);
    return lit;
  };
  for (const [u, v, lit] of all) {
    formula.assert(-lit, reach(u, v));
    for (const start of component) formula.assert(-reach(start, u), -lit, reach(start, v));
  }
}
