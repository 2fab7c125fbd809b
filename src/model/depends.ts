import { OPERATORS } from './operators/facts.js';
import { hasOperands, operandsOf } from './term.js';
import type { Model, RecGroup, Term, TermId } from './term.js';

/** The terms that the axioms of a model depend on; flags are no axioms. */
export function reachableTerms(model: Model): ReadonlySet<TermId> {
  const before = known.get(model);
  if (before !== undefined) return before;
  const made = reach(model);
  known.set(model, made);
  return made;
}

const known = new WeakMap<Model, ReadonlySet<TermId>>();

function reach({ terms, groups, axioms }: Model): ReadonlySet<TermId> {
  const reached = new Set<TermId>();
  const pending = axioms.filter((a) => !a.flag).map((a) => a.term);
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    const term = terms[id];
    pending.push(...(term.op === 'fix' ? groups[term.group].bodies : operandsOf(term)));
  }
  return reached;
}

/** Does an axiom depend on what has this name: a base, a guess, or a definition? */
export function dependsOn(model: Model, name: string): boolean {
  const reached = reachableTerms(model);
  const isBase = [...reached].some((id) => {
    const term = model.terms[id];
    return term.op === 'base' && term.name === name;
  });
  return isBase || model.definitions.some((d) => d.name === name && reached.has(d.term));
}

/** Does an axiom or a guess depend on a set of the program's events, as a tag makes one? */
export const isAbout = (model: Model, name: string): boolean =>
  dependsOn(model, name) ||
  model.instructions.terms.some((term) => term.op === 'base' && term.name === name);

/** The terms whose value depends on a base relation with one of these names. */
export function madeOf(
  { terms, groups }: Pick<Model, 'terms' | 'groups'>,
  names: ReadonlySet<string>,
): ReadonlySet<TermId> {
  const made = new Set<TermId>();
  const groupOf = (variable: TermId): RecGroup => groups.find((g) => g.vars.includes(variable))!;
  const from = (term: Term, id: TermId): readonly TermId[] => {
    if (term.op === 'rec') return groupOf(id).bodies;
    return term.op === 'fix' ? groups[term.group].bodies : operandsOf(term);
  };
  const isMade = (term: Term, id: TermId): boolean =>
    term.op === 'base'
      ? term.kind === 'rel' && names.has(term.name)
      : from(term, id).some((one) => made.has(one));
  // Variables come before what they stand for, so once is not enough.
  for (let before = -1; before < made.size;) {
    before = made.size;
    for (const [id, term] of terms.entries()) if (isMade(term, id)) made.add(id);
  }
  return made;
}

/** Do axioms only forbid more where base relations with these names have more pairs? Flags forbid nothing. */
export function onlyForbidMore(
  { terms, groups, axioms }: Pick<Model, 'terms' | 'groups' | 'axioms'>,
  names: ReadonlySet<string>,
): boolean {
  const seen = new Set<string>();
  const visit = (id: TermId, grows: boolean): boolean => {
    const key = `${id} ${String(grows)}`;
    if (seen.has(key)) return true;
    seen.add(key);
    const term = terms[id];
    if (term.op === 'base') return grows || term.kind !== 'rel' || !names.has(term.name);
    if (term.op === 'fix') return groups[term.group].bodies.every((body) => visit(body, grows));
    if (!hasOperands(term)) return true;
    const facts = OPERATORS[term.op];
    return operandsOf(term).every((one, i) => visit(one, facts.grows[i] === grows));
  };
  return axioms.every(({ term, negated, flag }) => flag || visit(term, !negated));
}
