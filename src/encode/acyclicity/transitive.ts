import type { Formula } from '../formula.js';
import { FALSE } from '../formula.js';
import type { Edges } from './no-cycle.js';

/**
 * A total order is transitive. That an edge is there where two others lead the same way requires nothing, since one
 * way or the other there is one.
 */
export function transitive(nodes: readonly number[], edges: Edges, formula: Formula): void {
  nodes.forEach((a, i) => {
    // A cycle of three is met three times, from each of its nodes: once is enough.
    const others = nodes.slice(i + 1);
    for (const b of others) {
      const first = edges[a].get(b) ?? FALSE;
      if (first === FALSE) continue;
      for (const c of others) {
        const second = c === b ? FALSE : (edges[b].get(c) ?? FALSE);
        if (second !== FALSE) formula.assert(-first, -second, edges[a].get(c) ?? FALSE);
      }
    }
  });
}
