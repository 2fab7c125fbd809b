import { varyingIn } from '../../model/instructions/chosen.js';
import type { InstructionSet } from '../../model/instructions/set.js';
import type { Bounds } from '../../encode/bounds/bounds.js';
import type { Lit } from '../../encode/formula.js';
import type { Encoding } from '../../encode/encode.js';
import type { Event, EventId, EventStructure } from '../../program/events/structure.js';
import type { Axiom, Model } from '../../model/term.js';
import {
  has,
  isAcyclic,
  isEmpty,
  isIrreflexive,
  pairs,
  related,
} from '../../model/relation/matrix.js';
import type { Verified } from '../../check/witness/verify.js';
import type { Witness } from '../../check/witness/witness.js';
import type { Derivation } from './derivation.js';

/**
 * Something that an execution chooses. A list of facts describes all executions in which these are true, whatever else
 * they choose.
 */
export type Fact =
  /** The event is executed. */
  | { readonly kind: 'executed'; readonly event: EventId }
  /** The pair is in a base relation, or not. */
  | {
      readonly kind: 'pair';
      readonly relation: string;
      readonly from: EventId;
      readonly to: EventId;
      readonly holds: boolean;
    }
  | { readonly kind: 'choice'; readonly choice: number; readonly taken: boolean }
  | { readonly kind: 'read'; readonly event: EventId; readonly value: number };

/**
 * The facts that derivations depend on: in all executions in which they are true, the same pairs are in the same relations.
 * Undefined if this is not known: a pair must not be in some relation, and the bounds, which hold for all executions, do not
 * say that it never is.
 */
export function factsOf(
  model: Model,
  bounds: Bounds['terms'],
  events: readonly Event[],
  derivations: readonly Derivation[],
): readonly Fact[] | undefined {
  const facts = new Map<string, Fact>();
  const chosen = new Set(varyingIn(model.instructions));
  const add = (fact: Fact): void => void facts.set(factKey(fact), fact);
  let settled = true;

  const visit = ({ term: id, from, to, parts }: Derivation): void => {
    const term = model.terms[id];
    const [a, b] = [events[from].id, events[to].id];
    add({ kind: 'executed', event: a });
    add({ kind: 'executed', event: b });
    parts.forEach(visit);
    if (term.op === 'base' && chosen.has(term.name)) {
      add({ kind: 'pair', relation: term.name, from: a, to: b, holds: true });
    }
    if (term.op === 'diff') without(term.right, a, b);
    if (term.op === 'compl') without(term.arg, a, b);
  };

  const without = (id: number, a: EventId, b: EventId): void => {
    const term = model.terms[id];
    const possible =
      term.kind === 'set' ? has(bounds.set(id).may, a) : related(bounds.rel(id).may, a, b);
    if (!possible) return;
    const isChosen = term.op === 'base' && term.kind === 'rel' && chosen.has(term.name);
    if (isChosen) add({ kind: 'pair', relation: term.name, from: a, to: b, holds: false });
    else settled = false;
  };

  derivations.forEach(visit);
  return settled ? [...facts.values()] : undefined;
}

/** Is it a kind of fact that `factsIn` gives? */
export const isPositive = (fact: Fact): boolean =>
  fact.kind === 'executed' || (fact.kind === 'pair' && fact.holds);

/** The facts of an execution that derivations can rest on. */
export function factsIn(
  { events, execution }: Pick<Verified, 'events' | 'execution'>,
  instructions: InstructionSet,
): readonly Fact[] {
  return [
    ...events.map(({ id }): Fact => ({ kind: 'executed', event: id })),
    ...varyingIn(instructions).flatMap((relation) =>
      [...pairs(execution.relations.get(relation)!)].map(([a, b]): Fact => ({
        kind: 'pair',
        relation,
        from: events[a].id,
        to: events[b].id,
        holds: true,
      })),
    ),
  ];
}

/** Equal facts have equal keys. Written out, as explanations ask for millions of them. */
export function factKey(fact: Fact): string {
  switch (fact.kind) {
    case 'executed':
      return `executed ${fact.event}`;
    case 'pair':
      return `${fact.holds ? 'pair' : 'no pair'} ${fact.from} ${fact.to} ${fact.relation}`;
    case 'choice':
      return `choice ${fact.choice} ${fact.taken}`;
    case 'read':
      return `read ${fact.event} ${fact.value}`;
  }
}

/**
 * The same for a negated axiom that does not hold. If no execution has what the axiom asks for, this depends on no facts.
 * Otherwise it is not known.
 */
export function factsOfAbsence(
  model: Model,
  bounds: Bounds['terms'],
  { test, term }: Axiom,
): readonly Fact[] | undefined {
  if (model.terms[term].kind === 'set') return isEmpty(bounds.set(term).may) ? [] : undefined;
  const { may } = bounds.rel(term);
  const never = { empty: isEmpty, acyclic: isAcyclic, irreflexive: isIrreflexive }[test](may);
  return never ? [] : undefined;
}

/** All that one execution chooses: no other has these facts. */
export function factsOfWitness({ choices, rf, mo, guessed, reads }: Witness): readonly Fact[] {
  const chosen = { rf, mo, ...guessed };
  return [
    ...choices.map((c, choice): Fact => ({ kind: 'choice', choice, taken: c === 1 })),
    ...Object.entries(chosen).flatMap(([relation, of]) =>
      of.map(([from, to]): Fact => ({ kind: 'pair', relation, from, to, holds: true })),
    ),
    ...reads.map(([event, value]): Fact => ({ kind: 'read', event, value })),
  ];
}

/** The literal for a fact, in an encoding of the same program under any model. */
export function literalOf(structure: EventStructure, { base, values }: Encoding, fact: Fact): Lit {
  switch (fact.kind) {
    case 'executed':
      return base.executed(fact.event);
    case 'pair': {
      const lit = base.base(fact.relation, fact.from, fact.to);
      return fact.holds ? lit : -lit;
    }
    case 'choice':
      return fact.taken ? values.choices[fact.choice] : -values.choices[fact.choice];
    case 'read': {
      const id = structure.values.findIndex((v) => v.op === 'read' && v.event === fact.event);
      return values.is(id, fact.value);
    }
  }
}
