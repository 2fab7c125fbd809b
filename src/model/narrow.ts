import { OPERATORS, holdsFor } from './operators/facts.js';
import { QUEUED, SHARED } from './instructions/set.js';
import { basesOf } from './table.js';
import type { Model, Term, TermId } from './term.js';
import { hasOperands, mapOperands, operandsOf } from './term.js';

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
  const { terms, same } = foldedTerms(model.terms, isEmpty, namesIn(model));
  const { groups } = model;
  const axioms = model.axioms.map((axiom) => ({ ...axiom, term: same[axiom.term] }));
  const bases = basesOf(
    { terms, groups },
    axioms.map((axiom) => axiom.term),
  );
  // What a name stands for is called so where it is equal to something smaller, too.
  const definitions = model.definitions.map((one) => ({ ...one, term: same[one.term] }));
  return { ...model, terms, axioms, bases, definitions };
}

/**
 * A model where there are only events with some labels.
 *
 * @param empty bases that are empty besides: where no queue is shared, that
 */
export function withLabels(
  model: Model,
  labels: ReadonlySet<string>,
  empty: readonly string[] = [SHARED, QUEUED],
): Model {
  const never = emptyWith(model, labels, empty);
  return narrowed(model, (name) => never.has(name));
}

/** The terms of a model's guesses as they are there. */
export function guessTermsWith(
  model: Model,
  labels: ReadonlySet<string>,
  empty: readonly string[],
): readonly Term[] {
  const never = emptyWith(model, labels, empty);
  return foldedTerms(model.instructions.terms, (name) => never.has(name)).terms;
}

/** The bases that are empty there. */
function emptyWith(
  { instructions }: Model,
  labels: ReadonlySet<string>,
  empty: readonly string[],
): ReadonlySet<string> {
  const never = new Set(
    instructions.labels.flatMap(({ name }) => (labels.has(name) ? [] : [name])),
  );
  for (const name of empty) never.add(name);
  const left = foldedTerms(instructions.terms, (name) => never.has(name)).terms;
  for (const guess of instructions.guesses) {
    const about = 'pairs' in guess ? [guess.pairs] : [guess.from, guess.to];
    if (about.some((term) => left[term].op === 'empty')) never.add(guess.name);
  }
  return never;
}

/** What each term is called. */
const namesIn = ({ definitions }: Model): ReadonlyMap<TermId, string> =>
  new Map(definitions.map(({ name, term }) => [term, name]));

/**
 * Terms without what some empty bases make empty.
 *
 * @param names what terms are called. One that has become equal to a term that is called otherwise, or not at all, stays, so that it
 * is told by its name
 */
export function foldedTerms(
  terms: readonly Term[],
  isEmpty: (name: string) => boolean,
  names?: ReadonlyMap<TermId, string>,
): Folded {
  const made: Term[] = [];
  const same: TermId[] = [];
  const gone = (id: TermId): boolean => made[id].op === 'empty';
  const nameOf = (id: TermId): string | undefined => {
    const term = made[id];
    return names?.get(id) ?? (term.op === 'base' ? term.name : undefined);
  };
  terms.forEach((term, id) => {
    const own = mapOperands(term, (operand) => same[operand]);
    const { kind } = term;
    made[id] = vanishes(own, gone, isEmpty) ? { op: 'empty', kind } : own;
    const equal = remains(made[id], gone) ?? id;
    const name = names?.get(id);
    same[id] = name === undefined || nameOf(equal) === name ? equal : id;
  });
  return { terms: made, same };
}

/** Is a term empty because of what it is made of? */
function vanishes(
  term: Term,
  gone: (id: TermId) => boolean,
  isEmpty: (name: string) => boolean,
): boolean {
  if (term.op === 'base') return isEmpty(term.name);
  if (term.op === 'empty') return true;
  return hasOperands(term) && holdsFor(OPERATORS[term.op].emptyWith, operandsOf(term), gone);
}

/** The operand that a term is equal to because the other one is empty. */
function remains(term: Term, gone: (id: TermId) => boolean): TermId | undefined {
  if (!hasOperands(term)) return undefined;
  const operands = operandsOf(term);
  const dropped = OPERATORS[term.op].dropped.find((i) => gone(operands[i]));
  return dropped === undefined ? undefined : operands[1 - dropped];
}
