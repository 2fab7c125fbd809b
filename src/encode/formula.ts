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

/** A node is a variable (no children), an AND of children, or lazy. */
interface Lazy {
  readonly below: (self: Lit) => void;
  readonly above: (self: Lit) => Lit;
}

const POSITIVE = 1;
const NEGATIVE = 2;

export function createFormula(sink: ClauseSink): Formula {
  /** Children of AND nodes; index 0 is unused, node 1 is the constant. */
  const children: (readonly Lit[] | undefined)[] = [undefined, undefined];
  const lazies = new Map<number, Lazy>();
  const shared = new Map<string, Lit>();
  const emitted: number[] = [0, POSITIVE | NEGATIVE];
  const variables: number[] = [0, 0];
  let variableCount = 0;
  let clauseCount = 0;
  /** Literals whose definitions are still to be emitted, in the direction of their sign. */
  const pending: Lit[] = [];

  const node = (kids: readonly Lit[] | undefined): Lit => {
    children.push(kids);
    emitted.push(0);
    variables.push(0);
    return children.length - 1;
  };

  const and = (...lits: readonly Lit[]): Lit => {
    const open: Lit[] = [];
    for (const l of lits) {
      if (l === FALSE) return FALSE;
      if (l !== TRUE) open.push(l);
    }
    if (open.length < 2) return open[0] ?? TRUE;
    return conjunction(open);
  };

  const conjunction = (lits: Lit[]): Lit => {
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
    const known = shared.get(key);
    if (known !== undefined) return known;
    const gate = node(kids);
    shared.set(key, gate);
    return gate;
  };

  /** The node that is being defined: its own clauses do not need it in the other direction. */
  let head = 0;

  /** The solver's literal, for use in a clause: its definition becomes pending. */
  const use = (lit: Lit): number => {
    const index = Math.abs(lit);
    if (variables[index] === 0) variables[index] = ++variableCount;
    const direction = lit > 0 ? POSITIVE : NEGATIVE;
    if (index !== head && (emitted[index] & direction) === 0) {
      emitted[index] |= direction;
      if (children[index] !== undefined || lazies.has(index)) pending.push(lit);
    }
    return lit > 0 ? variables[index] : -variables[index];
  };

  /** Puts disjunctions inside a clause into the clause itself; undefined: the clause is true. */
  const flatten = (clause: readonly Lit[]): Set<Lit> | undefined => {
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
  };

  const clause = (lits: readonly Lit[]): void => {
    const flat = flatten(lits);
    if (flat === undefined) return;
    const only = flat.size === 1 ? [...flat][0] : 0;
    const conjuncts = only > 0 && emitted[only] === 0 ? children[only] : undefined;
    if (conjuncts !== undefined) {
      for (const kid of conjuncts) clause([kid]);
      return;
    }
    clauseCount += 1;
    sink([...flat].map(use));
  };

  const define = (lit: Lit): void => {
    const index = Math.abs(lit);
    head = index;
    const lazy = lazies.get(index);
    const kids = children[index];
    if (lazy !== undefined) {
      if (lit > 0) clause([-index, lazy.above(index)]);
      else lazy.below(index);
    } else if (kids !== undefined) {
      if (lit > 0) for (const kid of kids) clause([-index, kid]);
      else clause([index, ...kids.map((kid) => -kid)]);
    }
    head = 0;
  };

  /** A variable that is true. */
  let constant = 0;

  let draining = false;
  const drain = (): void => {
    // Definitions assert clauses themselves: only the outermost call works the list off.
    if (draining) return;
    draining = true;
    for (let lit = pending.pop(); lit !== undefined; lit = pending.pop()) define(lit);
    draining = false;
  };

  return {
    fresh: () => node(undefined),
    and,
    or: (...lits) => -and(...lits.map((l) => -l)),
    lazy(below, above) {
      const index = node(undefined);
      lazies.set(index, { below, above });
      return index;
    },
    assert(...lits) {
      clause(lits);
      drain();
    },
    assumption(lit) {
      if (lit === TRUE || lit === FALSE) {
        // A constant has no variable: a fresh one stands for it.
        if (constant === 0) clause([(constant = node(undefined))]);
        return use(lit === TRUE ? constant : -constant);
      }
      const result = use(lit);
      drain();
      return result;
    },
    variable: (lit) => variables[Math.abs(lit)] || undefined,
    children: (lit) => children[Math.abs(lit)],
    size: () => ({ variables: variableCount, clauses: clauseCount }),
  };
}
