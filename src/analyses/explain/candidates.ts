import type { Bounds } from '../../encode/bounds/bounds.js';
import type { Lit } from '../../encode/formula.js';
import type { EventStructure } from '../../program/events/structure.js';
import type { Axiom, Model } from '../../model/term.js';
import type { Program, StateQuery } from '../../program/program.js';
import type { CheckSession, SessionOptions } from '../../check/session.js';
import { openSession } from '../../check/session.js';
import type { SolverFactory } from '../../solve/solver.js';
import type { Verified } from '../../check/witness/verify.js';
import type { Fact } from './facts.js';
import { literalOf } from './facts.js';

/**
 * The candidates: executions of a program that satisfy a query. Each question is about those that also satisfy some axioms of
 * a model. There is one session for each set of axioms, opened at the first question.
 */
export interface Candidates {
  /** A candidate that satisfies the axioms, and is in the cases asked for. The concrete evaluator has checked it. */
  find(axioms: readonly Axiom[], cases?: CaseFilter): CandidateSearch;
  /** What all candidates have in common. These bounds do not depend on axioms. */
  common(): CommonToAll | { readonly reason: string };
  /** Frees the solvers. */
  dispose(): void;
}

export interface CommonToAll {
  readonly structure: EventStructure;
  readonly bounds: Bounds;
  readonly query: StateQuery;
}

/** The candidates in which all of the facts are true. */
export type CandidateCase = readonly Fact[];

export interface CaseFilter {
  readonly within?: CandidateCase;
  /** In each of these, some fact must be false. */
  readonly without?: readonly CandidateCase[];
}

export type CandidateSearch =
  | { readonly kind: 'found'; readonly verified: Verified }
  | {
      readonly kind: 'none';
      /** Those of the cases to be without that are enough for that; undefined: the solver cannot tell. */
      readonly enough?: readonly CandidateCase[];
    }
  | { readonly kind: 'unknown'; readonly reason: string };

interface Opened {
  readonly session: CheckSession;
  /** The query, or for `forall` its negation. */
  readonly wanted: Lit;
  /** Literals of the cases that were asked about. */
  readonly cases: Map<CandidateCase, Lit>;
}

export function candidatesOf(
  program: Program,
  query: StateQuery,
  model: Model,
  newSolver: SolverFactory,
  options: SessionOptions,
): Candidates {
  const sessions = new Map<string, Opened>();
  const open = (axioms: readonly Axiom[]): Opened | { readonly reason: string } => {
    const key = axioms.map((axiom) => axiom.name).join();
    const known = sessions.get(key);
    if (known !== undefined) return known;
    const session = openSession(program, { ...model, axioms }, newSolver, {
      ...options,
      // All sessions are about the same events, whichever could be left out under some of the axioms.
      unrolledFor: model,
    });
    if ('reason' in session) return session;
    const condition = session.encoding.condition(query.condition);
    const wanted = query.quantifier === 'forall' ? -condition : condition;
    const opened = { session, wanted, cases: new Map<CandidateCase, Lit>() };
    sessions.set(key, opened);
    return opened;
  };

  const literal = (
    { session: { structure, encoding }, cases }: Opened,
    facts: CandidateCase,
  ): Lit => {
    const known = cases.get(facts);
    if (known !== undefined) return known;
    const made = encoding.formula.and(...facts.map((f) => literalOf(structure, encoding, f)));
    cases.set(facts, made);
    return made;
  };

  return {
    find(axioms, { within = [], without = [] } = {}) {
      const opened = open(axioms);
      if ('reason' in opened) return { kind: 'unknown', reason: opened.reason };
      const meant = [literal(opened, within), ...without.map((facts) => -literal(opened, facts))];
      const found = opened.session.find(opened.wanted, ...meant);
      if (found.kind !== 'none' || found.core === undefined) return found;
      const core = new Set(found.core);
      return { kind: 'none', enough: without.filter((facts) => core.has(-literal(opened, facts))) };
    },
    common: () => {
      const opened = open([]);
      if ('reason' in opened) return opened;
      const { structure, bounds } = opened.session;
      return { structure, bounds, query };
    },
    dispose: () => sessions.forEach(({ session }) => session.solver.dispose()),
  };
}
