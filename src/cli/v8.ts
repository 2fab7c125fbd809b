/** Most runs are over before better code of hot functions pays for its making: that of Z3, … */
const TIERING = '--wasm-tiering-budget=30000000';

/** … and that of Remora. Over the corpus this saves a fifth of all processor time. */
const INTERRUPTS = '--interrupt-budget=500000';

/** Most of Z3's functions are never called: each is checked when it is, not all of them at the start. */
const VALIDATION = '--wasm-lazy-validation';

/** By versions of V8 that are known to have them: others would complain on standard error. */
const FLAGS: { readonly [version: string]: readonly string[] } = {
  // Node 20, 22 and 24.
  '11': [INTERRUPTS, TIERING, VALIDATION],
  '12': [TIERING, VALIDATION],
  '13': [TIERING, VALIDATION],
};

/** Flags that set V8 up for runs that are short. */
export const V8_FLAGS = FLAGS[process.versions.v8.split('.')[0]] ?? [];
