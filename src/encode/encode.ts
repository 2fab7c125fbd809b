import type { Bounds } from './bounds/bounds.js';
import type { Product } from './bounds/product.js';
import { isBase } from './bounds/refine.js';
import type { EventStructure } from '../program/events/structure.js';
import { isWrite } from '../program/events/structure.js';
import { cyclicTerm } from '../model/automaton.js';
import type { Axiom, Model } from '../model/term.js';
import type { Proposition, Subject } from '../program/program.js';
import { elements, pairs } from '../model/relation/matrix.js';
import { assertAcyclic } from './acyclic.js';
import { ELIMINATION } from './acyclicity/choice.js';
import type { Cycles, NoCycle } from './acyclicity/no-cycle.js';
import type { BaseLiterals } from './base.js';
import { encodeBase } from './base.js';
import { assertCyclic } from './cyclic.js';
import type { Formula, Lit, ClauseSink } from './formula.js';
import { FALSE, TRUE, createFormula } from './formula.js';
import type { Literals } from './relations.js';
import { createLiterals } from './relations.js';
import { createSources } from './sources.js';
import { createSplits } from './split.js';
import type { ValueLiterals } from './values.js';
import { createValueLiterals } from './values.js';

/**
 * A program under a model as clauses: their solutions are the consistent executions that end within
 * the bound. Queries come on top, as literals to assume.
 */
export interface Encoding {
  readonly formula: Formula;
  readonly values: ValueLiterals;
  readonly base: BaseLiterals;
  /** When does a proposition about final values hold? */
  condition(proposition: Proposition): Lit;
  /** The possible final values of a subject, and when it has each. */
  finalValues(subject: Subject): ReadonlyMap<number, Lit>;
  /** When is something divided by zero? Such runs have no meaning: assume the negation. */
  readonly dividesByZero: Lit;
  /** Whether solutions are candidates only, which the concrete evaluator may still refute. */
  isApproximate(): boolean;
}

/**
 * Encodes an unrolled program under a model; without a model, its well-formed executions.
 *
 * @param cycles how acyclicity is encoded (`cyclesFor` in `acyclicity/choice.ts`)
 */
export function encode(
  structure: EventStructure,
  bounds: Bounds,
  model: Model | undefined,
  sink: ClauseSink,
  cycles: Cycles = ELIMINATION,
): Encoding {
  const formula = createFormula(sink);
  const sources = createSources(bounds.base.relations.get('rf')!.may, formula);
  const values = createValueLiterals(structure, bounds.values, formula, sources);
  const order = (name: string): NoCycle | undefined =>
    model !== undefined && isKept(name, model, bounds.products) ? undefined : cycles.order;
  const base = encodeBase(structure, bounds.base, sources, values, formula, order);
  for (const { path, condition } of structure.constraints) {
    formula.assert(-values.path(path), values.truth(condition));
  }
  for (const cut of structure.cuts) formula.assert(-values.path(cut.path));
  const faults = structure.divisions.map(({ path, condition }) =>
    formula.and(values.path(path), values.is(condition, 0)),
  );
  const literals =
    model === undefined
      ? undefined
      : encodeModel(structure, bounds, model, base, formula, cycles.graph);
  const finalValues = (subject: Subject): ReadonlyMap<number, Lit> =>
    subject.kind === 'register'
      ? values.cases(structure.registers[subject.thread][subject.register])
      : finalMemory(structure, subject.location, values, base, formula);
  return {
    formula,
    values,
    base,
    condition: (proposition) => holds(proposition, finalValues, formula),
    finalValues,
    dividesByZero: formula.or(...faults),
    isApproximate: () => literals?.isApproximate() ?? false,
  };
}

/** When does a proposition about final values hold? */
function holds(p: Proposition, finalValues: Encoding['finalValues'], formula: Formula): Lit {
  const condition = (inner: Proposition): Lit => holds(inner, finalValues, formula);
  switch (p.kind) {
    case 'true':
      return TRUE;
    case 'not':
      return -condition(p.arg);
    case 'and':
      return formula.and(condition(p.left), condition(p.right));
    case 'or':
      return formula.or(condition(p.left), condition(p.right));
    case 'atom': {
      const left = finalValues(p.left);
      const right =
        p.right.kind === 'int' ? new Map([[p.right.value, TRUE]]) : finalValues(p.right);
      const same = [...left].map(([n, lit]) => formula.and(lit, right.get(n) ?? FALSE));
      return p.equal ? formula.or(...same) : -formula.or(...same);
    }
  }
}

/**
 * Does some axiom keep a base relation without cycles already? It does where the relation is a step of the axiom's automaton from
 * a state to itself, whatever else is chosen.
 */
function isKept(name: string, model: Model, products: readonly Product[]): boolean {
  return products.some(({ steps }) =>
    steps.some(
      ({ from, to, before, after, terms }) =>
        from === to &&
        before.length + after.length === 0 &&
        terms.some((term) => isBase(model, term, name)),
    ),
  );
}

/** The final value of a location is that of its last write in modification order, or if there is none, the initial one. */
function finalMemory(
  structure: EventStructure,
  location: number,
  values: ValueLiterals,
  base: BaseLiterals,
  formula: Formula,
): ReadonlyMap<number, Lit> {
  const writes = structure.events.filter((e) => isWrite(e) && e.location === location);
  // Cells of objects may have no initial write, and other writes may be on paths that are not taken.
  const { initial } = structure.program.locations[location];
  const cases = new Map([[initial, formula.and(...writes.map((w) => -base.executed(w.id)))]]);
  for (const w of writes) {
    const last = base.last(w.id);
    for (const [n, is] of values.cases(w.value!)) {
      cases.set(n, formula.or(cases.get(n) ?? FALSE, formula.and(last, is)));
    }
  }
  return cases;
}

/** Asserts a model's axioms; gives the literals of its relations. */
function encodeModel(
  structure: EventStructure,
  bounds: Bounds,
  model: Model,
  { executed, base }: BaseLiterals,
  formula: Formula,
  noCycle: NoCycle,
): Literals {
  const size = structure.events.length;
  const literals = createLiterals({
    model,
    bounds: bounds.terms,
    formula,
    size,
    executed,
    base,
  });
  const splits = createSplits(model, bounds.terms, literals);
  bounds.products.forEach((product, i) => {
    const { name } = bounds.plan.acyclic[i].axiom;
    assertAcyclic(product, { literals, splits, formula }, name, noCycle);
  });
  for (const axiom of bounds.plan.others) {
    const cyclic = axiom.negated ? cyclicTerm(model, axiom) : undefined;
    if (cyclic !== undefined) {
      assertCyclic(cyclic, bounds.terms.rel(cyclic).may, literals, formula);
      continue;
    }
    const offending = offenders(model, bounds, axiom, literals, size);
    if (axiom.negated) formula.assert(...offending);
    else for (const lit of offending) formula.assert(-lit);
  }
  return literals;
}

/** What an axiom is about: each literal that is true is one reason why the plain test fails. */
function offenders(
  model: Model,
  bounds: Bounds,
  axiom: Axiom,
  literals: Literals,
  size: number,
): Lit[] {
  const { term } = axiom;
  if (axiom.test === 'empty' && model.terms[term].kind === 'set') {
    return [...elements(bounds.terms.set(term).may)].map((e) => literals.member(term, e));
  }
  const { may } = bounds.terms.rel(term);
  if (axiom.test === 'empty') return [...pairs(may)].map(([a, b]) => literals.pair(term, a, b));
  return [...Array(size).keys()].map((e) => literals.pair(term, e, e));
}
