import type { OperatorFunctions } from './operators/operations.js';
import { functionOf } from './operators/operations.js';
import type { Model, RecGroup, Term, TermId } from './term.js';
import { hasOperands, operandsOf } from './term.js';

/**
 * What a model is interpreted in: sets `S`, relations `R` and one method for each operator. Equality
 * serves the fixpoints of `let rec`.
 */
export interface Domain<S, R> extends OperatorFunctions<S, R> {
  baseSet(name: string): S;
  baseRel(name: string): R;
  emptySet(): S;
  emptyRel(): R;
  universe(): S;

  equalSet(a: S, b: S): boolean;
  equalRel(a: R, b: R): boolean;
}

/** The value of every term of a model. Asking for the wrong kind of a term is a bug. */
export interface Interpretation<S, R> {
  readonly set: (id: TermId) => S;
  readonly rel: (id: TermId) => R;
}

/**
 * Interprets the terms of a model, each when it is first asked for. A `let rec` group is evaluated
 * from empty until nothing changes, which is its least fixpoint: bodies are monotone, the
 * elaborator sees to it.
 *
 * @param inherited values known from before: `has` tells which terms `from` is asked for
 * @throws whatever the domain throws for a base name it does not know
 */
export function interpret<S, R>(
  model: Pick<Model, 'terms' | 'groups'>,
  domain: Domain<S, R>,
  inherited?: {
    readonly has: (id: TermId) => boolean;
    readonly from: Interpretation<S, R>;
  },
): Interpretation<S, R> {
  const { terms, groups } = model;
  const sets: S[] = new Array<S>(terms.length);
  const rels: R[] = new Array<R>(terms.length);
  const known = new Uint8Array(terms.length);

  return {
    set: (id) => {
      need(id);
      return sets[id];
    },
    rel: (id) => {
      need(id);
      return rels[id];
    },
  };

  /** Makes sure that a term has its value. */
  function need(id: TermId): void {
    if (known[id] === 1) return;
    const term = terms[id];
    if (inherited?.has(id) === true) {
      if (term.kind === 'set') sets[id] = inherited.from.set(id);
      else rels[id] = inherited.from.rel(id);
    } else {
      const group = term.op === 'fix' ? groups[term.group] : groups.find((g) => within(g, id));
      if (group !== undefined && known[group.start] === 0) iterate(group);
      if (known[id] === 1) return;
      operandsOf(term).forEach(need);
      evaluate(id);
    }
    known[id] = 1;
  }

  function evaluate(id: TermId): void {
    const term = terms[id];
    if (term.op === 'fix') copy(groups[term.group].bodies[term.index], id);
    else if (term.op === 'rec') return;
    else if (term.kind === 'set') sets[id] = value(term) as S;
    else rels[id] = value(term) as R;
  }

  /** @param term no variable or fixpoint of `let rec` */
  function value(term: Exclude<Term, { op: 'rec' | 'fix' }>): S | R {
    if (hasOperands(term)) {
      const [a, b] = operandsOf(term);
      return functionOf(domain, term.op, term.kind)(valueOf(a), valueOf(b));
    }
    switch (term.op) {
      case 'base':
        return term.kind === 'set' ? domain.baseSet(term.name) : domain.baseRel(term.name);
      case 'empty':
        return term.kind === 'set' ? domain.emptySet() : domain.emptyRel();
      case 'universe':
        return domain.universe();
    }
  }

  function valueOf(id: TermId): S | R {
    return terms[id]?.kind === 'set' ? sets[id] : rels[id];
  }

  /** Kleene iteration: the variables take their bodies' values until these stay the same. */
  function iterate(group: RecGroup): void {
    for (const variable of group.vars) {
      if (terms[variable].kind === 'set') sets[variable] = domain.emptySet();
      else rels[variable] = domain.emptyRel();
    }
    const asked = askedOf(terms, group);
    for (const body of group.bodies) if (!within(group, body)) need(body);
    for (const id of asked) {
      for (const operand of operandsOf(terms[id])) if (!within(group, operand)) need(operand);
    }
    for (;;) {
      asked.forEach(evaluate);
      if (group.vars.every((variable, i) => same(variable, group.bodies[i]))) break;
      group.vars.forEach((variable, i) => copy(group.bodies[i], variable));
    }
    for (const id of [...group.vars, ...asked]) known[id] = 1;
  }

  function same(a: TermId, b: TermId): boolean {
    return terms[a].kind === 'set'
      ? domain.equalSet(sets[a], sets[b])
      : domain.equalRel(rels[a], rels[b]);
  }

  function copy(from: TermId, to: TermId): void {
    if (terms[from].kind === 'set') sets[to] = sets[from];
    else rels[to] = rels[from];
  }
}

const within = (group: RecGroup, id: TermId): boolean => id >= group.start && id < group.end;

/**
 * The terms of a group that its bodies are made of, in order. A model without what is empty has others between them, whose
 * bases may have no value.
 */
export function askedOf(terms: readonly Term[], group: RecGroup): readonly TermId[] {
  const asked = new Set<TermId>();
  const pending = group.bodies.filter((id) => within(group, id));
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (asked.has(id)) continue;
    asked.add(id);
    pending.push(...operandsOf(terms[id]).filter((operand) => within(group, operand)));
  }
  return [...asked].sort((a, b) => a - b);
}
