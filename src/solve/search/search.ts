import type { Solver, SolverAnswer } from '../solver.js';
import { Clauses } from './clauses.js';
import { AcyclicGraph } from './graph.js';
import type { Log } from './log.js';
import { luby } from './luby.js';
import type { DecisionQueue } from './queue.js';
import { createDecisionQueue } from './queue.js';
import type { Index, Theory } from './theory.js';
import { indexOf, literalAt } from './theory.js';

/**
 * Why a literal is true: 0, it was decided or is so in any case; more than 0, the clause of which all other literals are
 * false; less than 0, another literal is true that implies it.
 */
type Reason = number;
const NONE: Reason = 0;
const impliedBy = (lit: Index): Reason => -1 - lit;
const implying = (reason: Reason): Index => -1 - reason;

/** Marks of variables while a conflict is analysed: they are needed, or follow from what is; or it is known that they do not. */
const UNSEEN = 0;
const IN = 1;
const OUT = 2;

/** The most reasons that are followed to find out whether a literal of a clause is implied by the others. */
const DEEP = 100;

/** Conflicts until a search starts anew, times the members of Luby's sequence. */
const RESTART = 64;

/** Learnt clauses that are kept before the less useful ones are forgotten, at first and then more. */
const LEARNT = 1000;
const MORE = 250;

/** Conflicts of a search that is not easy, and how many pairs of literals the theory may rule out then. */
const HARD = 50;
const PAIRS = 10_000_000;

/**
 * A solver of clauses by conflict-driven learning, as MiniSat is one (Eén and Sörensson, SAT 2003): two watched literals, the first unique implication
 * point, phases that are kept, restarts, and learnt clauses forgotten by their glue (Audemard and Simon, IJCAI 2009). It is for
 * many questions about few clauses, each of which takes it less time than it takes to put it to a solver
 * in WebAssembly.
 *
 * What is less than what are edges of a graph, a theory beside the clauses (Ganzinger, Hagen, Nieuwenhuis, Oliveras
 * and Tinelli, CAV 2004): it is told which literals are true, and a cycle is a conflict as a false clause is.
 */
export class ClauseSearch implements Solver {
  private readonly clauses = new Clauses();
  /** By literal: what is true where it is, by clauses of two literals. */
  private readonly implied: Index[][] = [[], []];

  /** By literal: 1 true, -1 false, 0 open. */
  private values = new Int8Array(128);
  // By variable: on which level and why it has its value, which literal was true last, and is it part of the conflict
  // that is being analysed?
  private levels = new Int32Array(64);
  private reasons = new Int32Array(64);
  private phases = new Int32Array(64);
  private seen = new Uint8Array(64);
  private variables = 0;

  /** The literals that are true, in the order in which they became so. */
  private trail = new Int32Array(64);
  private size = 0;
  /** Where each level begins on the trail, from level 1 on. */
  private readonly starts: number[] = [];
  /** How far the trail's consequences have been drawn. */
  private propagated = 0;
  /** How many literals of the trail the theory has been told of. */
  private told = 0;
  private readonly graph = new AcyclicGraph();
  private readonly theory: Theory = this.graph;
  private readonly queue: DecisionQueue = createDecisionQueue(
    (variable) => this.values[2 * variable] === 0,
  );

  /** Literals that are all false, though one of them must be true. */
  private conflict: readonly Index[] = [];
  /** How many conflicts there were, in all. */
  conflicts = 0;
  /** How many learnt clauses there may be before some are forgotten. */
  private room = LEARNT;
  /** By literal: has the theory been asked what it rules out? */
  private readonly asked: boolean[] = [];
  private pairs = 0;

  /** The clauses have no solution, whatever is assumed. */
  private hopeless = false;
  /** How many clauses, and nodes of the graph, were looked at since the last solution. */
  private work = 0;
  private solution: Int8Array | undefined;
  /** The first decisions on the trail, as far as they are still there. */
  private assumed: readonly Index[] = [];

  /**
   * @param effort how many clauses it looks at without finding a solution before it gives up for good
   * @param hard conflicts after which it pays to ask the theory what each literal rules out
   * @param log hears of each step, for a proof
   */
  constructor(
    private readonly effort: number,
    private readonly hard = HARD,
    private readonly log?: Log,
  ) {}

  // State the problem.

