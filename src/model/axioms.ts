import type { AxiomItem } from '../parse/cat-ast.js';
import type { Context } from './context.js';
import { elaborateExpr } from './expression.js';
import { expectKind } from './operands.js';
import type { ModelScope } from './scope.js';
import type { TermTable } from './table.js';
import type { Axiom, TermId } from './term.js';
import { operandsOf } from './term.js';

/** The axioms of a model, in order. */
export class Axioms {
  readonly list: Axiom[] = [];
  private readonly namesakes = new Map<string, Axiom[]>();

  /** Verdicts and explanations speak of axioms by their names: of several with one name, the others get numbers. */
  add(axiom: Axiom): void {
    const { name, span, term } = axiom;
    const namesakes = this.namesakes.get(name) ?? [];
    this.namesakes.set(name, namesakes);
    // A file that is included twice says the same twice.
    const isAgain = namesakes.some(
      (one) => one.span.file === span.file && one.span.start === span.start && one.term === term,
    );
    if (isAgain) return;
    const number = namesakes.push(axiom);
    this.list.push(number === 1 ? axiom : { ...axiom, name: `${name}-${number}` });
  }
}

/** @param position how many come before it: it is called by that if it has no name */
export function elaborateAxiom(
  context: Context,
  scope: ModelScope,
  item: AxiomItem,
  position: number,
  library?: string,
): Axiom | undefined {
  const { test, negated, flag, expr, span } = item;
  const value = elaborateExpr(context, scope, expr);
  const kind = test === 'empty' && value.kind === 'set' ? 'set' : 'rel';
  const need = `\`${test}\` needs ${test === 'empty' ? 'a set or a relation' : 'a relation'}`;
  const term = expectKind(context, value, kind, need, expr);
  if (term === undefined) return undefined;
  const own = item.name?.text ?? `${test}-${position + 1}`;
  const name = library === undefined ? own : `${library}.${own}`;
  return { test, negated, flag, term, name, span };
}

/** Can an axiom only forbid more where a term has more pairs? */
export function forbidsMore({ terms, groups }: TermTable, axiom: Axiom, about: TermId): boolean {
  /** For each term, whether it was reached where more of it means more, and where it means less. */
  const seen = new Set<string>();
  const onlyGrows = (id: TermId, grows: boolean): boolean => {
    const key = `${id} ${grows}`;
    if (seen.has(key)) return true;
    seen.add(key);
    if (id === about) return grows;
    const term = terms[id];
    if (term.op === 'diff') return onlyGrows(term.left, grows) && onlyGrows(term.right, !grows);
    if (term.op === 'compl') return onlyGrows(term.arg, !grows);
    const parts = term.op === 'fix' ? groups[term.group].bodies : operandsOf(term);
    return parts.every((part) => onlyGrows(part, grows));
  };
  return onlyGrows(axiom.term, !axiom.negated);
}
