import type { Solver, SolverAnswer } from '../../solve/solver.js';
import { createQueue } from './queue.js';

/** A literal as an index: of variable v, 2v, and 2v + 1 for its negation. */
type Index = number;

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
 * @param effort how many clauses it looks at without finding a solution before it gives up for good
 */
export function createSearch(effort: number): Solver {
  /** By literal: 1 true, -1 false, 0 open. */
  let values = new Int8Array(128);
  const watches: Clause[][] = [[], []];
  // By variable: on which level and why it has its value, and which literal was true last.
  const levels: number[] = [0];
  const reasons: (Clause | undefined)[] = [undefined];
  const phases: Index[] = [0];
  const seen: boolean[] = [false];
  const trail: Index[] = [];
  /** Where each level begins on the trail, from level 1 on. */
  const starts: number[] = [];
  const queue = createQueue((variable) => values[2 * variable] === 0);
  let propagated = 0;
  const learnt: Clause[] = [];
  let room = LEARNT;
  let hopeless = false;
  /** How many clauses were looked at since the last solution. */
  let work = 0;
  let solution: Int8Array | undefined;
  /** The first decisions on the trail, as far as they are still there. */
  let assumed: readonly Index[] = [];

  const makeVariables = (upTo: number): void => {
    while (levels.length <= upTo) {
      queue.add();
      phases.push(2 * levels.length + 1);
      levels.push(0);
      reasons.push(undefined);
      seen.push(false);
      watches.push([], []);
    }
    if (values.length >= watches.length) return;
    const larger = new Int8Array(2 * watches.length);
    larger.set(values);
    values = larger;
  };

  const assign = (lit: Index, reason: Clause | undefined): void => {
    values[lit] = 1;
    values[lit ^ 1] = -1;
    levels[lit >> 1] = starts.length;
    reasons[lit >> 1] = reason;
    trail.push(lit);
  };

  const decide = (lit: Index): void => {
    starts.push(trail.length);
    assign(lit, undefined);
  };

  const backtrack = (level: number): void => {
    if (starts.length <= level) return;
    for (let i = trail.length - 1; i >= starts[level]; i--) {
      const lit = trail[i];
      values[lit] = values[lit ^ 1] = 0;
      phases[lit >> 1] = lit;
      queue.free(lit >> 1);
    }
    trail.length = propagated = starts[level];
    starts.length = level;
  };

  const watch = (clause: Clause): void => {
    watches[clause.lits[0]].push(clause);
    watches[clause.lits[1]].push(clause);
  };

  /** Draws the consequences of what is new on the trail. Gives a clause that is false, if one is. */
  const propagate = (): Clause | undefined => {
    while (propagated < trail.length) {
      const wrong = trail[propagated++] ^ 1;
      const watching = watches[wrong];
      work += watching.length;
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
        assign(lits[0], clause);
      }
      watching.length = kept;
    }
    return undefined;
  };

  /**
   * The clause that a conflict teaches, by resolving until one literal is left of the present level
   * (the first). All others are false before, the second as late as any.
   */
  const analyse = (conflict: Clause): Clause => {
    const lits: Index[] = [0];
    const touched: number[] = [];
    let open = 0;
    let at = trail.length;
    for (let clause: Clause | undefined = conflict; ;) {
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
      clause = reasons[trail[at] >> 1];
    }
    lits[0] = trail[at] ^ 1;
    const needed = lits.filter((lit, i) => i === 0 || !isImplied(lit));
    for (const variable of touched) {
      seen[variable] = false;
      queue.bump(variable);
    }
    const levelOf = (lit: Index): number => levels[lit >> 1];
    for (let i = 2; i < needed.length; i++) {
      if (levelOf(needed[i]) > levelOf(needed[1])) {
        [needed[1], needed[i]] = [needed[i], needed[1]];
      }
    }
    return { lits: needed, glue: new Set(needed.map(levelOf)).size };
  };

  /** Does a literal of a clause in the making follow from the others? */
  const isImplied = (lit: Index): boolean =>
    reasons[lit >> 1]?.lits.every((l) => seen[l >> 1] || levels[l >> 1] === 0) ?? false;

  /** Takes up a learnt clause: back to where it has something to say. */
  const follow = (clause: Clause): void => {
    const { lits } = clause;
    backtrack(lits.length === 1 ? 0 : levels[lits[1] >> 1]);
    if (lits.length > 1) {
      watch(clause);
      learnt.push(clause);
    }
    assign(lits[0], lits.length === 1 ? undefined : clause);
  };

  /** Forgets half of what was learnt: only on level 0, where no reason is needed any more. */
  const forget = (): void => {
    learnt.sort((a, b) => a.glue - b.glue);
    const forgotten = new Set(learnt.splice(learnt.length / 2));
    for (const [lit, list] of watches.entries()) {
      watches[lit] = list.filter((clause) => !forgotten.has(clause));
    }
    room += MORE;
  };

  const solve = (): SolverAnswer => {
    let conflicts = 0;
    let restarts = 1;
    let restart = RESTART * luby(restarts);
    for (;;) {
      const conflict = propagate();
      if (conflict !== undefined) {
        if (starts.length === 0) {
          hopeless = true;
          return { kind: 'unsat' };
        }
        follow(analyse(conflict));
        conflicts += 1;
        continue;
      }
      if (work > effort) return { kind: 'unknown', reason: 'the search is given up' };
      if (conflicts >= restart) {
        restart += RESTART * luby(++restarts);
        backtrack(0);
        if (learnt.length > room) forget();
      }
      if (starts.length < assumed.length) {
        const next = assumed[starts.length];
        if (values[next] < 0) return { kind: 'unsat' };
        if (values[next] > 0) starts.push(trail.length);
        else decide(next);
        continue;
      }
      const variable = queue.next();
      if (variable === 0) return { kind: 'sat' };
      decide(phases[variable]);
    }
  };

  return {
    addClause(clause) {
      backtrack(0);
      const lits: Index[] = [];
      for (const literal of clause) {
        makeVariables(Math.abs(literal));
        const lit = indexOf(literal);
        if (values[lit] > 0) return;
        if (values[lit] === 0) lits.push(lit);
      }
      if (lits.length === 0) hopeless = true;
      else if (lits.length === 1) assign(lits[0], undefined);
      else watch({ lits, glue: 0 });
    },
    addLess() {
      throw new Error('a solver of clauses alone');
    },
    check(assumptions) {
      solution = undefined;
      if (hopeless) return { kind: 'unsat' };
      for (const literal of assumptions) makeVariables(Math.abs(literal));
      const before = assumed;
      assumed = assumptions.map(indexOf);
      // What follows from the assumptions that come first and are the same still holds.
      const changed = assumed.findIndex((lit, i) => lit !== before[i]);
      backtrack(changed < 0 ? assumed.length : changed);
      const answer = solve();
      if (answer.kind === 'sat') {
        solution = values.slice();
        work = 0;
      }
      return answer;
    },
    value(variable) {
      if (solution === undefined) throw new Error('there is no solution to read');
      return solution[2 * variable] > 0;
    },
    dispose() {},
  };
}

/** Luby's sequence from its first member on: 1, 1, 2, 1, 1, 2, 4, … */
export function luby(n: number): number {
  const k = Math.floor(Math.log2(n + 1));
  return n + 1 === 2 ** k ? 2 ** (k - 1) : luby(n - 2 ** k + 1);
}