  addClause(clause: readonly number[]): void {
    this.backtrack(0);
    const lits: Index[] = [];
    for (const literal of clause) {
      this.makeVariables(Math.abs(literal));
      const lit = indexOf(literal);
      if (this.values[lit] > 0) return;
      if (this.values[lit] === 0) lits.push(lit);
    }
    if (lits.length === 0) this.hopeless = true;
    else if (lits.length === 1) this.assign(lits[0], NONE);
    else if (lits.length === 2) this.exclude(lits[0] ^ 1, lits[1] ^ 1);
    else this.clauses.add(lits, 0);
  }

  addLess(smaller: number, larger: number, where?: number): void {
    this.backtrack(0);
    if (where === undefined) return this.graph.addEdge(smaller, larger);
    this.makeVariables(Math.abs(where));
    const lit = indexOf(where);
    // What is true for good may have been told already.
    if (this.values[lit] >= 0) {
      this.graph.addEdge(smaller, larger, this.values[lit] > 0 ? undefined : lit);
    }
  }

  private makeVariables(upTo: number): void {
    if (upTo >= this.levels.length) this.grow(Math.max(upTo + 1, 2 * this.levels.length));
    while (this.variables < upTo) {
      this.queue.add();
      this.phases[++this.variables] = 2 * this.variables + 1;
      this.clauses.watches.push([], []);
      this.implied.push([], []);
    }
  }

  private grow(size: number): void {
    this.levels = copied(this.levels, new Int32Array(size));
    this.reasons = copied(this.reasons, new Int32Array(size));
    this.phases = copied(this.phases, new Int32Array(size));
    this.trail = copied(this.trail, new Int32Array(size));
    this.seen = copied(this.seen, new Uint8Array(size));
    this.values = copied(this.values, new Int8Array(2 * size));
  }

  // Solve.

  check(assumptions: readonly number[]): SolverAnswer {
    this.solution = undefined;
    if (!this.graph.sort()) {
      this.log?.lemma([]);
      this.hopeless = true;
    }
    if (this.hopeless) {
      this.log?.learnt([]);
      return { kind: 'unsat', core: [] };
    }
    for (const literal of assumptions) this.makeVariables(Math.abs(literal));
    const before = this.assumed;
    this.assumed = assumptions.map(indexOf);
    // What follows from the assumptions that come first and are the same still holds.
    const changed = this.assumed.findIndex((lit, i) => lit !== before[i]);
    this.backtrack(changed < 0 ? this.assumed.length : changed);
    const answer = this.solve();
    if (answer.kind === 'sat') {
      this.solution = this.values.slice();
      this.work = 0;
    }
    return answer;
  }

  private solve(): SolverAnswer {
    let restarts = 1;
    let restart = this.conflicts + RESTART * luby(restarts);
    for (;;) {
      if (this.propagate()) {
        if (this.starts.length === 0) {
          this.hopeless = true;
          this.log?.learnt([]);
          return { kind: 'unsat', core: [] };
        }
        this.learn();
        this.conflicts += 1;
        continue;
      }
      if (this.work > this.effort) return { kind: 'unknown', reason: 'the search is given up' };
      if (this.conflicts >= restart) {
        restart = this.conflicts + RESTART * luby(++restarts);
        this.backtrack(0);
        this.forget();
      }
      const end = this.decideNext();
      if (end !== undefined) return end;
    }
  }

  /** Decides an assumption that is still open, or else a variable; the answer, where neither is left. */
  private decideNext(): SolverAnswer | undefined {
    while (this.starts.length < this.assumed.length) {
      const next = this.assumed[this.starts.length];
      if (this.values[next] < 0) {
        return { kind: 'unsat', core: [next, ...this.causes(next ^ 1)].map(literalAt) };
      }
      if (this.values[next] === 0) {
        this.decide(next);
        return undefined;
      }
      // It is true already: its level is empty.
      this.starts.push(this.size);
    }
    const variable = this.queue.next();
    if (variable === 0) return { kind: 'sat' };
    this.decide(this.theory.prefers(variable) ?? this.phases[variable]);
    return undefined;
  }

  /** To be called on level 0, where no reason is needed any more. */
  private forget(): void {
    if (this.clauses.learnt.length <= this.room) return;
    this.clauses.forget(this.log);
    this.room += MORE;
  }

  // Read the answer.

  value(variable: number): boolean {
    if (this.solution === undefined) throw new Error('there is no solution to read');
    return this.solution[2 * variable] > 0;
  }

  dispose(): void {}

  // The trail.

