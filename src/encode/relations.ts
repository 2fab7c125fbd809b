import type { Bound } from './bounds/domain.js';
import type { Interpretation } from '../model/interpret.js';
import type { Model, Term, TermId } from '../model/term.js';
import { hasOperands, operandsOf } from '../model/term.js';
import type { Points } from '../model/operators/points.js';
import { POINTS } from '../model/operators/points.js';
import type { BitRel, BitSet } from '../model/relation/matrix.js';
import { has, inverse, related, successors } from '../model/relation/matrix.js';
import type { Formula, Lit } from './formula.js';
import { FALSE, TRUE } from './formula.js';

/**
 * The interpreter that gives literals: for a term and a pair of events, when is the pair in the
 * relation? A literal is true only if its events are executed. Literals are made on demand; pairs
 * outside the bounds cost nothing.
 */
export interface Literals {
  pair(term: TermId, a: number, b: number): Lit;
  member(term: TermId, a: number): Lit;
  /** Whether some relation is bounded from below only, so that answers are just candidates. */
  isApproximate(): boolean;
}

export interface LiteralInput {
  readonly model: Pick<Model, 'terms' | 'groups'>;
  readonly bounds: Interpretation<Bound<BitSet>, Bound<BitRel>>;
  readonly formula: Formula;
  readonly size: number;
  /** When is an event executed? */
  readonly executed: (event: number) => Lit;
  /** When is a pair in a base relation that the program does not fix (`rf`, `mo`, `nfo`, `pf`)? */
  readonly base: (name: string, a: number, b: number) => Lit;
}

export function createLiterals(input: LiteralInput): Literals {
  const { model, bounds, formula, size, executed, base } = input;
  const { terms, groups } = model;
  const { and, or } = formula;
  const pairMemo = terms.map(() => new Map<number, Lit>());
  const memberMemo = terms.map(() => new Map<number, Lit>());
  const columnMemo = new Map<TermId, BitRel>();

  /** The transposed upper bound of a relation, to find predecessors. */
  const columns = (id: TermId): BitRel => {
    const known = columnMemo.get(id);
    if (known !== undefined) return known;
    const made = inverse(bounds.rel(id).may);
    columnMemo.set(id, made);
    return made;
  };

  const member = (id: TermId, a: number): Lit => {
    const bound = bounds.set(id);
    if (!has(bound.may, a)) return FALSE;
    if (has(bound.must, a)) return executed(a);
    return memoised(memberMemo[id], a, () => membership(id, a));
  };

  const membership = (id: TermId, a: number): Lit => {
    const term = terms[id];
    if (term.op === 'rec' || term.op === 'fix') return recursive(term, (body) => member(body, a));
    const holds = hasOperands(term) ? POINTS[term.op].member : undefined;
    // The bounds of all other sets are exact.
    if (holds === undefined) throw new Error(`no literal for the set '${term.op}'`);
    const [x, y] = operandsOf(term);
    return holds(points, a, x, y);
  };

  const pair = (id: TermId, a: number, b: number): Lit => {
    const bound = bounds.rel(id);
    if (!related(bound.may, a, b)) return FALSE;
    if (related(bound.must, a, b)) {
      const [first, second] = [executed(a), executed(b)];
      return first === TRUE ? second : and(first, second);
    }
    return memoised(pairMemo[id], a * size + b, () => membershipOfPair(id, a, b));
  };

  const membershipOfPair = (id: TermId, a: number, b: number): Lit => {
    const term = terms[id];
    if (term.op === 'base') return base(term.name, a, b);
    if (term.op === 'rec' || term.op === 'fix') return recursive(term, (body) => pair(body, a, b));
    const holds = hasOperands(term) ? POINTS[term.op].pair : undefined;
    if (holds === undefined) throw new Error(`no literal for the relation '${term.op}'`);
    const [x, y] = operandsOf(term);
    return holds(points, a, b, x, y);
  };

  /** The ways from a to b over one event in between. */
  const through = (left: TermId, right: TermId, a: number, b: number): Lit => {
    const ways: Lit[] = [];
    for (const c of successors(bounds.rel(left).may, a)) {
      const second = pair(right, c, b);
      if (second !== FALSE) ways.push(and(pair(left, a, c), second));
    }
    return or(...ways);
  };

  const closures = new Map<TermId, (a: number, b: number) => Lit>();

  /** `r+`: from below by one-step induction, from above by iterated squaring. */
  const closure = (arg: TermId, a: number, b: number): Lit => {
    let of = closures.get(arg);
    if (of === undefined) closures.set(arg, (of = closureOf(arg)));
    return of(a, b);
  };

  const closureOf = (arg: TermId) => {
    const step = bounds.rel(arg).may;
    const before = columns(arg);
    const known = new Map<number, Lit>();
    const squares = new Map<string, Lit>();

    /** Is there a path of at most 2^level steps? */
    const reach = (level: number, a: number, b: number): Lit => {
      if (level === 0) return pair(arg, a, b);
      return memoised(squares, `${level} ${a} ${b}`, () => {
        const ways = [reach(level - 1, a, b)];
        for (let c = 0; c < size; c++) {
          const first = reach(level - 1, a, c);
          if (first !== FALSE) ways.push(and(first, reach(level - 1, c, b)));
        }
        return or(...ways);
      });
    };

    const lit = (a: number, b: number): Lit =>
      memoised(known, a * size + b, () =>
        formula.lazy(
          (self) => {
            if (related(step, a, b)) formula.assert(-pair(arg, a, b), self);
            for (const c of successors(before, b)) {
              const last = pair(arg, c, b);
              if (last !== FALSE) formula.assert(-lit(a, c), -last, self);
            }
          },
          () => reach(Math.ceil(Math.log2(Math.max(2, size))), a, b),
        ),
      );
    return lit;
  };

  /**
   * A variable of `let rec`, or its fixpoint. From below: whatever the body gives, the variable
   * has, so it holds at least the least fixpoint, which is all that matters under `acyclic` and
   * its like. From above nothing is asserted, but noted: then an answer of the solver is only a
   * candidate, which the concrete evaluator accepts or refutes.
   */
  const recursive = (
    term: Extract<Term, { op: 'rec' | 'fix' }>,
    at: (body: TermId) => Lit,
  ): Lit => {
    const group = groups[term.group];
    if (term.op === 'fix') return at(group.vars[term.index]);
    return formula.lazy(
      (self) => formula.assert(-at(group.bodies[term.index]), self),
      () => {
        approximate = true;
        return TRUE;
      },
    );
  };
  let approximate = false;

  const points: Points<Lit> = {
    and,
    or,
    not: (one) => -one,
    executed,
    member,
    pair,
    through,
    path: closure,
    after: (rel, a) => successors(bounds.rel(rel).may, a),
    before: (rel, b) => successors(columns(rel), b),
  };

  return {
    pair,
    member,
    isApproximate: () => approximate,
  };
}

function memoised<K>(memo: Map<K, Lit>, key: K, make: () => Lit): Lit {
  const known = memo.get(key);
  if (known !== undefined) return known;
  const made = make();
  memo.set(key, made);
  return made;
}
