import type { Bounds } from '../bounds/bounds.js';
import type { Lit } from '../encode/formula.js';
import type { Axiom, Model } from '../model/term.js';
import type { Program, Query } from '../program/program.js';
import type { Session, SessionOptions } from '../check/session.js';
import { openSession } from '../check/session.js';
import type { SolverFactory } from '../solve/solver.js';
import type { Verified } from '../witness/verify.js';
import type { Fact } from './facts.js';
import { literalOf } from './facts.js';

/**
 * Executions of a program that satisfy a query, and some of a model's axioms. One session for each set
 * of axioms, opened when it is first asked.
 */
export interface Candidates {
  /** One that has the axioms; it was checked by the concrete evaluator. */
  find(axioms: readonly Axiom[]): Found;
  /** The bounds that no axiom narrows down, so that they hold for every candidate, if there are any. */
  bounds(): Bounds | { readonly reason: string };
  /** From now on, only candidates in which some of the facts is not true. */
  exclude(facts: readonly Fact[]): void;
  /** Frees the solvers. */
  dispose(): void;
}

export type Found =
  | { readonly kind: 'found'; readonly verified: Verified }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly reason: string };

interface Opened {
  readonly session: Session;
  /** The query, or for `forall` its negation. */
  readonly wanted: Lit;
  /** How many of the exclusions this session has. */
  excluded: number;
}

export function candidatesOf(
  program: Program,
  query: Query,
  model: Model,
  newSolver: SolverFactory,
  options: SessionOptions,
): Candidates {
  const sessions = new Map<string, Opened>();
  const exclusions: (readonly Fact[])[] = [];

  const open = (axioms: readonly Axiom[]): Opened | { readonly reason: string } => {
    const key = axioms.map((axiom) => axiom.name).join();
    const known = sessions.get(key);
    if (known !== undefined) return known;
    const session = openSession(program, { ...model, axioms }, newSolver, options);
    if ('reason' in session) return session;
    const condition = session.encoding.condition(query.condition);
    const wanted = query.quantifier === 'forall' ? -condition : condition;
    const opened = { session, wanted, excluded: 0 };
    sessions.set(key, opened);
    return opened;
  };

  return {
    find(axioms) {
      const opened = open(axioms);
      if ('reason' in opened) return { kind: 'unknown', reason: opened.reason };
      const { session, wanted } = opened;
      for (; opened.excluded < exclusions.length; opened.excluded++) {
        const facts = exclusions[opened.excluded];
        const { structure, encoding } = session;
        encoding.formula.assert(...facts.map((fact) => -literalOf(structure, encoding, fact)));
      }
      return session.find(wanted);
    },
    bounds: () => {
      const opened = open([]);
      return 'reason' in opened ? opened : opened.session.bounds;
    },
    exclude: (facts) => void exclusions.push(facts),
    dispose: () => sessions.forEach(({ session }) => session.solver.dispose()),
  };
}
