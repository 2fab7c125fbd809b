import type { Diagnostic, Span } from './diagnostics/index.js';

/** The deepest nesting that is accepted: more than anybody writes, and less than overflows the stack. */
export const DEPTH = 1000;

/** The message about deeper nesting. */
export const TOO_DEEP = `nested more than ${DEPTH} deep`;

/**
 * Finds the first part of a tree that is nested too deep. Trees without one can be walked by recursion in all later
 * stages. A level is a part with a `kind`: an instruction, an expression or a condition. So a long sum, `1 + 1 + … +
 * 1`, is deep, too.
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
