import type { Term, TermId } from '../model/term.js';
import type { Reach } from './reach.js';

/**
 * A part of an axiom that something be empty, where a machine can tell whether it is when a call begins:
 * - `call`: a set or a relation that single calls tell
 * - `pair`: a relation, of which two calls tell; no event may be behind another one by it
 * - `partner`: the events of a set that single calls tell, each of which needs an event before it by a relation
 */
export type Check =
  | { readonly kind: 'call'; readonly term: TermId }
  | { readonly kind: 'pair'; readonly relation: TermId }
  | { readonly kind: 'partner'; readonly of: TermId; readonly relation: TermId };

/** The parts of a term that has to be empty; undefined: it takes more than two calls to tell. */
export function checksOf(
  terms: readonly Term[],
  reaches: readonly Reach[],
  id: TermId,
): readonly Check[] | undefined {
  const term = terms[id];
  if (reaches[id] === 'call') return [{ kind: 'call', term: id }];
  if (term.op === 'union') {
    const [left, right] = [term.left, term.right].map((one) => checksOf(terms, reaches, one));
    return left && right && [...left, ...right];
  }
  if (term.kind === 'rel')
    return reaches[id] === 'two' ? [{ kind: 'pair', relation: id }] : undefined;
  const behind = (set: Term): TermId | undefined =>
    set.op === 'range' && reaches[set.arg] === 'two' ? set.arg : undefined;
  const relation = behind(term);
  if (relation !== undefined) return [{ kind: 'pair', relation }];
  if (term.op !== 'diff' || reaches[term.left] !== 'call') return undefined;
  const needed = behind(terms[term.right]);
  return needed === undefined ? undefined : [{ kind: 'partner', of: term.left, relation: needed }];
}
