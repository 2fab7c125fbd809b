/**
 * Propositional formulas over fresh variables, turned into clauses on demand.
 *
 * Gates are shared and simplified when they are built, and become clauses only when an asserted
 * clause needs them, and only in the direction in which it does (Plaisted and Greenbaum 1986). So
 * what no axiom sees costs nothing, and under `acyclic` a relation is only ever bounded from below.
 */

/** A positive or negated node: `-l` is the negation of `l`. */
export type Lit = number;

export const TRUE: Lit = 1;
export const FALSE: Lit = -1;

/** Where clauses go: literals are non-zero integers as in DIMACS, over variables 1, 2, …. */
export type ClauseSink = (clause: readonly number[]) => void;

export interface Formula {
  /** A new variable. */
  fresh(): Lit;
  and(...lits: readonly Lit[]): Lit;
  or(...lits: readonly Lit[]): Lit;
  /**
   * A variable whose meaning is given by two actions, each done at most once, when first needed:
   * `below` asserts the clauses by which it must be true; `above` gives a literal that it implies.
   */
  lazy(below: (self: Lit) => void, above: (self: Lit) => Lit): Lit;
  /** Asserts a disjunction. */
  assert(...clause: readonly Lit[]): void;
  /** The solver's literal for use as an assumption that `lit` is true. */
  assumption(lit: Lit): number;
  /** The solver's variable of a fresh variable, or undefined where no clause mentions it. */
  variable(lit: Lit): number | undefined;
  /** The conjuncts of an AND, of which a negated literal is the negation; undefined for variables. */
  children(lit: Lit): readonly Lit[] | undefined;
  /** Number of variables and clauses handed to the sink. */
  size(): { readonly variables: number; readonly clauses: number };
}

/** The two actions of a lazy variable (`Formula.lazy`). */
interface Lazy {
  readonly below: (self: Lit) => void;
  readonly above: (self: Lit) => Lit;
}

const POSITIVE = 1;
const NEGATIVE = 2;

/** What is known of each node, by its number. Number 0 is unused, and 1 is the constant. */
class Nodes {
  /** Of an AND its conjuncts; undefined for a variable. */
  readonly children: (readonly Lit[] | undefined)[] = [undefined, undefined];
  readonly lazies = new Map<number, Lazy>();
  /** The directions in which its definition is clauses, or is about to be. */
  readonly emitted: number[] = [0, POSITIVE | NEGATIVE];
  /** The solver's variable for it; 0: no clause has needed one. */
  readonly variables: number[] = [0, 0];
  /** AND nodes by their conjuncts, so that no two have the same. */
  private readonly shared = new Map<string, Lit>();

  add(kids: readonly Lit[] | undefined): Lit {
    this.children.push(kids);
    this.emitted.push(0);
    this.variables.push(0);
    return this.children.length - 1;
  }

  /** @param lits two or more, of which none is a constant; they are sorted in place */
  conjunction(lits: Lit[]): Lit {
    // Sorted by node, a literal and its negation are neighbours, as equal ones are.
    lits.sort((a, b) => Math.abs(a) - Math.abs(b));
    const kids: Lit[] = [];
    for (const l of lits) {
      const previous = kids[kids.length - 1];
      if (previous === -l) return FALSE;
      if (previous !== l) kids.push(l);
    }
    if (kids.length === 1) return kids[0];
    const key = kids.join();
    const known = this.shared.get(key);
    if (known !== undefined) return known;
    const gate = this.add(kids);
    this.shared.set(key, gate);
    return gate;
  }
}

/** Turns asserted clauses, and the definitions of the nodes in them, into the solver's clauses. */
class Emitter {
  variableCount = 0;
  clauseCount = 0;
  /** Literals whose definitions are still to be emitted, in the direction of their sign. */
  private readonly pending: Lit[] = [];
  private isDraining = false;
  /** The node that is being defined: its own clauses do not need it in the other direction. */
  private head = 0;

  constructor(
    private readonly nodes: Nodes,
    private readonly sink: ClauseSink,
  ) {}

