const OPEN = 0;
const NONE = -1;

const indexOf = (literal: number): number => (literal > 0 ? 2 * literal : 1 - 2 * literal);

/**
 * Clauses, and whether others follow from them by unit propagation. Literals are non-zero integers as in DIMACS.
 * Literals that are true by the clauses alone stay true when some of the clauses are removed.
 */
export class UnitPropagation {
  /** By the number of a clause: its literals as indices, 2v for v and 2v + 1 for its negation. The first two are watched. */
  private readonly clauses: number[][] = [];
  private readonly removed: boolean[] = [];
  /** By the literals of a clause, in order: the clauses that have them and are not removed. */
  private readonly known = new Map<string, number[]>();
  /** By literal: the clauses that watch it, and are visited when it becomes false. */
  private readonly watches: number[][] = [];
  /** By literal: 1 true, -1 false, 0 open. */
  private readonly values: number[] = [];
  /** By variable: the clause that gave it its value, or none. */
  private readonly reasons: number[] = [];
  /** The literals that are true, in the order in which they became so. */
  private readonly trail: number[] = [];
  private propagated = 0;
  /** A clause that is false without any assumption. */
  private conflict = NONE;

  /** Adds a clause and returns its number: 0, 1, … */
  add(clause: readonly number[]): number {
    const lits = [...new Set(clause.map((literal) => this.index(literal)))];
    const number = this.clauses.push(lits) - 1;
    const key = keyOf(lits);
    this.known.set(key, [...(this.known.get(key) ?? []), number]);
    // A clause with a literal and its negation says nothing.
    const all = new Set(lits);
    if (lits.some((lit) => all.has(lit ^ 1))) return number;
    lits.sort((a, b) => Number(this.values[a] < OPEN) - Number(this.values[b] < OPEN));
    for (const lit of lits.slice(0, 2)) this.watches[lit].push(number);
    const [first, second] = lits;
    if (this.conflict !== NONE) return number;
    if (first === undefined || this.values[first] < OPEN) this.conflict = number;
    else if (second === undefined || this.values[second] < OPEN) {
      if (this.values[first] === OPEN) this.assign(first, number);
      this.conflict = this.propagate();
    }
    return number;
  }

  /** Removes one clause with these literals. Returns whether there was one. */
  remove(clause: readonly number[]): boolean {
    const lits = new Set(clause.map((literal) => this.index(literal)));
    const number = this.known.get(keyOf([...lits]))?.pop();
    if (number === undefined) return false;
    this.removed[number] = true;
    return true;
  }

  /**
   * Does unit propagation come to a contradiction if all literals of a clause are false? Then the clause follows.
   * Returns the numbers of the clauses that were used, which may be removed ones.
   */
  follows(clause: readonly number[]): ReadonlySet<number> | undefined {
    if (this.conflict !== NONE) return this.usedBy(this.conflict);
    const before = this.trail.length;
    let used: ReadonlySet<number> | undefined;
    for (const literal of clause) {
      const lit = this.index(literal);
      if (this.values[lit] > OPEN) used ??= this.usedBy(this.reasons[lit >> 1]);
      else if (this.values[lit] === OPEN) this.assign(lit ^ 1, NONE);
    }
    if (used === undefined) {
      const conflict = this.propagate();
      if (conflict !== NONE) used = this.usedBy(conflict);
    }
    for (const lit of this.trail.splice(before)) this.values[lit] = this.values[lit ^ 1] = OPEN;
    this.propagated = before;
    return used;
  }

  private index(literal: number): number {
    const lit = indexOf(literal);
    for (let i = this.values.length; i <= (lit | 1); i++) {
      this.values.push(OPEN);
      this.watches.push([]);
      if ((i & 1) === 0) this.reasons.push(NONE);
    }
    return lit;
  }

  private assign(lit: number, reason: number): void {
    this.values[lit] = 1;
    this.values[lit ^ 1] = -1;
    this.reasons[lit >> 1] = reason;
    this.trail.push(lit);
  }

  /** Propagates the new literals of the trail. Returns a clause that is false, or none. */
  private propagate(): number {
    while (this.propagated < this.trail.length) {
      const conflict = this.visit(this.trail[this.propagated++] ^ 1);
      if (conflict !== NONE) return conflict;
    }
    return NONE;
  }

  /** Visits the clauses that watch a literal, which has become false. */
  private visit(wrong: number): number {
    const watching = this.watches[wrong];
    let conflict = NONE;
    let kept = 0;
    for (const number of watching) {
      if (this.removed[number]) continue;
      const lits = this.clauses[number];
      if (conflict === NONE && this.moves(lits, wrong, number)) continue;
      watching[kept++] = number;
      if (conflict !== NONE || this.values[lits[0]] > OPEN) continue;
      if (lits.length > 1 && this.values[lits[0]] === OPEN) this.assign(lits[0], number);
      else conflict = number;
    }
    watching.length = kept;
    return conflict;
  }

  /** Watches another literal of a clause instead of a false one, if there is one, and makes it the second literal. */
  private moves(lits: number[], wrong: number, number: number): boolean {
    if (lits[0] === wrong && lits.length > 1) [lits[0], lits[1]] = [lits[1], wrong];
    if (this.values[lits[0]] > OPEN) return false;
    for (let k = 2; k < lits.length; k++) {
      if (this.values[lits[k]] < OPEN) continue;
      [lits[1], lits[k]] = [lits[k], wrong];
      this.watches[lits[1]].push(number);
      return true;
    }
    return false;
  }

  /** A clause, the reasons of its literals, their reasons, and so on; nothing for `NONE`. */
  private usedBy(number: number): ReadonlySet<number> {
    const used = new Set(number === NONE ? [] : [number]);
    for (const one of used) {
      for (const lit of this.clauses[one]) {
        const reason = this.reasons[lit >> 1];
        if (reason !== NONE) used.add(reason);
      }
    }
    return used;
  }
}

const keyOf = (lits: readonly number[]): string => [...lits].sort((a, b) => a - b).join();
