import { madeOf } from '../model/depends.js';
import { chosenIn } from '../model/instructions/chosen.js';
import type { Axiom, Model, Term, TermId } from '../model/term.js';
import { isReadsBefore } from './reach.js';

/**
 * The two layers of a model, where its axioms have the form that gives it a machine: each event is issued and observed, the issue
 * steps can be put in a total order by `issued`, and the observe steps by `observed`; at events of `inst` the two steps are one.
 */
export interface Layers {
  /** The operands of these unions: `(a, b)` in one of them means that a is issued, or observed, before b. */
  readonly issued: readonly TermId[];
  readonly observed: readonly TermId[];
  /** The events whose two steps are one; undefined: all events. */
  readonly inst: TermId | undefined;
  /**
   * Whether an axiom says that `issued` has no cycle. If not, that has to follow from the other one: a cycle through an event of `inst` is one of
   * `observed`, so that only the rest matters.
   */
  readonly isIssuedAcyclic: boolean;
  /** Axioms that something is empty, which do not order steps. */
  readonly checks: readonly Axiom[];
  /** Coherence, as a third axiom: it orders no steps, as two reads of one write may be performed in either order. It is checked on each run. */
  readonly coherence: Axiom | undefined;
}

/** What orders issue steps, or observe steps, and the events at which both are one. */
export type Layer = 'issued' | 'observed' | 'inst';

/** Why the axioms of a model do not have the form. */
export interface AxiomMisfit {
  readonly axiom?: Axiom;
  readonly message: string;
  readonly hint?: string;
}

const FORM =
  'a machine needs the acyclicity of `issued`, and of `observed | [Inst];issued+`: see docs/cat.md';

/**
 * The layers of a model.
 *
 * Forms that are taken: one acyclic relation (then each event is one step); Def. C.7 of the TSO paper, which `rdma-axioms.cat` has; Def. 4.4, whose third axiom
 * stands for `[Inst];ib` in the second; and Def. C.4, where `ib` and `ob` are defined by each other. That the last two are equivalent to the first
 * are Thms C.5 and C.6, whose proofs need nothing of what `issued` and `observed` are. Besides two layers that are joined, coherence is taken.
 */
export function layersOf(model: Model): Layers | AxiomMisfit {
  const all = model.axioms.filter(({ flag }) => !flag);
  const coherence = all.find((axiom) => isCoherence(model, axiom));
  if (coherence !== undefined) {
    const found = layersIn(
      model,
      all.filter((axiom) => axiom !== coherence),
    );
    if (!('message' in found) && found.inst !== undefined) return { ...found, coherence };
  }
  return layersIn(model, all);
}

/** Is it about reads-from, modification order, what reads come before, and what is given, and nothing else? */
function isCoherence(model: Model, { test, term, negated }: Axiom): boolean {
  if (test !== 'acyclic' || negated) return false;
  const { terms } = model;
  const chosen = madeOf(model, new Set(chosenIn(model.instructions)));
  const decided = unionOf(terms, term).filter((part) => chosen.has(part));
  const kinds = decided.map((part) => {
    const one = terms[part];
    if (one.op === 'base') return one.name;
    const before = one.op === 'diff' ? terms[one.left] : one;
    return isReadsBefore(before, terms) ? 'rb' : undefined;
  });
  return ['rf', 'mo', 'rb'].every((kind) => kinds.includes(kind)) && kinds.length === 3;
}

function layersIn(model: Model, axioms: readonly Axiom[]): Layers | AxiomMisfit {
  const negated = axioms.find((axiom) => axiom.negated);
  if (negated !== undefined) {
    return {
      axiom: negated,
      message: `axiom '${negated.name}' asks that something be so`,
      hint: FORM,
    };
  }
  const checks = axioms.filter(({ test }) => test === 'empty');
  const orders = axioms
    .filter(({ test }) => test !== 'empty')
    .map((axiom) => ({ axiom, ring: ringOf(model, axiom) }));
  const open = orders.find(({ ring }) => ring === undefined);
  if (open !== undefined) {
    const message = `axiom '${open.axiom.name}' is not about a transitive closure`;
    return {
      axiom: open.axiom,
      message,
      hint: 'acyclic r, or irreflexive r+, is an order of steps',
    };
  }
  if (orders.length === 0) return { message: 'no axiom orders events', hint: FORM };
  const found = matched(
    model,
    orders.map(({ axiom, ring }) => ({ axiom, ring: ring! })),
  );
  return 'message' in found ? found : { ...found, checks, coherence: undefined };
}

/** What an axiom says the acyclicity of: the operands of a union, or of a relation that is defined by another. */
interface Ring {
  readonly parts: readonly TermId[];
  /** The relation itself where it is transitive: `parts` closed. */
  readonly closed: TermId | undefined;
}

interface Order {
  readonly axiom: Axiom;
  readonly ring: Ring;
}

type Found = Omit<Layers, 'checks' | 'coherence'> | AxiomMisfit;

function ringOf(model: Model, { test, term }: Axiom): Ring | undefined {
  const closed = closureOf(model, term);
  if (closed !== undefined) return closed;
  return test === 'acyclic' ? { parts: unionOf(model.terms, term), closed: undefined } : undefined;
}

