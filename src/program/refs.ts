import { leavesIn } from '../parse/fold.js';
import type { Ident, LitmusExpr, LitmusLeaf, NameRef, NodeSet } from '../parse/litmus-ast.js';

/** The names of places in an expression of a program, from left to right. */
export const refsIn = (e: LitmusExpr): readonly NameRef[] =>
  leavesIn<LitmusLeaf>(e).flatMap((leaf) => {
    if (leaf.kind === 'ref') return [leaf.ref];
    return leaf.kind === 'tuple' ? leaf.parts.flatMap(refsIn) : [];
  });

/** The nodes that a set names one by one. */
export function nodesNamed(set: NodeSet): readonly Ident[] {
  switch (set.kind) {
    case 'all':
    case 'named':
    case 'nodesOf':
    case 'union':
      return [];
    case 'set':
      return set.nodes;
    case 'difference':
      return [...nodesNamed(set.left), ...nodesNamed(set.right)];
  }
}
