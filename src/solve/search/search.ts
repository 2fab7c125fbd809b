import type { Solver, SolverAnswer } from '../solver.js';
import type { Queue } from './queue.js';
import { createQueue } from './queue.js';
import { Graph } from './graph.js';
import type { Index, Theory } from './theory.js';

const indexOf = (literal: number): Index => (literal > 0 ? 2 * literal : 1 - 2 * literal);

interface Clause {
  /** The first two are watched. */
  readonly lits: Index[];
  /** Of a learnt clause, on how many levels its literals were: the fewer, the more useful. */
  readonly glue: number;
}

/** Conflicts until a search starts anew, times the members of Luby's sequence. */
const RESTART = 64;

/** Learnt clauses that are kept before the less useful ones are forgotten, at first and then more. */
const LEARNT = 1000;
const MORE = 250;

/**
 * A solver of clauses by conflict-driven learning: two watched literals, the first unique implication
 * point, restarts, and learnt clauses forgotten by their glue (Audemard and Simon, IJCAI 2009). It is for
 * many questions about few clauses, each of which takes it less time than it takes to put it to a solver
 * in WebAssembly.
 *
 * What is less than what are edges of a graph, a theory beside the clauses (Ganzinger, Hagen, Nieuwenhuis, Oliveras
 * and Tinelli, CAV 2004): it is told which literals are true, and a cycle is a conflict as a false clause is.
 */
export class ClauseSearch implements Solver {
  /** By literal: 1 true, -1 false, 0 open. */
  private values = new Int8Array(128);
  /** By literal: the clauses that watch it, which are looked at when it becomes false. */
  private readonly watches: Clause[][] = [[], []];
  // By variable: on which level and why it has its value, and which literal was true last.
  private readonly levels: number[] = [0];
  private readonly reasons: (Clause | undefined)[] = [undefined];
  private readonly phases: Index[] = [0];
  /** By variable: is it part of the conflict that is being analysed? */
  private readonly seen: boolean[] = [false];

  /** The literals that are true, in the order in which they became so. */
  private readonly trail: Index[] = [];
  /** Where each level begins on the trail, from level 1 on. */
  private readonly starts: number[] = [];
  /** How far the trail's consequences have been drawn. */
  private propagated = 0;
  /** How far the theory was told of the trail. */
  private told = 0;
  private readonly graph = new Graph();
  private readonly theory: Theory = this.graph;
  private readonly queue: Queue = createQueue((variable) => this.values[2 * variable] === 0);

  private learnt: Clause[] = [];
  /** How many learnt clauses there may be before some are forgotten. */
  private room = LEARNT;

  /** The clauses have no solution, whatever is assumed. */
  private hopeless = false;
  /** How many clauses, and nodes of the graph, were looked at since the last solution. */
  private work = 0;
  private solution: Int8Array | undefined;
  /** The first decisions on the trail, as far as they are still there. */
  private assumed: readonly Index[] = [];

