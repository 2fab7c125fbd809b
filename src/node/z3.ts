import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Solver, SolverAnswer, SolverFactory } from '../solve/solver.js';
import { INTEGER_LOGIC } from '../solve/solver.js';

/** The few functions of Z3's C interface that are used, as the WebAssembly build exports them. */
interface Z3Module {
  readonly HEAP32: Int32Array;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  _Z3_mk_bool_sort(context: number): number;
  _Z3_mk_int_sort(context: number): number;
  _Z3_mk_int_symbol(context: number, index: number): number;
  _Z3_mk_const(context: number, symbol: number, sort: number): number;
  _Z3_mk_not(context: number, term: number): number;
  _Z3_mk_or(context: number, count: number, terms: number): number;
  _Z3_mk_lt(context: number, smaller: number, larger: number): number;
  _Z3_mk_false(context: number): number;
  _Z3_inc_ref(context: number, term: number): void;
  _Z3_dec_ref(context: number, term: number): void;
  _Z3_solver_assert(context: number, solver: number, term: number): void;
  _Z3_solver_check_assumptions(
    context: number,
    solver: number,
    count: number,
    terms: number,
  ): number;
  _Z3_get_app_decl(context: number, app: number): number;
  _Z3_model_get_const_interp(context: number, model: number, decl: number): number;
  _Z3_get_bool_value(context: number, term: number): number;
}

interface Z3Api {
  mk_config(): number;
  del_config(config: number): void;
  mk_context_rc(config: number): number;
  mk_string_symbol(context: number, text: string): number;
  mk_solver_for_logic(context: number, logic: number): number;
  solver_inc_ref(context: number, solver: number): void;
  solver_dec_ref(context: number, solver: number): void;
  solver_get_model(context: number, solver: number): number;
  solver_get_reason_unknown(context: number, solver: number): string;
  model_inc_ref(context: number, model: number): void;
  model_dec_ref(context: number, model: number): void;
}

const SAT = 1;
const UNSAT = -1;
const TRUE = 1;

/** One instance of Z3 with one context, and the terms of variables 1, 2, … and their negations. */
interface Z3Instance {
  readonly em: Z3Module;
  readonly Z3: Z3Api;
  readonly context: number;
  readonly term: (literal: number) => number;
  readonly integer: (integer: number) => number;
  readonly logics: { readonly clauses: number; readonly integers: number };
}

/**
 * Loads Z3 (about 0.2 s) and gives a factory of solvers in this instance.
 *
 * The low-level interface and synchronous calls only: the high-level one runs finalizers beside a
 * running check and corrupts itself. Solvers share one context, since making and freeing one
 * costs more than most queries, and its variables, which are made in the same order every time.
 */
export async function loadZ3(): Promise<SolverFactory> {
  // The package's own entry also builds the high-level interface; these two are all it needs.
  const require = createRequire(import.meta.url);
  const initModule: unknown = require('z3-solver/build/z3-built');
  const lowLevel = require('z3-solver/build/low-level') as {
    init(
      module: unknown,
      overrides: { readonly instantiateWasm: Instantiate; readonly printErr: () => void },
    ): Promise<{ readonly em: Z3Module; readonly Z3: Z3Api }>;
  };
  const wasm = readFileSync(require.resolve('z3-solver/build/z3-built.wasm'));
  const { em, Z3 } = await lowLevel.init(initModule, {
    instantiateWasm: instantiate(wasm),
    // Errors are thrown as well, so Z3 need not print them.
    printErr: () => undefined,
  });
  const config = Z3.mk_config();
  const context = Z3.mk_context_rc(config);
  Z3.del_config(config);
  const logics = {
    // Pure propositional clauses: the finite-domain solver is Z3's SAT solver.
    clauses: Z3.mk_string_symbol(context, 'QF_FD'),
    integers: Z3.mk_string_symbol(context, INTEGER_LOGIC),
  };
  const [term, integer] = [variables(em, context), integers(em, context)];
  const instance = { em, Z3, context, term, integer, logics };
  return (options = {}) =>
    createSolver(instance, options.integers === true ? logics.integers : logics.clauses);
}

/** Emscripten's hook: instantiates the module with the given imports and hands the instance over. */
type Instantiate = (
  imports: WebAssembly.Imports,
  receive: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
) => object;

/**
 * Instantiates Z3 with a table of functions that remembers what it was asked for. The package is
 * built with assertions: each of Z3's many indirect calls looks its function up in the table
 * again, which takes a tenth of all time.
 */
