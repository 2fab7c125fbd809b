import type { Statement } from '../parse/litmus-ast.js';

/** Whether a thread uses a word of its own before it has written to it, on some way. */
export function isUsedUnwritten(body: readonly Statement[], name: string): boolean {
  const found = body.find((one) => names(one, name));
  if (found === undefined) return false;
  return !(found.kind === 'assign' && found.target.name.text === name && !names(found.value, name));
}

/** Whether something in a tree has a name. */
function names(tree: unknown, name: string): boolean {
  if (Array.isArray(tree)) return tree.some((one) => names(one, name));
  if (typeof tree !== 'object' || tree === null) return false;
  return Object.values(tree).some((one) => one === name || names(one, name));
}