/** A transitive closure, also as a variable of `let rec` that is one. */
function closureOf(model: Model, id: TermId): Ring | undefined {
  const term = model.terms[id];
  if (term.op === 'fix') {
    const body = model.terms[model.groups[term.group].bodies[term.index]];
    return body.op === 'plus' ? { parts: unionOf(model.terms, body.arg), closed: id } : undefined;
  }
  return term.op === 'plus' ? { parts: unionOf(model.terms, term.arg), closed: id } : undefined;
}

/** The operands of a union of unions, in order; a term that is none is its only one. */
export function unionOf(terms: readonly Term[], id: TermId): readonly TermId[] {
  const term = terms[id];
  return term.op === 'union' ? [...unionOf(terms, term.left), ...unionOf(terms, term.right)] : [id];
}

function matched(model: Model, orders: readonly Order[]): Found {
  const joining = orders.find(({ ring }) =>
    ring.parts.some((part) => joint(model, part) !== undefined),
  );
  if (joining !== undefined) return joined(model, orders, joining);
  const third = orders.find(({ ring }) => linkOf(model, ring) !== undefined);
  if (third !== undefined) return linked(model, orders, third);
  if (orders.length > 1) {
    const { axiom } = orders[1];
    const message = `axiom '${axiom.name}' is an order that nothing joins to that of '${orders[0].axiom.name}'`;
    return { axiom, message, hint: FORM };
  }
  const { parts } = orders[0].ring;
  return { issued: parts, observed: parts, inst: undefined, isIssuedAcyclic: true };
}

/** `[I] ; r+` as an operand: what is joined. */
interface Joint {
  readonly inst: TermId;
  readonly order: Ring;
}

function joint(model: Model, id: TermId): Joint | undefined {
  const term = model.terms[id];
  if (term.op !== 'seq') return undefined;
  const left = model.terms[term.left];
  if (left.op !== 'identity') return undefined;
  const order = closureOf(model, term.right) ?? variable(model, term.right);
  return order && { inst: left.arg, order };
}

/** A variable of `let rec`, in its own definition: the closure that it stands for. */
function variable(model: Model, id: TermId): Ring | undefined {
  const term = model.terms[id];
  if (term.op !== 'rec') return undefined;
  const body = model.terms[model.groups[term.group].bodies[term.index]];
  return body.op === 'plus' ? { parts: unionOf(model.terms, body.arg), closed: id } : undefined;
}

/** Def. C.7, and Def. C.4: one of the orders has `[Inst];ib` in it. */
function joined(model: Model, orders: readonly Order[], { axiom, ring }: Order): Found {
  const joints = ring.parts.flatMap((part) => joint(model, part) ?? []);
  const [{ inst, order }] = joints;
  if (joints.length > 1) {
    return { axiom, message: `axiom '${axiom.name}' joins several orders`, hint: FORM };
  }
  const observed = ring.parts.filter((part) => joint(model, part) === undefined);
  // Where the two are defined by each other, `ob;[Inst]` is in the one that is joined.
  const issued = order.parts.filter((part) => !isMirrored(model, part, inst));
  const isTheOther = (other: Order): boolean =>
    other.ring.parts.length === order.parts.length &&
    other.ring.parts.every((part, i) => part === order.parts[i]);
  const others = orders.filter((one) => one.axiom !== axiom);
  const foreign = others.find((other) => !isTheOther(other));
  if (foreign !== undefined) {
    const message = `axiom '${foreign.axiom.name}' is a third order`;
    return { axiom: foreign.axiom, message, hint: FORM };
  }
  return { issued, observed, inst, isIssuedAcyclic: others.length > 0 };
}

/** Is it `ob ; [Inst]`, with a variable of `let rec`? */
function isMirrored(model: Model, id: TermId, inst: TermId): boolean {
  const term = model.terms[id];
  if (term.op !== 'seq') return false;
  const right = model.terms[term.right];
  return right.op === 'identity' && right.arg === inst && variable(model, term.left) !== undefined;
}

/** Of `([I] ; ib ; ob)+`: the set and the two closures. */
function linkOf(model: Model, { parts }: Ring) {
  if (parts.length !== 1) return undefined;
  const factors = factorsOf(model.terms, parts[0]);
  if (factors.length !== 3) return undefined;
  const first = model.terms[factors[0]];
  if (first.op !== 'identity') return undefined;
  const [ib, ob] = factors.slice(1).map((id) => closureOf(model, id));
  return ib && ob && { inst: first.arg, ib, ob };
}

function factorsOf(terms: readonly Term[], id: TermId): readonly TermId[] {
  const term = terms[id];
  return term.op === 'seq'
    ? [...factorsOf(terms, term.left), ...factorsOf(terms, term.right)]
    : [id];
}

/** Def. 4.4: two orders, and a third axiom that says what joins them. */
function linked(model: Model, orders: readonly Order[], third: Order): Found {
  const { inst, ib, ob } = linkOf(model, third.ring)!;
  const has = (ring: Ring): boolean => orders.some((one) => one.ring.closed === ring.closed);
  const foreign = orders.find(
    (one) => one !== third && one.ring.closed !== ib.closed && one.ring.closed !== ob.closed,
  );
  if (foreign !== undefined) {
    const { axiom } = foreign;
    return { axiom, message: `axiom '${axiom.name}' is a third order`, hint: FORM };
  }
  if (!has(ib) || !has(ob)) {
    const { axiom } = third;
    const message = `axiom '${axiom.name}' joins two orders, and no axiom says that they have no cycle`;
    return { axiom, message, hint: FORM };
  }
  return { issued: ib.parts, observed: ob.parts, inst, isIssuedAcyclic: true };
}
