import type { EventStructure } from '../../program/events/structure.js';
import type { Interpretation } from '../../model/interpret.js';
import type { AxiomPlan } from '../../model/automaton.js';
import { planAxioms } from '../../model/automaton.js';
import { interpret } from '../../model/interpret.js';
import { operandsOf } from '../../model/term.js';
import type { Model } from '../../model/term.js';
import type { BitRel, BitSet } from '../../model/relation/matrix.js';
import type { BaseBounds } from './base.js';
import { baseBounds } from './base.js';
import type { Bound } from './domain.js';
import { boundsDomain, presence } from './domain.js';
import { exclude } from './exclude.js';
import type { Product, ProductStep } from './product.js';
import { productOf, edgesOfProduct } from './product.js';
import { refineBounds } from './refine.js';
import { narrowedByAssumptions } from './assumed.js';
import { unsettledGuess } from './unsettled.js';
import { areMany, derivedValueSets, valueSets } from './values.js';

/** What is known of every execution of a program under a model before any solving. */
export interface Bounds {
  readonly base: BaseBounds;
  readonly terms: Interpretation<Bound<BitSet>, Bound<BitRel>>;
  /** The numbers that each symbolic value can be. */
  readonly values: readonly (readonly number[])[];
  /** How the axioms are checked; none without a model. */
  readonly plan: AxiomPlan;
  /** The graphs of the plan's acyclicity axioms. */
  readonly products: readonly Product[];
}

export type BoundsResult =
  | { readonly ok: true; readonly bounds: Bounds }
  | { readonly ok: false; readonly reason: string };

/**
 * Bounds of all values, base relations and terms. Without a model: of the program alone.
 * Fails, with the reason, where values cannot be bounded, or it is not settled what is guessed.
 */
export function computeBounds(structure: EventStructure, model: Model | undefined): BoundsResult {
  const present = presence(structure.events);
  const table = model ?? { terms: [], groups: [] };
  const { plan, steps } = planOf(model);
  let base = baseBounds(structure, present);
  const unsettled = model && unsettledGuess(structure, present, base);
  if (unsettled !== undefined) return { ok: false, reason: unsettled };
  const domain = boundsDomain(
    present,
    (name) => known(name, base.set(name)),
    (name) => base.relations.get(name) ?? base.fixed(name),
  );
  let terms = interpret(table, domain);
  let made: readonly Product[] = [];
  let areNarrow = false;
  /** Made when they are asked for, from those of wider bounds. */
  const products = (): readonly Product[] => {
    if (!areNarrow) made = steps.map((s, i) => productOf(s, terms, structure.events, made[i]));
    areNarrow = true;
    return made;
  };
  /** Takes up narrower bounds of base relations, if there are any. */
  const narrow = (found: ReadonlyMap<string, Bound<BitRel>>): boolean => {
    if (found.size === 0) return false;
    const { relations } = base;
    base = { ...base, relations: { get: (name) => found.get(name) ?? relations.get(name) } };
    const fixed = untouched(table, found);
    terms = interpret(table, domain, { has: (id) => fixed[id] === 1, from: terms });
    areNarrow = false;
    return true;
  };
  const numbers = (sets: typeof valueSets) => sets(structure, base.relations.get('rf')!.may);

  if (model !== undefined) {
    const assumed = narrowedByAssumptions(structure, base.relations.get('rf')!);
    narrow(new Map(assumed && [['rf', assumed]]));
  }
  if (model !== undefined && present.straight) {
    while (narrow(refineBounds(structure, model, products(), base, terms)));
  }
  let values = numbers(valueSets);
  if (areMany(values) && model !== undefined) {
    while (narrow(exclude(structure, model, base, terms)));
    values = numbers(valueSets);
  }
  if (areMany(values)) {
    const derived = numbers(derivedValueSets);
    if (derived.ok) values = derived;
  }
  if (!values.ok) return values;
  return { ok: true, bounds: { base, terms, values: values.sets, plan, products: products() } };
}

/** What of a model is the same for all programs. */
interface Planned {
  readonly plan: AxiomPlan;
  /** The steps of each automaton. */
  readonly steps: readonly (readonly ProductStep[])[];
}

const NOTHING: Planned = { plan: { acyclic: [], others: [] }, steps: [] };
const planned = new WeakMap<Model, Planned>();

/** The plan of a model, made once: a corpus asks for it for each of its tests. */
function planOf(model: Model | undefined): Planned {
  if (model === undefined) return NOTHING;
  const before = planned.get(model);
  if (before !== undefined) return before;
  const plan = planAxioms(model);
  const made = { plan, steps: plan.acyclic.map(({ automaton }) => edgesOfProduct(automaton)) };
  planned.set(model, made);
  return made;
}

/** Marks the terms that some base relations are not in. */
function untouched(
  { terms }: Pick<Model, 'terms'>,
  changed: ReadonlyMap<string, unknown>,
): Uint8Array {
  const fixed = new Uint8Array(terms.length);
  terms.forEach((term, id) => {
    const open =
      term.op === 'rec' ||
      term.op === 'fix' ||
      (term.op === 'base' && changed.has(term.name)) ||
      operandsOf(term).some((operand) => fixed[operand] === 0);
    fixed[id] = open ? 0 : 1;
  });
  return fixed;
}

function known<T>(name: string, found: T | undefined): T {
  if (found === undefined) throw new Error(`no bounds for '${name}'`);
  return found;
}
