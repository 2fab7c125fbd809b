import type { CostTable } from '../../model/operators/costs.js';
import { STEP, shortestPaths } from '../../model/operators/costs.js';
import type { Reasoning } from '../../model/operators/reasons.js';
import { CHEAPEST_REASONS } from '../../model/operators/reasons.js';
import type { Model, TermId } from '../../model/term.js';
import { hasOperands, operandsOf } from '../../model/term.js';
import type { ReasonCosts } from './cost.js';

/**
 * Why a pair of events is in a relation, or an event in a set: which pairs of the operands give it, down to base relations
 * and sets.
 */
export interface Derivation {
  readonly term: TermId;
  /** Positions among the events of the execution; the same twice for an event in a set. */
  readonly from: number;
  readonly to: number;
  /**
   * As the operator of `term` says (`CHEAPEST_REASONS`). Of a variable of `let rec` or its fixpoint: its body. The body costs less, and so
   * does each further round of a `let rec`, so that this ends. A base set or relation has no parts.
   */
  readonly parts: readonly Derivation[];
}

/** Cheapest reasons in one execution: with the fewest open facts, and among these with the fewest base edges. */
export interface Reasons {
  /** How much a reason costs; Infinity: the pair is not in the relation. */
  readonly cost: (term: TermId, from: number, to: number) => number;
  /** The same for an event and a set. */
  readonly memberCost: (term: TermId, event: number) => number;
  /** @throws Error if the pair is not in the relation */
  readonly derive: (term: TermId, from: number, to: number) => Derivation;
  /** Why an event is in a set. @throws Error if it is not */
  readonly deriveMember: (term: TermId, event: number) => Derivation;
  /** What a shortest path of one or more steps costs. */
  readonly distance: (term: TermId, from: number, to: number) => number;
  /** A shortest path of one or more steps of a relation, or undefined where there is none. */
  readonly path: (term: TermId, from: number, to: number) => readonly Derivation[] | undefined;
}

/** @param size how many events the execution has that the costs are of */
export function reasonsIn({ terms, groups }: Model, size: number, values: ReasonCosts): Reasons {
  const cost = (id: TermId, a: number, b: number): number => values.rel(id)[a * size + b];
  const memberCost = (id: TermId, a: number): number => values.set(id)[a];

  const derive = (id: TermId, from: number, to: number): Derivation => {
    const total = cost(id, from, to);
    if (total === Infinity) throw new Error(`no reason for a pair that is not there (term ${id})`);
    const of = (parts: readonly Derivation[]): Derivation => ({ term: id, from, to, parts });
    const term = terms[id];
    if (term.op === 'base') return of([]);
    if (term.op === 'fix' || term.op === 'rec')
      return of([derive(groups[term.group].bodies[term.index], from, to)]);
    const parts = hasOperands(term) ? CHEAPEST_REASONS[term.op].pair : undefined;
    if (parts === undefined) throw new Error(`no pair is in a term of '${term.op}'`);
    const [x, y] = operandsOf(term);
    return of(parts(reasoning, total, from, to, x, y));
  };

  const deriveMember = (id: TermId, event: number): Derivation => {
    const total = memberCost(id, event);
    if (total === Infinity)
      throw new Error(`no reason for an event that is not there (term ${id})`);
    const of = (parts: readonly Derivation[]): Derivation => ({
      term: id,
      from: event,
      to: event,
      parts,
    });
    const term = terms[id];
    if (term.op === 'base' || term.op === 'universe') return of([]);
    if (term.op === 'fix' || term.op === 'rec')
      return of([deriveMember(groups[term.group].bodies[term.index], event)]);
    const parts = hasOperands(term) ? CHEAPEST_REASONS[term.op].member : undefined;
    if (parts === undefined) throw new Error(`no event is in a term of '${term.op}'`);
    const [x, y] = operandsOf(term);
    return of(parts(reasoning, total, event, x, y));
  };

  const { distance, path } = shortestPathsIn(values, size, derive);
  const reasoning: Reasoning<Derivation> = {
    size,
    cost,
    memberCost,
    pair: derive,
    member: deriveMember,
    path: (id, from, to) => path(id, from, to)!,
  };
  return { cost, memberCost, derive, deriveMember, distance, path };
}

/** Shortest paths of the relations that are asked for, told step by step. */
function shortestPathsIn(
  values: ReasonCosts,
  size: number,
  derive: Reasons['derive'],
): Pick<Reasons, 'distance' | 'path'> {
  /** For each relation whose paths were asked for: the costs of the shortest paths, as for `plus`. */
  const lengths = new Map<TermId, CostTable>();
  const lengthsOf = (id: TermId): CostTable => {
    const known = lengths.get(id) ?? shortestPaths(values.rel(id), size);
    lengths.set(id, known);
    return known;
  };
  const path = (id: TermId, from: number, to: number): readonly Derivation[] | undefined => {
    const step = values.rel(id);
    const known = lengthsOf(id);
    if (known[from * size + to] === Infinity) return undefined;
    const steps: Derivation[] = [];
    for (let at = from; ;) {
      const left = known[at * size + to];
      // If the end can be reached in one step, this is the last step. Any other path costs more.
      if (step[at * size + to] + STEP === left) return [...steps, derive(id, at, to)];
      let next = 0;
      while (step[at * size + next] + STEP + known[next * size + to] !== left) next += 1;
      steps.push(derive(id, at, next));
      at = next;
    }
  };
  return { distance: (id, from, to) => lengthsOf(id)[from * size + to], path };
}
