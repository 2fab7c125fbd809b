import type { Model, RecGroup, Term, TermId } from './term.js';

/**
 * What a model is interpreted in: sets `S`, relations `R` and one method for each operator of
 * `term.ts`. Equality serves the fixpoints of `let rec`.
 */
export interface Domain<S, R> {
  baseSet(name: string): S;
  baseRel(name: string): R;
  emptySet(): S;
  emptyRel(): R;
  universe(): S;

  unionSet(a: S, b: S): S;
  interSet(a: S, b: S): S;
  diffSet(a: S, b: S): S;
  complSet(a: S): S;

  unionRel(a: R, b: R): R;
  interRel(a: R, b: R): R;
  diffRel(a: R, b: R): R;
  complRel(a: R): R;

  seq(a: R, b: R): R;
  product(a: S, b: S): R;
  inverse(a: R): R;
  plus(a: R): R;
  star(a: R): R;
  opt(a: R): R;
  identity(a: S): R;
  domain(a: R): S;
  range(a: R): S;

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
    else if (term.kind === 'set') sets[id] = setValue(domain, term, sets, rels);
    else rels[id] = relValue(domain, term, sets, rels);
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

/** The terms that a term is made of. */
export function operandsOf(term: Term): readonly TermId[] {
  if ('left' in term) return [term.left, term.right];
  return 'arg' in term ? [term.arg] : [];
}

/** A term other than a variable or fixpoint of `let rec`. */
type PlainTerm = Exclude<Term, { op: 'rec' | 'fix' }>;

function setValue<S, R>(domain: Domain<S, R>, term: PlainTerm, sets: S[], rels: R[]): S {
  switch (term.op) {
    case 'base':
      return domain.baseSet(term.name);
    case 'empty':
      return domain.emptySet();
    case 'universe':
      return domain.universe();
    case 'union':
      return domain.unionSet(sets[term.left], sets[term.right]);
    case 'inter':
      return domain.interSet(sets[term.left], sets[term.right]);
    case 'diff':
      return domain.diffSet(sets[term.left], sets[term.right]);
    case 'compl':
      return domain.complSet(sets[term.arg]);
    case 'domain':
      return domain.domain(rels[term.arg]);
    case 'range':
      return domain.range(rels[term.arg]);
    case 'seq':
    case 'product':
    case 'identity':
    case 'inverse':
    case 'plus':
    case 'star':
    case 'opt':
      throw new Error(`'${term.op}' does not make a set`);
  }
}

function relValue<S, R>(domain: Domain<S, R>, term: PlainTerm, sets: S[], rels: R[]): R {
  switch (term.op) {
    case 'base':
      return domain.baseRel(term.name);
    case 'empty':
      return domain.emptyRel();
    case 'union':
      return domain.unionRel(rels[term.left], rels[term.right]);
    case 'inter':
      return domain.interRel(rels[term.left], rels[term.right]);
    case 'diff':
      return domain.diffRel(rels[term.left], rels[term.right]);
    case 'seq':
      return domain.seq(rels[term.left], rels[term.right]);
    case 'product':
      return domain.product(sets[term.left], sets[term.right]);
    case 'identity':
      return domain.identity(sets[term.arg]);
    case 'compl':
      return domain.complRel(rels[term.arg]);
    case 'inverse':
    case 'plus':
    case 'star':
    case 'opt':
      return domain[term.op](rels[term.arg]);
    case 'universe':
    case 'domain':
    case 'range':
      throw new Error(`'${term.op}' does not make a relation`);
  }
}
