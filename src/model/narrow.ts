import { basesOf } from './table.js';
import type { Model, Term, TermId } from './term.js';

/** Terms, of which each has its old index, and for each the term that it is equal to. */
interface Folded {
  readonly terms: readonly Term[];
  readonly same: readonly TermId[];
}

/**
 * A model as it is where some of its bases are empty: what that makes empty is `0`, and what it leaves
 * equal to another term is not asked for any more. All terms have the same index and value as before, so
 * that the result can stand for the model wherever these bases are empty.
 */
export function narrowed(model: Model, isEmpty: (name: string) => boolean): Model {
  const { terms, same } = folded(model.terms, isEmpty);
  const { groups } = model;
  const axioms = model.axioms.map((axiom) => ({ ...axiom, term: same[axiom.term] }));
  const bases = basesOf(
    { terms, groups },
    axioms.map((axiom) => axiom.term),
  );
  return { ...model, terms, axioms, bases };
}

/** Terms without what some empty bases make empty. */
export function folded(terms: readonly Term[], isEmpty: (name: string) => boolean): Folded {
  const made: Term[] = [];
  const same: TermId[] = [];
  const gone = (id: TermId): boolean => made[id].op === 'empty';
  terms.forEach((term, id) => {
    const own = withOperands(term, same);
    const { kind } = term;
    made[id] = vanishes(own, gone, isEmpty) ? { op: 'empty', kind } : own;
    same[id] = remains(made[id], gone) ?? id;
  });
  return { terms: made, same };
}

function withOperands(term: Term, same: readonly TermId[]): Term {
  if ('left' in term) return { ...term, left: same[term.left], right: same[term.right] };
  return 'arg' in term ? { ...term, arg: same[term.arg] } : term;
}

/** Is a term empty because of what it is made of? */
function vanishes(
  term: Term,
  gone: (id: TermId) => boolean,
  isEmpty: (name: string) => boolean,
): boolean {
  switch (term.op) {
    case 'base':
      return isEmpty(term.name);
    case 'empty':
      return true;
    case 'union':
      return gone(term.left) && gone(term.right);
    case 'inter':
    case 'seq':
    case 'product':
      return gone(term.left) || gone(term.right);
    case 'diff':
      return gone(term.left);
    case 'identity':
    case 'inverse':
    case 'plus':
    case 'domain':
    case 'range':
      return gone(term.arg);
    case 'compl':
    case 'star':
    case 'opt':
    case 'universe':
    case 'rec':
    case 'fix':
      return false;
  }
}

/** The operand that a term is equal to because the other one is empty. */
function remains(term: Term, gone: (id: TermId) => boolean): TermId | undefined {
  if (term.op !== 'union' && term.op !== 'diff') return undefined;
  if (gone(term.right)) return term.left;
  return term.op === 'union' && gone(term.left) ? term.right : undefined;
}
