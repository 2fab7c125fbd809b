/** Z3's code is optimised late: most runs end before optimising pays. */
const TIERING = '--wasm-tiering-budget=30000000';

/** The same for Remora's own code. Over the corpus this saves a fifth of all processor time. */
const INTERRUPTS = '--interrupt-budget=500000';

/** A function that is optimised has less of the functions that it calls in it: what comes of that costs less than to compile it. */
const INLINING = '--max-inlined-bytecode-size-cumulative=400';

/** Z3's functions are validated when they are first called, since most are never called. */
const VALIDATION = '--wasm-lazy-validation';

/** The flags for each version of V8 that is known to have them. Other versions would complain on standard error. */
const FLAGS: { readonly [version: string]: readonly string[] } = {
  // Node 20, 22 and 24.
  '11': [INTERRUPTS, INLINING, TIERING, VALIDATION],
  '12': [INLINING, TIERING, VALIDATION],
  '13': [INLINING, TIERING, VALIDATION],
};

/** V8's flags for short runs. */
export const V8_FLAGS = FLAGS[process.versions.v8.split('.')[0]] ?? [];
