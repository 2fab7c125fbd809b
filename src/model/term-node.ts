import type { BinaryOp, UnaryOp } from '../parse/cat-expr.js';

/** The nodes of a table of terms (`term.ts`), which models and instruction sets have. */

export type Kind = 'set' | 'rel';

/** Index of a term in `Model.terms`. Operands always have smaller indices than their user. */
export type TermId = number;

/**
 * One node of the table. `rec` is a variable of a `let rec` group inside its own definition;
 * `fix` is the least fixpoint of that variable, as everything after the group sees it.
 */
export type Term =
  | { readonly op: 'base'; readonly kind: Kind; readonly name: string }
  | { readonly op: 'empty'; readonly kind: Kind }
  | { readonly op: 'universe'; readonly kind: 'set' }
  | { readonly op: BinaryOp; readonly kind: Kind; readonly left: TermId; readonly right: TermId }
  | { readonly op: UnaryOp; readonly kind: Kind; readonly arg: TermId }
  | {
      readonly op: 'rec';
      readonly kind: 'rel' | 'set';
      readonly group: number;
      readonly index: number;
    }
  | {
      readonly op: 'fix';
      readonly kind: 'rel' | 'set';
      readonly group: number;
      readonly index: number;
    };

/** A term that an operator makes of others. */
export type OperatorTerm = Extract<Term, { op: BinaryOp | UnaryOp }>;

export const hasOperands = (term: Term): term is OperatorTerm => 'left' in term || 'arg' in term;

/** The terms that a term is made of. */
export function operandsOf(term: Term): readonly TermId[] {
  if ('left' in term) return [term.left, term.right];
  return 'arg' in term ? [term.arg] : [];
}

/** The same operation on other operands. */
export function mapOperands(term: Term, at: (operand: TermId) => TermId): Term {
  if ('left' in term) return { ...term, left: at(term.left), right: at(term.right) };
  return 'arg' in term ? { ...term, arg: at(term.arg) } : term;
}