  private assign(lit: Index, reason: Reason): void {
    this.values[lit] = 1;
    this.values[lit ^ 1] = -1;
    this.levels[lit >> 1] = this.starts.length;
    this.reasons[lit >> 1] = reason;
    this.trail[this.size++] = lit;
  }

  private decide(lit: Index): void {
    this.starts.push(this.size);
    this.assign(lit, NONE);
  }

  private backtrack(level: number): void {
    const { trail, starts, values, phases, theory, queue } = this;
    if (starts.length <= level) return;
    for (let i = this.size - 1; i >= starts[level]; i--) {
      const lit = trail[i];
      values[lit] = values[lit ^ 1] = 0;
      if (i < this.told) theory.remove(lit);
      phases[lit >> 1] = lit;
      queue.free(lit >> 1);
    }
    this.size = this.propagated = starts[level];
    this.told = Math.min(this.told, this.size);
    starts.length = level;
  }

  // Propagation: draws the consequences of what is new on the trail. All tell whether they came to a conflict.

  private propagate(): boolean {
    const before = this.theory.work;
    for (;;) {
      if (this.propagateClauses()) break;
      if (this.told === this.size) {
        this.work += this.theory.work - before;
        return false;
      }
      const lit = this.trail[this.told++];
      const together = this.theory.add(lit);
      if (together !== undefined) {
        this.conflict = together.map((other) => other ^ 1);
        this.log?.lemma(this.conflict);
        break;
      }
      if (this.conflicts >= this.hard && this.askTheory(lit)) break;
    }
    this.work += this.theory.work - before;
    return true;
  }

  private propagateClauses(): boolean {
    const { trail, values, implied } = this;
    while (this.propagated < this.size) {
      const lit = trail[this.propagated++];
      const others = implied[lit];
      this.work += others.length;
      for (let i = 0; i < others.length; i++) {
        const other = others[i];
        if (values[other] === 0) this.assign(other, impliedBy(lit));
        else if (values[other] < 0) {
          this.conflict = [other, lit ^ 1];
          return true;
        }
      }
      if (this.visitWatches(lit ^ 1)) return true;
    }
    return false;
  }

  /** Looks at the clauses that watch a literal, which is false now. */
  private visitWatches(wrong: Index): boolean {
    const { values, clauses } = this;
    const { data, watches } = clauses;
    const watching = watches[wrong];
    const end = watching.length;
    this.work += end >> 1;
    let isWrong = false;
    let kept = 0;
    for (let i = 0; i < end; i += 2) {
      const clause = watching[i + 1];
      if (values[watching[i]] > 0) {
        watching[kept++] = watching[i];
        watching[kept++] = clause;
        continue;
      }
      const start = clauses.first(clause);
      if (data[start] === wrong) {
        data[start] = data[start + 1];
        data[start + 1] = wrong;
      }
      const other = data[start];
      const last = clauses.last(clause);
      let k = start + 2;
      if (values[other] <= 0) while (k < last && values[data[k]] < 0) k++;
      if (values[other] <= 0 && k < last) {
        data[start + 1] = data[k];
        data[k] = wrong;
        watches[data[start + 1]].push(other, clause);
        continue;
      }
      watching[kept++] = other;
      watching[kept++] = clause;
      if (values[other] === 0) this.assign(other, clause);
      else if (values[other] < 0) {
        this.conflict = [...data.subarray(start, last)];
        isWrong = true;
        for (i += 2; i < end; i++) watching[kept++] = watching[i];
      }
    }
    if (kept < end) watching.length = kept;
    return isWrong;
  }

  /** Takes up which literals a literal rules out by the theory, unless that is known. */
  private askTheory(lit: Index): boolean {
    if (this.asked[lit] || this.pairs > PAIRS) return false;
    this.asked[lit] = true;
    for (const other of this.theory.excludes(lit)) {
      // That one was asked, and the pair is known.
      if (this.asked[other] && other !== lit) continue;
      this.pairs += 1;
      this.log?.lemma([lit ^ 1, other ^ 1]);
      this.exclude(lit, other);
      if (this.values[other] === 0) this.assign(other ^ 1, impliedBy(lit));
      else if (this.values[other] > 0) {
        this.conflict = [lit ^ 1, other ^ 1];
        return true;
      }
    }
    return false;
  }

  /** Two literals are not true together. */
  private exclude(a: Index, b: Index): void {
    this.implied[a].push(b ^ 1);
    if (a !== b) this.implied[b].push(a ^ 1);
  }

