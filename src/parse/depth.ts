import type { Diagnostic, Span } from './diagnostics/index.js';

/** More nesting than anybody writes, and less than the stack can take. */
export const DEPTH = 1000;

/** What is said of more. */
export const TOO_DEEP = `nested more than ${DEPTH} deep`;

/**
 * Reports the first part of a tree that lies too deep, so that later stages may walk trees by
 * recursion. What has a `kind` is a level of its own, be it an instruction, an expression or a
 * condition; sums are trees, too.
 */
export function tooDeep(root: object): Diagnostic | undefined {
  const pending: { readonly part: object; readonly depth: number; readonly span?: Span }[] = [
    { part: root, depth: 0 },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { part, depth } = next;
    const own = 'kind' in part ? depth + 1 : depth;
    const span = 'span' in part ? (part.span as Span) : next.span;
    if (own > DEPTH && span !== undefined) return { span, message: TOO_DEEP };
    const inner = Object.values(part).filter((v) => typeof v === 'object' && v !== null);
    for (const value of (inner as object[]).reverse()) {
      pending.push({ part: value, depth: own, span });
    }
  }
  return undefined;
}
