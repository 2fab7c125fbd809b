import type { Axiom, Model, TermId } from './term.js';

/**
 * Acyclicity without closures. Whether a relation has a cycle is a question about paths, and the
 * operators `| ; + * ? [S]` only say which paths there are: they make a finite automaton whose
 * steps are the other relations. A cycle of the relation is then a cycle of the graph of (event,
 * state) pairs that passes the hub, and no closure is ever computed.
 *
 * A cycle that stays inside the loop of some `r+` never passes the hub. It is a cycle of `r`,
 * not of the whole relation. So `r+` may become a loop only where `r` must be acyclic anyway,
 * by another axiom (`covered`); elsewhere it stays one step.
 */
export interface Automaton {
  /** Number of states; state 0, the hub, is both initial and final. */
  readonly states: number;
  /** Steps from event to event along a relation that is not taken apart. */
  readonly steps: readonly { readonly from: number; readonly to: number; readonly term: TermId }[];
  /** Changes of state at one event, if it is in a set (or always, without a set). */
  readonly tests: readonly { readonly from: number; readonly to: number; readonly set?: TermId }[];
  /** Relations `r` with a loop of their own: acyclicity of the graph implies that of each. */
  readonly loops: readonly TermId[];
}

/**
 * The relation that an axiom requires to have no cycle: `acyclic r`, `irreflexive r+`. Undefined
 * for every other axiom, negated ones and flags included.
 */
export function acyclicTerm(model: Model, axiom: Axiom): TermId | undefined {
  return axiom.negated || axiom.flag ? undefined : cyclicTerm(model, axiom);
}

/** The relation whose cycles an axiom is about, negated or not; undefined: it is about none. */
export function cyclicTerm(model: Model, axiom: Axiom): TermId | undefined {
  if (axiom.test === 'empty') return undefined;
  if (axiom.test === 'acyclic') return axiom.term;
  const term = model.terms[axiom.term];
  return term.op === 'plus' ? term.arg : undefined;
}

/** The operands of a union, closures of unions included: `a | (b | c)+` has `a`, `b`, `c`. */
function operands(model: Model, id: TermId, found = new Set<TermId>()): ReadonlySet<TermId> {
  const term = model.terms[id];
  if (term.op === 'union') {
    operands(model, term.left, found);
    operands(model, term.right, found);
  } else if (term.op === 'plus') operands(model, term.arg, found);
  else found.add(id);
  return found;
}

/** Does every cycle of `a` consist of steps of `b`, by the shape of the two terms? */
function within(model: Model, a: TermId, b: TermId): boolean {
  const outer = operands(model, b);
  return [...operands(model, a)].every((id) => outer.has(id));
}

/** The axioms that need checking, each acyclicity with its automaton. */
export interface AxiomPlan {
  readonly acyclic: readonly { readonly axiom: Axiom; readonly automaton: Automaton }[];
  readonly others: readonly Axiom[];
}

/** Takes the axioms of a model (not its flags) apart; one that a loop of another implies is dropped. */
export function planAxioms(model: Model): AxiomPlan {
  const axioms = model.axioms.filter((a) => !a.flag);
  const required = axioms.flatMap((axiom) => {
    const term = acyclicTerm(model, axiom);
    return term === undefined ? [] : [{ axiom, term }];
  });
  const covered = (arg: TermId) => required.some(({ term }) => within(model, arg, term));
  const all = required.map(({ axiom, term }) => ({
    axiom,
    term,
    automaton: cycleAutomaton(model, term, covered),
  }));
  const kept = [...all];
  for (const one of all) {
    const implied = kept.some(
      (other) => other !== one && other.automaton.loops.some((l) => within(model, one.term, l)),
    );
    if (implied) kept.splice(kept.indexOf(one), 1);
  }
  return {
    acyclic: kept.map(({ axiom, automaton }) => ({ axiom, automaton })),
    others: axioms.filter((axiom) => acyclicTerm(model, axiom) === undefined),
  };
}

/** The automaton of all non-empty sequences of steps of a relation, from hub to hub. */
export function cycleAutomaton(
  model: Model,
  relation: TermId,
  covered: (arg: TermId) => boolean,
): Automaton {
  const steps: Automaton['steps'][number][] = [];
  const tests: Automaton['tests'][number][] = [];
  const loops: TermId[] = [];
  let states = 1;

  const add = (id: TermId, from: number, to: number): void => {
    const term = model.terms[id];
    if (term.op === 'union') {
      add(term.left, from, to);
      add(term.right, from, to);
    } else if (term.op === 'seq') {
      const between = states++;
      add(term.left, from, between);
      add(term.right, between, to);
    } else if (term.op === 'identity') {
      tests.push({ from, to, set: term.arg });
    } else if (term.op === 'opt') {
      tests.push({ from, to });
      add(term.arg, from, to);
    } else if (term.op === 'plus' && from === to) {
      // At the hub everything is repeated anyway.
      add(term.arg, from, to);
    } else if ((term.op === 'plus' || term.op === 'star') && covered(term.arg)) {
      const inside = states++;
      loops.push(term.arg);
      if (term.op === 'plus') add(term.arg, from, inside);
      else tests.push({ from, to: inside });
      add(term.arg, inside, inside);
      tests.push({ from: inside, to });
    } else {
      // All others say nothing of paths.
      steps.push({ from, to, term: id });
    }
  };
  add(relation, 0, 0);
  return { states, steps, tests, loops };
}
