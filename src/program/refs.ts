import type { Ident, LitmusExpr, NameRef, NodeSet } from '../parse/litmus-ast.js';

/** The names of places in an expression, from left to right. What only implementations have is left out. */
export function refsIn(e: LitmusExpr): readonly NameRef[] {
  switch (e.kind) {
    case 'int':
    case 'none':
    case 'slice':
    case 'apply':
      return [];
    case 'tuple':
      return e.parts.flatMap(refsIn);
    case 'ref':
      return [e.ref];
    case 'unary':
      return refsIn(e.arg);
    case 'binary':
      return [...refsIn(e.left), ...refsIn(e.right)];
  }
}

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