  /** @param effort how many clauses it looks at without finding a solution before it gives up for good */
  constructor(private readonly effort: number) {}

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
    else if (lits.length === 1) this.assign(lits[0], undefined);
    else this.watch({ lits, glue: 0 });
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
    while (this.levels.length <= upTo) {
      this.queue.add();
      this.phases.push(2 * this.levels.length + 1);
      this.levels.push(0);
      this.reasons.push(undefined);
      this.seen.push(false);
      this.watches.push([], []);
    }
    if (this.values.length >= this.watches.length) return;
    const larger = new Int8Array(2 * this.watches.length);
    larger.set(this.values);
    this.values = larger;
  }

  // Solve.

  check(assumptions: readonly number[]): SolverAnswer {
    this.solution = undefined;
    if (!this.graph.sort()) this.hopeless = true;
    if (this.hopeless) return { kind: 'unsat' };
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
    let conflicts = 0;
    let restarts = 1;
    let restart = RESTART * luby(restarts);
    for (;;) {
      const conflict = this.propagate();
      if (conflict !== undefined) {
        if (this.starts.length === 0) {
          this.hopeless = true;
          return { kind: 'unsat' };
        }
        this.learn(this.analyse(conflict));
        conflicts += 1;
        continue;
      }
      if (this.work > this.effort) return { kind: 'unknown', reason: 'the search is given up' };
      if (conflicts >= restart) {
        restart += RESTART * luby(++restarts);
        this.backtrack(0);
        if (this.learnt.length > this.room) this.forget();
      }
      const end = this.decideNext();
      if (end !== undefined) return { kind: end };
    }
  }

  /** Decides an assumption that is still open, or else a variable; the answer, where neither is left. */
  private decideNext(): 'sat' | 'unsat' | undefined {
    while (this.starts.length < this.assumed.length) {
      const next = this.assumed[this.starts.length];
      if (this.values[next] < 0) return 'unsat';
      if (this.values[next] === 0) {
        this.decide(next);
        return undefined;
      }
      // It is true already: its level is empty.
      this.starts.push(this.trail.length);
    }
    const variable = this.queue.next();
    if (variable === 0) return 'sat';
    this.decide(this.theory.prefers(variable) ?? this.phases[variable]);
    return undefined;
  }

  // Read the answer.

  value(variable: number): boolean {
    if (this.solution === undefined) throw new Error('there is no solution to read');
    return this.solution[2 * variable] > 0;
  }

  dispose(): void {}

  // The trail.

  private assign(lit: Index, reason: Clause | undefined): void {
    this.values[lit] = 1;
    this.values[lit ^ 1] = -1;
    this.levels[lit >> 1] = this.starts.length;
    this.reasons[lit >> 1] = reason;
    this.trail.push(lit);
  }

  private decide(lit: Index): void {
    this.starts.push(this.trail.length);
    this.assign(lit, undefined);
  }

  private backtrack(level: number): void {
    const { trail, starts, values, phases } = this;
    if (starts.length <= level) return;
    for (let i = trail.length - 1; i >= starts[level]; i--) {
      const lit = trail[i];
      values[lit] = values[lit ^ 1] = 0;
      this.theory.remove(lit);
      phases[lit >> 1] = lit;
      this.queue.free(lit >> 1);
    }
    trail.length = this.propagated = this.told = starts[level];
    starts.length = level;
  }

  // Propagation.

  private watch(clause: Clause): void {
    this.watches[clause.lits[0]].push(clause);
    this.watches[clause.lits[1]].push(clause);
  }

  /** Draws the consequences of what is new on the trail. Gives a clause that is false, if one is. */
  private propagate(): Clause | undefined {
    const wrong = this.propagateClauses();
    if (wrong !== undefined) return wrong;
    const before = this.theory.work;
    let conflict: readonly Index[] | undefined;
    while (conflict === undefined && this.told < this.trail.length) {
      conflict = this.theory.add(this.trail[this.told++]);
    }
    this.work += this.theory.work - before;
    return conflict && { lits: conflict.map((lit) => lit ^ 1), glue: 0 };
  }

  private propagateClauses(): Clause | undefined {
    const { trail, watches } = this;
    while (this.propagated < trail.length) {
      const wrong = trail[this.propagated++] ^ 1;
      const watching = watches[wrong];
      const { values } = this;
      this.work += watching.length;
      let kept = 0;
      for (let i = 0; i < watching.length; i++) {
        const clause = watching[i];
        const { lits } = clause;
        if (lits[0] === wrong) [lits[0], lits[1]] = [lits[1], wrong];
        if (values[lits[0]] === 1) {
          watching[kept++] = clause;
          continue;
        }
        let k = 2;
        while (k < lits.length && values[lits[k]] < 0) k++;
        if (k < lits.length) {
          [lits[1], lits[k]] = [lits[k], wrong];
          watches[lits[1]].push(clause);
          continue;
        }
        if (values[lits[0]] < 0) {
          while (i < watching.length) watching[kept++] = watching[i++];
          watching.length = kept;
          return clause;
        }
        watching[kept++] = clause;
        this.assign(lits[0], clause);
      }
      watching.length = kept;
    }
    return undefined;
  }

  // Conflicts.

  /**
   * The clause that a conflict teaches, by resolving until one literal is left of the present level
   * (the first). All others are false before, the second as late as any.
   */
  private analyse(conflict: Clause): Clause {
    const { levels, seen, trail, reasons, starts } = this;
    const lits: Index[] = [0];
    const touched: number[] = [];
    let open = 0;
    let at = trail.length;
    for (let clause: Clause | undefined = conflict; ; clause = reasons[trail[at] >> 1]) {
      for (const lit of clause!.lits) {
        const variable = lit >> 1;
        if (seen[variable] || levels[variable] === 0) continue;
        seen[variable] = true;
        touched.push(variable);
        if (levels[variable] === starts.length) open += 1;
        else lits.push(lit);
      }
      do at -= 1;
      while (!seen[trail[at] >> 1]);
      open -= 1;
      if (open === 0) break;
    }
    lits[0] = trail[at] ^ 1;
    const needed = lits.filter((lit, i) => i === 0 || !this.isImplied(lit));
    for (const variable of touched) {
      seen[variable] = false;
      this.queue.bump(variable);
    }
    const levelOf = (lit: Index): number => levels[lit >> 1];
    for (let i = 2; i < needed.length; i++) {
      if (levelOf(needed[i]) > levelOf(needed[1])) {
        [needed[1], needed[i]] = [needed[i], needed[1]];
      }
    }
    return { lits: needed, glue: new Set(needed.map(levelOf)).size };
  }

  /** Does a literal of a clause in the making follow from the others? */
  private isImplied(lit: Index): boolean {
    const { seen, levels } = this;
    const reason = this.reasons[lit >> 1];
    return reason?.lits.every((l) => seen[l >> 1] || levels[l >> 1] === 0) ?? false;
  }

  /** Takes up a learnt clause: goes back to where it has something to say. */
  private learn(clause: Clause): void {
    const { lits } = clause;
    this.backtrack(lits.length === 1 ? 0 : this.levels[lits[1] >> 1]);
    if (lits.length > 1) {
      this.watch(clause);
      this.learnt.push(clause);
    }
    this.assign(lits[0], lits.length === 1 ? undefined : clause);
  }

  /** Forgets half of what was learnt: only on level 0, where no reason is needed any more. */
  private forget(): void {
    this.learnt.sort((a, b) => a.glue - b.glue);
    const forgotten = new Set(this.learnt.splice(this.learnt.length / 2));
    for (const [lit, list] of this.watches.entries()) {
      this.watches[lit] = list.filter((clause) => !forgotten.has(clause));
    }
    this.room += MORE;
  }
}

/** Luby's sequence from its first member on: 1, 1, 2, 1, 1, 2, 4, … */
export function luby(n: number): number {
  const k = Math.floor(Math.log2(n + 1));
  return n + 1 === 2 ** k ? 2 ** (k - 1) : luby(n - 2 ** k + 1);
}
