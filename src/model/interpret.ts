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

/** The value of every term of a model: a set or a relation, as the kind of the term is. It is a bug to ask for the other. */
export interface Interpretation<S, R> {
  readonly set: (id: TermId) => S;
  readonly rel: (id: TermId) => R;
}

/** Values of terms that are known from before. */
export interface Inherited<S, R> {
  /** Which terms `from` is asked for. */
  readonly has: (id: TermId) => boolean;
  readonly from: Interpretation<S, R>;
}

/**
 * Interprets the terms of a model, each when it is first asked for. A `let rec` group is evaluated
 * from empty until nothing changes, which is its least fixpoint: bodies are monotone, the
 * elaborator sees to it.
 *
 * @throws whatever the domain throws for a base name it does not know
 */
export function interpret<S, R>(
  model: Pick<Model, 'terms' | 'groups'>,
  domain: Domain<S, R>,
  inherited?: Inherited<S, R>,
): Interpretation<S, R> {
  const interpreter = new Interpreter(model, domain, inherited);
  return { set: (id) => interpreter.set(id), rel: (id) => interpreter.rel(id) };
}

class Interpreter<S, R> {
  private readonly sets: S[];
  private readonly rels: R[];
  /** By term: 1 if it has its value, 0 if not. */
  private readonly known: Uint8Array;
  /** For each group that has been asked for: its terms that change while it is iterated. */
  private readonly varying = new Map<RecGroup, ReadonlySet<TermId>>();
  private readonly iterated = new Set<RecGroup>();

  constructor(
    private readonly model: Pick<Model, 'terms' | 'groups'>,
    private readonly domain: Domain<S, R>,
    private readonly inherited: Inherited<S, R> | undefined,
  ) {
    const { length } = model.terms;
    this.sets = new Array<S>(length);
    this.rels = new Array<R>(length);
    this.known = new Uint8Array(length);
  }

  set(id: TermId): S {
    this.need(id);
    return this.sets[id];
  }

  rel(id: TermId): R {
    this.need(id);
    return this.rels[id];
  }

  /** Makes sure that a term has its value. */
  private need(id: TermId): void {
    const { inherited, known } = this;
    if (known[id] === 1) return;
    const { terms, groups } = this.model;
    const term = terms[id];
    if (inherited?.has(id) === true) {
      if (term.kind === 'set') this.sets[id] = inherited.from.set(id);
      else this.rels[id] = inherited.from.rel(id);
    } else {
      const group =
        term.op === 'fix' ? groups[term.group] : groups.find((g) => this.varyingIn(g).has(id));
      if (group !== undefined && !this.iterated.has(group)) this.iterate(group);
      if (known[id] === 1) return;
      for (const operand of operandsOf(term)) this.need(operand);
      this.evaluate(id);
    }
    known[id] = 1;
  }

  private varyingIn(group: RecGroup): ReadonlySet<TermId> {
    const known = this.varying.get(group) ?? varyingIn(this.model.terms, group);
    this.varying.set(group, known);
    return known;
  }

  private evaluate(id: TermId): void {
    const { terms, groups } = this.model;
    const term = terms[id];
    if (term.op === 'fix') this.copy(groups[term.group].bodies[term.index], id);
    else if (term.op === 'rec') return;
    else if (term.kind === 'set') this.sets[id] = this.made(term) as S;
    else this.rels[id] = this.made(term) as R;
  }

  /** @param term no variable or fixpoint of `let rec` */
  private made(term: Exclude<Term, { op: 'rec' | 'fix' }>): S | R {
    const { domain } = this;
    if (hasOperands(term)) {
      const [a, b] = operandsOf(term);
      return functionOf(domain, term.op, term.kind)(this.value(a), this.value(b));
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

  private value(id: TermId): S | R {
    return this.model.terms[id]?.kind === 'set' ? this.sets[id] : this.rels[id];
  }

  /** Kleene iteration: the variables take their bodies' values until these stay the same. */
  private iterate(group: RecGroup): void {
    const { terms } = this.model;
    for (const variable of group.vars) {
      if (terms[variable].kind === 'set') this.sets[variable] = this.domain.emptySet();
      else this.rels[variable] = this.domain.emptyRel();
    }
    this.iterated.add(group);
    const varying = this.varyingIn(group);
    const asked = askedOf(terms, group).filter((id) => varying.has(id));
    for (const body of group.bodies) if (!varying.has(body)) this.need(body);
    for (const id of asked) {
      for (const operand of operandsOf(terms[id])) if (!varying.has(operand)) this.need(operand);
    }
    for (;;) {
      for (const id of asked) this.evaluate(id);
      if (group.vars.every((variable, i) => this.same(variable, group.bodies[i]))) break;
      group.vars.forEach((variable, i) => this.copy(group.bodies[i], variable));
    }
    for (const id of [...group.vars, ...asked]) this.known[id] = 1;
  }

  private same(a: TermId, b: TermId): boolean {
    const { sets, rels, domain } = this;
    return this.model.terms[a].kind === 'set'
      ? domain.equalSet(sets[a], sets[b])
      : domain.equalRel(rels[a], rels[b]);
  }

  private copy(from: TermId, to: TermId): void {
    if (this.model.terms[from].kind === 'set') this.sets[to] = this.sets[from];
    else this.rels[to] = this.rels[from];
  }
}

const within = (group: RecGroup, id: TermId): boolean => id >= group.start && id < group.end;

/** The terms of a group that are made of its variables. Others stand between them, and have their value at once. */
function varyingIn(terms: readonly Term[], group: RecGroup): ReadonlySet<TermId> {
  const varying = new Set<TermId>(group.vars);
  // Operands come before what is made of them.
  for (let id = group.start; id < group.end; id++) {
    if (operandsOf(terms[id]).some((operand) => varying.has(operand))) varying.add(id);
  }
  return varying;
}

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
