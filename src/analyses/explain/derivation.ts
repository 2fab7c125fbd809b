import type { Model, TermId } from '../../model/term.js';
import type { CostTable, Costs } from './cost.js';
import { OPERATOR, STEP, shortestPaths } from './cost.js';

/**
 * Why a pair of events is in a relation, or an event in a set: which pairs of the operands give it, down to base relations
 * and sets. The operator of `term` decides which parts there are:
 *
 * - union: the cheapest operand. inter: both. seq: two parts, by way of the best event between them
 * - plus, star: one part for each step of a shortest path. star and opt from an event to itself: no part
 * - diff: the left operand. That the pair is not in the right one belongs to the reason, but is no part
 * - inverse: the pair the other way round. identity, domain, range: one part. product: two
 * - base, compl: no part
 * - fix, rec: the body. Each round of a `let rec` leads to lower costs, so that this ends
 */
export interface Derivation {
  readonly term: TermId;
  /** Positions among the events of the execution; the same twice for an event in a set. */
  readonly from: number;
  readonly to: number;
  readonly parts: readonly Derivation[];
}

/** Cheapest reasons in one execution: with the fewest open facts, and among these with the fewest base edges. */
export interface Reasons {
  /** How much a reason costs; Infinity: the pair is not in the relation. */
  readonly cost: (term: TermId, from: number, to: number) => number;
  /** The same for an event and a set. */
  readonly member: (term: TermId, event: number) => number;
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
export function reasonsIn({ terms, groups }: Model, size: number, values: Costs): Reasons {
  const cost = (id: TermId, a: number, b: number): number => values.rel(id)[a * size + b];
  const member = (id: TermId, a: number): number => values.set(id)[a];

  const derive = (id: TermId, from: number, to: number): Derivation => {
    const total = cost(id, from, to);
    if (total === Infinity) throw new Error(`no reason for a pair that is not there (term ${id})`);
    const of = (...parts: readonly Derivation[]): Derivation => ({ term: id, from, to, parts });
    const term = terms[id];
    switch (term.op) {
      case 'union': {
        const side = cost(term.left, from, to) + OPERATOR === total ? term.left : term.right;
        return of(derive(side, from, to));
      }
      case 'inter':
        return of(derive(term.left, from, to), derive(term.right, from, to));
      case 'diff':
        return of(derive(term.left, from, to));
      case 'seq':
        return of(...through(term.left, term.right, from, to, total));
      case 'product':
        return of(deriveMember(term.left, from), deriveMember(term.right, to));
      case 'inverse':
        return of(derive(term.arg, to, from));
      case 'identity':
        return of(deriveMember(term.arg, from));
      case 'opt':
        return from === to ? of() : of(derive(term.arg, from, to));
      case 'plus':
        return of(...path(term.arg, from, to)!);
      case 'star':
        return from === to ? of() : of(...path(term.arg, from, to)!);
      case 'fix':
      case 'rec':
        return of(derive(groups[term.group].bodies[term.index], from, to));
      case 'base':
      case 'compl':
        return of();
      case 'empty':
      case 'universe':
      case 'domain':
      case 'range':
        throw new Error(`no pair is in a term of '${term.op}'`);
    }
  };

  const through = (
    left: TermId,
    right: TermId,
    from: number,
    to: number,
    total: number,
  ): readonly Derivation[] => {
    for (let k = 0; k < size; k++) {
      if (cost(left, from, k) + cost(right, k, to) + STEP === total) {
        return [derive(left, from, k), derive(right, k, to)];
      }
    }
    throw new Error('a sequence without a middle');
  };

  const deriveMember = (id: TermId, event: number): Derivation => {
    const total = member(id, event);
    if (total === Infinity)
      throw new Error(`no reason for an event that is not there (term ${id})`);
    const of = (...parts: readonly Derivation[]): Derivation => ({
      term: id,
      from: event,
      to: event,
      parts,
    });
    const term = terms[id];
    switch (term.op) {
      case 'union': {
        const side = member(term.left, event) + OPERATOR === total ? term.left : term.right;
        return of(deriveMember(side, event));
      }
      case 'inter':
        return of(deriveMember(term.left, event), deriveMember(term.right, event));
      case 'diff':
        return of(deriveMember(term.left, event));
      case 'domain':
      case 'range': {
        const forth = term.op === 'domain';
        for (let other = 0; other < size; other++) {
          const [a, b] = forth ? [event, other] : [other, event];
          if (cost(term.arg, a, b) + OPERATOR === total) return of(derive(term.arg, a, b));
        }
        throw new Error('an end without an edge');
      }
      case 'fix':
      case 'rec':
        return of(deriveMember(groups[term.group].bodies[term.index], event));
      case 'base':
      case 'compl':
      case 'universe':
        return of();
      case 'empty':
      case 'seq':
      case 'product':
      case 'inverse':
      case 'plus':
      case 'star':
      case 'opt':
      case 'identity':
        throw new Error(`no event is in a term of '${term.op}'`);
    }
  };

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

  const distance = (id: TermId, from: number, to: number) => lengthsOf(id)[from * size + to];
  return { cost, member, derive, deriveMember, distance, path };
}
