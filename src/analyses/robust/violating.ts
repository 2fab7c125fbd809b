import type { Axiom, Model, RecGroup, Term, TermId } from '../../model/term.js';
import { mapOperands, unsettledAt } from '../../model/term.js';

/** The model of the executions that one model admits and one axiom of another rules out. */
export interface ViolationQuestion {
  /** The axiom, over the terms of the reference. */
  readonly axiom: Axiom;
  readonly model: Model;
}

/**
 * For each axiom of a reference that the model has not: the model with this axiom negated. Some execution that the model admits is not one of the
 * reference exactly if one of these models has an execution.
 */
export function violating(model: Model, reference: Model): readonly ViolationQuestion[] {
  const { terms, groups, at } = append(model, reference);
  const isOfModel = ({ test, negated, term }: Axiom): boolean =>
    model.axioms.some(
      (own) => !own.flag && own.test === test && own.negated === negated && own.term === at(term),
    );
  return reference.axioms
    .filter((axiom) => !axiom.flag && !isOfModel(axiom))
    .map((axiom) => {
      const negation: Axiom = { ...axiom, negated: !axiom.negated, term: at(axiom.term) };
      const bases = [...new Set([...model.bases, ...reference.bases])];
      const axioms = [...model.axioms, negation];
      const unsettled = [...(model.unsettled ?? []), ...unsettledAt(reference, at)];
      return { axiom, model: { ...model, terms, groups, bases, axioms, unsettled } };
    });
}

interface Joined extends Pick<Model, 'terms' | 'groups'> {
  /** The index of a term of the second table in the joined one. */
  readonly at: (id: TermId) => TermId;
}

/** The terms of two models in one table. Terms that both have are there once. */
function append(first: Model, second: Model): Joined {
  const terms: Term[] = [...first.terms];
  const groups: RecGroup[] = [...first.groups];
  const known = new Map(terms.map((term, id) => [keyOf(term), id]));
  const places: TermId[] = [];
  const at = (id: TermId): TermId => places[id];
  const shift = first.groups.length;

  second.terms.forEach((term, id) => {
    const moved = move(term, at, shift);
    const key = keyOf(moved);
    if (!known.has(key)) known.set(key, terms.push(moved) - 1);
    places.push(known.get(key)!);
    // A group's own terms are new, so that they stay together.
    for (const { names, vars, bodies, start, end } of second.groups) {
      if (id !== end - 1) continue;
      groups.push({
        names,
        vars: vars.map(at),
        bodies: bodies.map(at),
        start: at(start),
        end: terms.length,
      });
    }
  });
  return { terms, groups, at };
}

function move(term: Term, at: (id: TermId) => TermId, shift: number): Term {
  if (term.op === 'rec' || term.op === 'fix') return { ...term, group: term.group + shift };
  return mapOperands(term, at);
}

const keyOf = (term: Term): string => Object.values(term).join(' ');
