import type { SolverFactory } from '../solver.js';
import { INTEGER_LOGIC } from '../solver.js';
import type { InitZ3, Instantiate, Z3Module } from './module.js';
import { createSolver } from './solver.js';
import { integers, variables } from './terms.js';

/**
 * Starts an instance of Z3 and gives a factory of solvers in it. Whoever calls has loaded the two files of the build:
 * they come from a disk or from a site.
 *
 * The C interface and synchronous calls only: Z3's interface for JavaScript runs finalizers beside a
 * running check and corrupts itself. Solvers share one context, since making and freeing one
 * costs more than most queries, and its variables, which are made in the same order every time.
 *
 * @param init what the script `z3-built.js` gives
 * @param wasm the bytes of `z3-built.wasm`
 * @param script the address of the script, where it cannot tell itself
 */
export async function startZ3(
  init: InitZ3,
  wasm: Uint8Array<ArrayBuffer>,
  script?: string,
): Promise<SolverFactory> {
  const em = await new Promise<Z3Module>((resolve, reject) => {
    const made = init({
      instantiateWasm: instantiate(wasm, reject),
      // Errors are thrown as well, so Z3 need not print them.
      printErr: () => undefined,
      ...(script !== undefined && { mainScriptUrlOrBlob: script }),
    });
    made.then(resolve, reject);
  });
  const config = em._Z3_mk_config();
  const context = em._Z3_mk_context_rc(config);
  em._set_noop_error_handler(context);
  em._Z3_del_config(config);
  const symbol = (text: string): number =>
    em.ccall('Z3_mk_string_symbol', 'number', ['number', 'string'], [context, text]);
  const logics = {
    // Pure propositional clauses: the finite-domain solver is Z3's SAT solver.
    clauses: symbol('QF_FD'),
    integers: symbol(INTEGER_LOGIC),
  };
  const [term, integer] = [variables(em, context), integers(em, context)];
  const instance = { em, context, term, integer };
  return (options = {}) =>
    createSolver(instance, options.integers === true ? logics.integers : logics.clauses);
}

/**
 * Instantiates Z3 with a table of functions that remembers what it was asked for. The package is
 * built with assertions: each of Z3's many indirect calls looks its function up in the table
 * again, which takes a tenth of all time.
 */
function instantiate(wasm: Uint8Array<ArrayBuffer>, fail: (error: unknown) => void): Instantiate {
  return (imports, receive) => {
    const made = WebAssembly.instantiate(wasm, imports).then(({ instance, module }) => {
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
    made.catch(fail);
    return {};
  };
}
