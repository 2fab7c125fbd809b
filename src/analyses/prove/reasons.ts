import * as m from '../../model/relation/matrix.js';
import type { BitRel, BitSet } from '../../model/relation/matrix.js';
import type { Model, TermId } from '../../model/term.js';
import type { EventId } from '../../program/events/structure.js';
import type { Case } from '../../proof/case.js';
import type { Claim, CaseBounds } from '../../proof/contradiction.js';
import { cyclicPart } from '../../proof/contradiction.js';
import type { Reason } from '../../proof/proof.js';
import type { CostTable } from '../../model/operators/costs.js';
import { EDGE, OPERATOR } from '../../model/operators/costs.js';
import type { ReasonCosts } from '../explain/cost.js';
import { costsIn } from '../explain/cost.js';
import type { Derivation } from '../explain/derivation.js';
import { reasonsIn } from '../explain/derivation.js';

/**
 * Why each event of a contradiction is related to the next one, by the fewest base edges that are sure in the case. Undefined for
 * contradictions of other kinds, and for axioms about sets or about what is missing.
 *
 * @param one the case
 * @param relations what is sure in it
 */
export function derivationsIn(
  { model, open }: Claim,
  { kind, name, at }: Reason,
  one: Case,
  relations: CaseBounds,
): readonly Derivation[] | undefined {
  if (kind !== 'axiom') return undefined;
  const axiom = model.axioms.find((a) => a.name === name)!;
  if (axiom.negated || model.terms[axiom.term].kind === 'set') return undefined;
  // What is sure relates events that are executed for sure. In programs with branches, these are few, and costs are of all pairs.
  const executed = [...open.structure.events.keys()].filter((e) => one.executed(e) === true);
  const { length } = executed;
  const { derive } = reasonsIn(model, length, sureCosts(model, executed, relations));
  const term = cyclicPart(model, axiom) ?? axiom.term;
  const ends = axiom.test === 'empty' ? at.slice(0, 1) : at;
  const position = (event: EventId): number => executed.indexOf(event);
  const ofEvents = (d: Derivation): Derivation => ({
    ...d,
    from: executed[d.from],
    to: executed[d.to],
    parts: d.parts.map(ofEvents),
  });
  return ends.map((from, i) =>
    ofEvents(derive(term, position(from), position(at[(i + 1) % at.length]))),
  );
}

/**
 * The costs of what is sure in a case (cost.ts), over the positions of the events that are executed in it. A pair is surely in a
 * difference only if it is surely not in what is taken away. Costs are computed from lower bounds alone, so differences and
 * complements are read from the relations of the case.
 */
function sureCosts(model: Model, executed: readonly EventId[], relations: CaseBounds): ReasonCosts {
  const { terms } = model;
  const size = executed.length;
  const set = (id: TermId): BitSet => m.restrictSet(relations.set(id).low(), executed);
  const rel = (id: TermId): BitRel => m.restrict(relations.rel(id).low(), executed);
  const low = (name: string, kind: 'set' | 'rel'): TermId =>
    terms.findIndex((term) => term.op === 'base' && term.kind === kind && term.name === name);
  const sets = { get: (name: string): BitSet => set(low(name, 'set')) };
  const bases = { get: (name: string): BitRel => rel(low(name, 'rel')) };
  const isLess = (id: TermId): boolean => terms[id].op === 'diff' || terms[id].op === 'compl';
  const left = (id: TermId): TermId | undefined => {
    const term = terms[id];
    return term.op === 'diff' ? term.left : undefined;
  };
  const from: ReasonCosts = {
    set(id) {
      const [rest, all] = [left(id), set(id)];
      const before = rest === undefined ? undefined : costs.set(rest);
      return table(
        size,
        (e) => m.has(all, e),
        (e) => (before?.[e] ?? 0) + OPERATOR,
      );
    },
    rel(id) {
      const [rest, all] = [left(id), rel(id)];
      const before = rest === undefined ? undefined : costs.rel(rest);
      return table(
        size * size,
        (pair) => m.related(all, Math.floor(pair / size), pair % size),
        (pair) => (before?.[pair] ?? EDGE) + OPERATOR,
      );
    },
  };
  const costs: ReasonCosts = costsIn(model, { size, sets, relations: bases }, undefined, {
    has: isLess,
    from,
  });
  return costs;
}

/** A table with the costs of what is there, and Infinity for all else. */
const table = (
  length: number,
  isThere: (i: number) => boolean,
  cost: (i: number) => number,
): CostTable => Float64Array.from({ length }, (_, i) => (isThere(i) ? cost(i) : Infinity));