  /** The solver's literal, for use in a clause: its definition becomes pending. */
  readonly use = (lit: Lit): number => {
    const { children, emitted, lazies, variables } = this.nodes;
    const index = Math.abs(lit);
    if (variables[index] === 0) variables[index] = ++this.variableCount;
    const direction = lit > 0 ? POSITIVE : NEGATIVE;
    if (index !== this.head && (emitted[index] & direction) === 0) {
      emitted[index] |= direction;
      if (children[index] !== undefined || lazies.has(index)) this.pending.push(lit);
    }
    return lit > 0 ? variables[index] : -variables[index];
  };

  clause(lits: readonly Lit[]): void {
    const { children, emitted } = this.nodes;
    const flat = this.flatten(lits);
    if (flat === undefined) return;
    const only = flat.size === 1 ? [...flat][0] : 0;
    const conjuncts = only > 0 && emitted[only] === 0 ? children[only] : undefined;
    if (conjuncts !== undefined) {
      for (const kid of conjuncts) this.clause([kid]);
      return;
    }
    this.clauseCount += 1;
    this.sink([...flat].map(this.use));
  }

  /** Puts disjunctions inside a clause into the clause itself; undefined: the clause is true. */
  private flatten(clause: readonly Lit[]): Set<Lit> | undefined {
    const { children, emitted } = this.nodes;
    const flat = new Set<Lit>();
    const work = [...clause];
    for (let lit = work.pop(); lit !== undefined; lit = work.pop()) {
      if (lit === TRUE || flat.has(-lit)) return undefined;
      if (lit === FALSE || flat.has(lit)) continue;
      const kids = lit < 0 && emitted[-lit] === 0 ? children[-lit] : undefined;
      if (kids === undefined) flat.add(lit);
      else for (const kid of kids) work.push(-kid);
    }
    return flat;
  }

  /** Emits what is pending. Definitions assert clauses themselves: only the outermost call works the list off. */
  drain(): void {
    if (this.isDraining) return;
    this.isDraining = true;
    const { pending } = this;
    for (let lit = pending.pop(); lit !== undefined; lit = pending.pop()) this.define(lit);
    this.isDraining = false;
  }

  private define(lit: Lit): void {
    const index = Math.abs(lit);
    this.head = index;
    const lazy = this.nodes.lazies.get(index);
    const kids = this.nodes.children[index];
    if (lazy !== undefined) {
      if (lit > 0) this.clause([-index, lazy.above(index)]);
      else lazy.below(index);
    } else if (kids !== undefined) {
      if (lit > 0) for (const kid of kids) this.clause([-index, kid]);
      else this.clause([index, ...kids.map((kid) => -kid)]);
    }
    this.head = 0;
  }
}

export function createFormula(sink: ClauseSink): Formula {
  const nodes = new Nodes();
  const emitter = new Emitter(nodes, sink);
  /** A variable that is true. */
  let constant = 0;

  const and = (...lits: readonly Lit[]): Lit => {
    const open: Lit[] = [];
    for (const l of lits) {
      if (l === FALSE) return FALSE;
      if (l !== TRUE) open.push(l);
    }
    if (open.length < 2) return open[0] ?? TRUE;
    return nodes.conjunction(open);
  };

  return {
    fresh: () => nodes.add(undefined),
    and,
    or: (...lits) => -and(...lits.map((l) => -l)),
    lazy(below, above) {
      const index = nodes.add(undefined);
      nodes.lazies.set(index, { below, above });
      return index;
    },
    assert(...lits) {
      emitter.clause(lits);
      emitter.drain();
    },
    assumption(lit) {
      if (lit === TRUE || lit === FALSE) {
        // A constant has no variable: a fresh one stands for it.
        if (constant === 0) emitter.clause([(constant = nodes.add(undefined))]);
        return emitter.use(lit === TRUE ? constant : -constant);
      }
      const result = emitter.use(lit);
      emitter.drain();
      return result;
    },
    variable: (lit) => nodes.variables[Math.abs(lit)] || undefined,
    children: (lit) => nodes.children[Math.abs(lit)],
    size: () => ({ variables: emitter.variableCount, clauses: emitter.clauseCount }),
  };
}
