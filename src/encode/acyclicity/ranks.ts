import type { Formula, Lit } from '../formula.js';
import { FALSE } from '../formula.js';
import type { Edges } from './no-cycle.js';
import { edgesInside } from './no-cycle.js';

/**
 * Every node has a rank, a number of as many bits as it takes to tell the nodes apart, and an edge
 * leads to a higher rank. For each edge a comparator; its gates are needed in one direction only.
 */
export function ranks(component: readonly number[], edges: Edges, formula: Formula): void {
  const width = Math.ceil(Math.log2(component.length));
  const rank = new Map(
    component.map((v) => [v, Array.from({ length: width }, () => formula.fresh())]),
  );
  for (const [u, v, lit] of edgesInside(component, edges)) {
    formula.assert(-lit, less(rank.get(u)!, rank.get(v)!, formula));
  }
}

/** Is a number less than another? Bits are given from the lowest to the highest. */
function less(a: readonly Lit[], b: readonly Lit[], { and, or }: Formula): Lit {
  return a.reduce((lower: Lit, bit, i) => or(and(-bit, b[i]), and(or(-bit, b[i]), lower)), FALSE);
}
