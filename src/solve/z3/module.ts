/** What the WebAssembly build of Z3 is, to those who start it and ask it. */

/** Makes an instance; it is what the script of the build, `z3-built.js`, gives. */
export type InitZ3 = (options: Z3Options) => Promise<Z3Module>;

export interface Z3Options {
  readonly instantiateWasm: Instantiate;
  readonly printErr: () => void;
  /** Where threads of Z3 find the script, if it cannot tell itself. */
  readonly mainScriptUrlOrBlob?: string;
}

/** Emscripten's hook: instantiates the module with the given imports and hands the instance over. */
export type Instantiate = (
  imports: WebAssembly.Imports,
  receive: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
) => object;

/** The few functions of Z3's C interface that are used. Handles are numbers. */
export interface Z3Module {
  readonly HEAP32: Int32Array;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  /** For functions that take or give texts. */
  ccall(name: string, result: 'string', types: readonly 'number'[], args: number[]): string;
  ccall(
    name: string,
    result: 'number',
    types: readonly ['number', 'string'],
    args: [number, string],
  ): number;
  _set_noop_error_handler(context: number): void;
  _Z3_mk_config(): number;
  _Z3_del_config(config: number): void;
  _Z3_mk_context_rc(config: number): number;
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
  _Z3_mk_solver_for_logic(context: number, logic: number): number;
  _Z3_solver_inc_ref(context: number, solver: number): void;
  _Z3_solver_dec_ref(context: number, solver: number): void;
  _Z3_solver_assert(context: number, solver: number, term: number): void;
  _Z3_solver_check_assumptions(
    context: number,
    solver: number,
    count: number,
    terms: number,
  ): number;
  _Z3_solver_get_model(context: number, solver: number): number;
  _Z3_model_inc_ref(context: number, model: number): void;
  _Z3_model_dec_ref(context: number, model: number): void;
  _Z3_get_app_decl(context: number, app: number): number;
  _Z3_model_get_const_interp(context: number, model: number, decl: number): number;
  _Z3_get_bool_value(context: number, term: number): number;
}