function instantiate(wasm: Uint8Array): Instantiate {
  return (imports, receive) => {
    void WebAssembly.instantiate(wasm, imports).then(({ instance, module }) => {
      const table = instance.exports.__indirect_function_table as WebAssembly.Table;
      // Made in its whole length: an array with holes is a slow map.
      let known: unknown[] = new Array<unknown>(table.length).fill(undefined);
      const get = table.get.bind(table);
      const set = table.set.bind(table);
      table.get = (index) => (known[index] ??= get(index));
      table.set = (index, value) => {
        if (index >= known.length) known = new Array<unknown>(table.length).fill(undefined);
        known[index] = undefined;
        set(index, value);
      };
      receive(instance, module);
    });
    return {};
  };
}

/** So many variables are made at a time: more than nearly all sessions need. */
const BLOCK = 2048;

/**
 * Makes the terms of variables and their negations, and keeps them. Many at once, before there are
 * clauses: Z3 numbers terms, uses the numbers of terms that are gone again, and goes by them in its
 * search. If variables were made one by one, what it finds would depend on what it was asked before.
 */
function variables(em: Z3Module, context: number): (literal: number) => number {
  const bool = em._Z3_mk_bool_sort(context);
  em._Z3_inc_ref(context, bool);
  const positive: number[] = [0];
  const negative: number[] = [0];
  return (literal) => {
    const variable = Math.abs(literal);
    const wanted = BLOCK * Math.ceil(variable / BLOCK);
    while (positive.length <= wanted) {
      const symbol = em._Z3_mk_int_symbol(context, positive.length);
      const atom = em._Z3_mk_const(context, symbol, bool);
      em._Z3_inc_ref(context, atom);
      const negated = em._Z3_mk_not(context, atom);
      em._Z3_inc_ref(context, negated);
      positive.push(atom);
      negative.push(negated);
    }
    return literal > 0 ? positive[variable] : negative[variable];
  };
}

/** The same for integer variables 0, 1, …. They may share numbers with others: types tell them apart. */
function integers(em: Z3Module, context: number): (integer: number) => number {
  const sort = em._Z3_mk_int_sort(context);
  em._Z3_inc_ref(context, sort);
  const terms: number[] = [];
  return (integer) => {
    while (terms.length <= integer) {
      const symbol = em._Z3_mk_int_symbol(context, terms.length);
      const term = em._Z3_mk_const(context, symbol, sort);
      em._Z3_inc_ref(context, term);
      terms.push(term);
    }
    return terms[integer];
  };
}

function createSolver({ em, Z3, context, term, integer }: Z3Instance, logic: number): Solver {
  const solver = Z3.mk_solver_for_logic(context, logic);
  Z3.solver_inc_ref(context, solver);
  let buffer = 0;
  let capacity = 0;
  let model = 0;

  const fill = (terms: readonly number[]): number => {
    if (terms.length > capacity) {
      if (buffer !== 0) em._free(buffer);
      capacity = Math.max(64, 2 * terms.length);
      buffer = em._malloc(4 * capacity);
    }
    for (let i = 0; i < terms.length; i++) em.HEAP32[(buffer >> 2) + i] = terms[i];
    return buffer;
  };

  const forgetModel = (): void => {
    if (model !== 0) Z3.model_dec_ref(context, model);
    model = 0;
  };

  return {
    addClause(clause) {
      const asserted =
        clause.length === 0
          ? em._Z3_mk_false(context)
          : clause.length === 1
            ? term(clause[0])
            : em._Z3_mk_or(context, clause.length, fill(clause.map(term)));
      em._Z3_solver_assert(context, solver, asserted);
    },
    addLess(smaller, larger, where) {
      const less = em._Z3_mk_lt(context, integer(smaller), integer(larger));
      em._Z3_inc_ref(context, less);
      const asserted =
        where === undefined ? less : em._Z3_mk_or(context, 2, fill([term(-where), less]));
      em._Z3_solver_assert(context, solver, asserted);
      em._Z3_dec_ref(context, less);
    },
    check(assumptions): SolverAnswer {
      forgetModel();
      const terms = fill(assumptions.map(term));
      const answer = em._Z3_solver_check_assumptions(context, solver, assumptions.length, terms);
      if (answer === UNSAT) return { kind: 'unsat' };
      if (answer !== SAT) {
        return { kind: 'unknown', reason: Z3.solver_get_reason_unknown(context, solver) };
      }
      model = Z3.solver_get_model(context, solver);
      Z3.model_inc_ref(context, model);
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
      Z3.solver_dec_ref(context, solver);
      if (buffer !== 0) em._free(buffer);
    },
  };
}
