import type { Solver, SolverAnswer } from '../solver.js';
import type { Z3Module } from './module.js';

const SAT = 1;
const UNSAT = -1;
const TRUE = 1;

/** One instance of Z3 with one context, and the terms of variables 1, 2, … and their negations. */
interface Z3Instance {
  readonly em: Z3Module;
  readonly context: number;
  readonly term: (literal: number) => number;
  readonly integer: (integer: number) => number;
}

/** A solver in an instance. The logic is a symbol of the instance. */
export function createSolver({ em, context, term, integer }: Z3Instance, logic: number): Solver {
  const solver = em._Z3_mk_solver_for_logic(context, logic);
  em._Z3_solver_inc_ref(context, solver);
  const buffer = new TermBuffer(em);
  let model = 0;

  const forgetModel = (): void => {
    if (model !== 0) em._Z3_model_dec_ref(context, model);
    model = 0;
  };

  return {
    addClause(clause) {
      const asserted =
        clause.length === 0
          ? em._Z3_mk_false(context)
          : clause.length === 1
            ? term(clause[0])
            : em._Z3_mk_or(context, clause.length, buffer.fill(clause.map(term)));
      em._Z3_solver_assert(context, solver, asserted);
    },
    addLess(smaller, larger, where) {
      const less = em._Z3_mk_lt(context, integer(smaller), integer(larger));
      em._Z3_inc_ref(context, less);
      const asserted =
        where === undefined ? less : em._Z3_mk_or(context, 2, buffer.fill([term(-where), less]));
      em._Z3_solver_assert(context, solver, asserted);
      em._Z3_dec_ref(context, less);
    },
    check(assumptions): SolverAnswer {
      forgetModel();
      const terms = buffer.fill(assumptions.map(term));
      const answer = em._Z3_solver_check_assumptions(context, solver, assumptions.length, terms);
      if (answer === UNSAT) return { kind: 'unsat' };
      if (answer !== SAT) return { kind: 'unknown', reason: reasonUnknown(em, context, solver) };
      model = em._Z3_solver_get_model(context, solver);
      em._Z3_model_inc_ref(context, model);
      return { kind: 'sat' };
    },
    value(variable) {
      if (model === 0) throw new Error('there is no solution to read');
      const decl = em._Z3_get_app_decl(context, term(variable));
      const value = em._Z3_model_get_const_interp(context, model, decl);
      // A variable that the solution leaves open may have either value.
      return value !== 0 && em._Z3_get_bool_value(context, value) === TRUE;
    },
    dispose() {
      forgetModel();
      em._Z3_solver_dec_ref(context, solver);
      buffer.free();
    },
  };
}

/** Why the last question to a solver has no answer, as Z3 says it. */
const reasonUnknown = (em: Z3Module, context: number, solver: number): string =>
  em.ccall('Z3_solver_get_reason_unknown', 'string', ['number', 'number'], [context, solver]);

/** Memory of the instance through which lists of terms are handed to it. It grows with the lists. */
class TermBuffer {
  /** Where it begins; 0: nowhere yet. */
  private address = 0;
  /** In terms. */
  private capacity = 0;

  constructor(private readonly em: Z3Module) {}

  /** Puts terms into the buffer over what was there. Gives its address. */
  fill(terms: readonly number[]): number {
    if (terms.length > this.capacity) {
      this.free();
      this.capacity = Math.max(64, 2 * terms.length);
      this.address = this.em._malloc(4 * this.capacity);
    }
    for (let i = 0; i < terms.length; i++) this.em.HEAP32[(this.address >> 2) + i] = terms[i];
    return this.address;
  }

  free(): void {
    if (this.address !== 0) this.em._free(this.address);
  }
}
