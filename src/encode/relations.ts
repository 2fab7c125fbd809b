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
  /** When is a pair in a base relation that executions choose, such as `rf`? */
  readonly base: (name: string, a: number, b: number) => Lit;
}

export function createLiterals(input: LiteralInput): Literals {
  const literals = new RelationLiterals(input);
  return {
    pair: (term, a, b) => literals.pair(term, a, b),
    member: (term, a) => literals.member(term, a),
    isApproximate: () => literals.approximate,
  };
}

class RelationLiterals implements Points<Lit> {
  readonly and: Formula['and'];
  readonly or: Formula['or'];
  readonly executed: LiteralInput['executed'];
  private readonly pairMemo: readonly Map<number, Lit>[];
  private readonly memberMemo: readonly Map<number, Lit>[];
  private readonly columnMemo = new Map<TermId, BitRel>();
  private readonly closures = new Map<TermId, Closure>();
  /** Is something asserted from below only, so that answers are just candidates? */
  approximate = false;

  constructor(private readonly input: LiteralInput) {
    const { model, formula, executed } = input;
    this.and = formula.and;
    this.or = formula.or;
    this.executed = executed;
    this.pairMemo = model.terms.map(() => new Map<number, Lit>());
    this.memberMemo = model.terms.map(() => new Map<number, Lit>());
  }

  member(id: TermId, a: number): Lit {
    const bound = this.input.bounds.set(id);
    if (!has(bound.may, a)) return FALSE;
    if (has(bound.must, a)) return this.executed(a);
    return memoised(this.memberMemo[id], a, () => this.openMember(id, a));
  }

  /** Of an event that the bounds leave open. */
  private openMember(id: TermId, a: number): Lit {
    const term = this.input.model.terms[id];
    if (term.op === 'rec' || term.op === 'fix')
      return this.recursive(term, (body) => this.member(body, a));
    const holds = hasOperands(term) ? POINTS[term.op].member : undefined;
    // The bounds of all other sets are exact.
    if (holds === undefined) throw new Error(`no literal for the set '${term.op}'`);
    const [x, y] = operandsOf(term);
    return holds(this, a, x, y);
  }

  pair(id: TermId, a: number, b: number): Lit {
    const bound = this.input.bounds.rel(id);
    if (!related(bound.may, a, b)) return FALSE;
    if (related(bound.must, a, b)) {
      const [first, second] = [this.executed(a), this.executed(b)];
      return first === TRUE ? second : this.and(first, second);
    }
    return memoised(this.pairMemo[id], a * this.input.size + b, () => this.openPair(id, a, b));
  }

  /** Of a pair that the bounds leave open. */
  private openPair(id: TermId, a: number, b: number): Lit {
    const term = this.input.model.terms[id];
    if (term.op === 'base') return this.input.base(term.name, a, b);
    if (term.op === 'rec' || term.op === 'fix')
      return this.recursive(term, (body) => this.pair(body, a, b));
    const holds = hasOperands(term) ? POINTS[term.op].pair : undefined;
    if (holds === undefined) throw new Error(`no literal for the relation '${term.op}'`);
    const [x, y] = operandsOf(term);
    return holds(this, a, b, x, y);
  }

  not(one: Lit): Lit {
    return -one;
  }

  through(left: TermId, right: TermId, a: number, b: number): Lit {
    const ways: Lit[] = [];
    for (const c of this.after(left, a)) {
      const second = this.pair(right, c, b);
      if (second !== FALSE) ways.push(this.and(this.pair(left, a, c), second));
    }
    return this.or(...ways);
  }

  path(rel: TermId, a: number, b: number): Lit {
    let closure = this.closures.get(rel);
    if (closure === undefined) {
      const { formula, size } = this.input;
      const step = (from: number, to: number): Lit => this.pair(rel, from, to);
      const may = this.input.bounds.rel(rel).may;
      closure = new Closure(step, may, this.columns(rel), size, formula);
      this.closures.set(rel, closure);
    }
    return closure.path(a, b);
  }

  after(rel: TermId, a: number): Iterable<number> {
    return successors(this.input.bounds.rel(rel).may, a);
  }

  before(rel: TermId, b: number): Iterable<number> {
    return successors(this.columns(rel), b);
  }

  /** The transposed upper bound of a relation, to find predecessors. */
  private columns(id: TermId): BitRel {
    const known = this.columnMemo.get(id);
    if (known !== undefined) return known;
    const made = inverse(this.input.bounds.rel(id).may);
    this.columnMemo.set(id, made);
    return made;
  }

  /**
   * A variable of `let rec`, or its fixpoint. From below: whatever the body gives, the variable
   * has, so it holds at least the least fixpoint, which is all that matters under `acyclic` and
   * its like. From above nothing is asserted, but noted: then an answer of the solver is only a
   * candidate, which the concrete evaluator accepts or refutes.
   */
  private recursive(term: Extract<Term, { op: 'rec' | 'fix' }>, at: (body: TermId) => Lit): Lit {
    const { formula, model } = this.input;
    const group = model.groups[term.group];
    if (term.op === 'fix') return at(group.vars[term.index]);
    return formula.lazy(
      (self) => formula.assert(-at(group.bodies[term.index]), self),
      () => {
        this.approximate = true;
        return TRUE;
      },
    );
  }
}

/** The literals of `r+`: from below by one-step induction, from above by iterated squaring. */
class Closure {
  private readonly known = new Map<number, Lit>();
  private readonly squares = new Map<string, Lit>();

  /**
   * @param step the literal of a pair of r
   * @param may the upper bound of r
   * @param before its inverse
   */
  constructor(
    private readonly step: (a: number, b: number) => Lit,
    private readonly may: BitRel,
    private readonly before: BitRel,
    private readonly size: number,
    private readonly formula: Formula,
  ) {}

  path(a: number, b: number): Lit {
    const { formula, size } = this;
    return memoised(this.known, a * size + b, () =>
      formula.lazy(
        (self) => {
          if (related(this.may, a, b)) formula.assert(-this.step(a, b), self);
          for (const c of successors(this.before, b)) {
            const last = this.step(c, b);
            if (last !== FALSE) formula.assert(-this.path(a, c), -last, self);
          }
        },
        () => this.reach(Math.ceil(Math.log2(Math.max(2, size))), a, b),
      ),
    );
  }

  /** Is there a path of at most 2^level steps? */
  private reach(level: number, a: number, b: number): Lit {
    if (level === 0) return this.step(a, b);
    return memoised(this.squares, `${level} ${a} ${b}`, () => {
      const ways = [this.reach(level - 1, a, b)];
      for (let c = 0; c < this.size; c++) {
        const first = this.reach(level - 1, a, c);
        if (first !== FALSE) ways.push(this.formula.and(first, this.reach(level - 1, c, b)));
      }
      return this.formula.or(...ways);
    });
  }
}

function memoised<K>(memo: Map<K, Lit>, key: K, make: () => Lit): Lit {
  const known = memo.get(key);
  if (known !== undefined) return known;
  const made = make();
  memo.set(key, made);
  return made;
}
