import type { Log } from './log.js';
import type { Index } from './theory.js';

/** A clause of three or more literals, as the place where it begins in the store; more than 0. */
export type ClauseRef = number;

/** What stands before the literals of a clause: how many there are, and its glue. */
const HEAD = 2;

/** A growing list of clauses in one array of integers, and the lists of those that watch each literal. */
export class Clauses {
  /** Of each clause: its size, its glue, its literals. The first two literals are watched. */
  data = new Int32Array(1 << 12);
  private end = 1;
  /**
   * By literal: the clauses that watch it, which are looked at when it becomes false. In pairs: some other literal of the clause,
   * which often is true already, and the clause.
   */
  readonly watches: number[][] = [[], []];
  /** The learnt clauses, the oldest first. */
  learnt: ClauseRef[] = [];

  /**
   * Adds a clause, of which the first two literals are watched.
   *
   * @param glue of a learnt clause, on how many levels its literals were: the fewer, the more useful; 0: given
   */
  add(lits: readonly Index[], glue: number): ClauseRef {
    const size = lits.length;
    const clause = this.end;
    this.end += HEAD + size;
    if (this.end > this.data.length) {
      const larger = new Int32Array(2 * this.end);
      larger.set(this.data);
      this.data = larger;
    }
    this.data[clause] = size;
    this.data[clause + 1] = glue;
    for (let i = 0; i < size; i++) this.data[clause + HEAD + i] = lits[i];
    if (glue > 0) this.learnt.push(clause);
    this.watch(clause);
    return clause;
  }

  /** Where the literals of a clause begin, and where they end. */
  first(clause: ClauseRef): number {
    return clause + HEAD;
  }

  last(clause: ClauseRef): number {
    return clause + HEAD + this.data[clause];
  }

  private watch(clause: ClauseRef): void {
    const { data, watches } = this;
    const [a, b] = [data[clause + HEAD], data[clause + HEAD + 1]];
    watches[a].push(b, clause);
    watches[b].push(a, clause);
  }

  /**
   * Forgets half of the learnt clauses, those with the most glue and literals, but none with a glue of 2. Clauses move, so
   * that no reference to one is good any more.
   */
  forget(log?: Log): void {
    const { data } = this;
    const useful = (a: ClauseRef, b: ClauseRef): number =>
      data[a + 1] - data[b + 1] || data[a] - data[b] || a - b;
    const sorted = [...this.learnt].sort(useful);
    const gone = new Set(sorted.slice(sorted.length >> 1).filter((c) => data[c + 1] > 2));
    for (const list of this.watches) list.length = 0;
    this.learnt = [];
    const end = this.end;
    this.end = 1;
    for (let clause = 1; clause < end;) {
      const next = this.last(clause);
      if (!gone.has(clause)) {
        const moved = this.end;
        data.copyWithin(moved, clause, next);
        this.end += next - clause;
        if (data[moved + 1] > 0) this.learnt.push(moved);
        this.watch(moved);
      } else log?.forgotten([...data.subarray(this.first(clause), next)]);
      clause = next;
    }
  }
}