  // Conflicts.

  /** Takes up the clause that a conflict teaches, and goes back to where it has something to say. */
  private learn(): void {
    const { levels } = this;
    const lits = this.analyse();
    this.log?.learnt(lits);
    const glue = new Set(lits.map((lit) => levels[lit >> 1])).size;
    this.backtrack(lits.length === 1 ? 0 : levels[lits[1] >> 1]);
    if (lits.length === 1) this.assign(lits[0], NONE);
    else if (lits.length === 2) {
      this.exclude(lits[0] ^ 1, lits[1] ^ 1);
      this.assign(lits[0], impliedBy(lits[1] ^ 1));
    } else this.assign(lits[0], this.clauses.add(lits, glue));
  }

  /**
   * The clause that a conflict teaches, by resolving until one literal is left of the present level
   * (the first). All others are false before, the second as late as any.
   */
  private analyse(): Index[] {
    const { levels, seen, trail, reasons } = this;
    const { data } = this.clauses;
    const lits: Index[] = [0];
    const touched: number[] = [];
    let open = 0;
    const meet = (lit: Index): void => {
      const variable = lit >> 1;
      if (seen[variable] !== UNSEEN || levels[variable] === 0) return;
      seen[variable] = IN;
      touched.push(variable);
      if (levels[variable] === this.starts.length) open += 1;
      else lits.push(lit);
    };
    for (const lit of this.conflict) meet(lit);
    let at = this.size;
    for (;;) {
      do at -= 1;
      while (seen[trail[at] >> 1] === UNSEEN);
      open -= 1;
      if (open === 0) break;
      const reason = reasons[trail[at] >> 1];
      if (reason < 0) meet(implying(reason) ^ 1);
      else {
        const last = this.clauses.last(reason);
        for (let i = this.clauses.first(reason); i < last; i++) meet(data[i]);
      }
    }
    lits[0] = trail[at] ^ 1;
    for (const variable of touched) this.queue.bump(variable);
    const needed = lits.filter((lit, i) => i === 0 || !this.follows(lit, touched));
    for (const variable of touched) seen[variable] = UNSEEN;
    for (let i = 2; i < needed.length; i++) {
      if (levels[needed[i] >> 1] > levels[needed[1] >> 1]) {
        [needed[1], needed[i]] = [needed[i], needed[1]];
      }
    }
    return needed;
  }

  /**
   * Does a literal that is false follow from others of the clause in the making, over however many reasons
   * (Sörensson and Biere, SAT 2009)?
   *
   * @param touched the variables that were marked; more are added
   */
  private follows(lit: Index, touched: number[], depth = 0): boolean {
    const { seen, levels } = this;
    const reason = this.reasons[lit >> 1];
    if (reason === NONE || depth > DEEP) return false;
    return this.othersOf(reason, lit).every((other) => {
      const variable = other >> 1;
      if (seen[variable] === UNSEEN && levels[variable] > 0) {
        seen[variable] = this.follows(other, touched, depth + 1) ? IN : OUT;
        touched.push(variable);
      }
      return levels[variable] === 0 || seen[variable] === IN;
    });
  }

  /** The assumptions because of which a literal is true. */
  private causes(lit: Index): Index[] {
    const { trail, seen, starts, levels, reasons } = this;
    const found: Index[] = [];
    if (levels[lit >> 1] > 0) seen[lit >> 1] = IN;
    for (let i = this.size - 1; i >= (starts[0] ?? this.size); i--) {
      const variable = trail[i] >> 1;
      if (seen[variable] === UNSEEN) continue;
      seen[variable] = UNSEEN;
      if (reasons[variable] === NONE) found.push(trail[i]);
      else
        for (const other of this.othersOf(reasons[variable], trail[i])) {
          if (levels[other >> 1] > 0) seen[other >> 1] = IN;
        }
    }
    return found;
  }

  /** The literals, all false, because of which one has its value. */
  private othersOf(reason: Reason, lit: Index): readonly Index[] {
    if (reason < 0) return [implying(reason) ^ 1];
    const { clauses } = this;
    const others: Index[] = [];
    const last = clauses.last(reason);
    for (let i = clauses.first(reason); i < last; i++) {
      if (clauses.data[i] >> 1 !== lit >> 1) others.push(clauses.data[i]);
    }
    return others;
  }
}

function copied<T extends Int8Array | Int32Array | Uint8Array>(from: T, into: T): T {
  into.set(from);
  return into;
}
