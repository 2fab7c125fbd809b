import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { SolverFactory } from '../solve/solver.js';
import type { InitZ3 } from '../solve/z3/module.js';
import { startZ3 } from '../solve/z3/start.js';

/** Loads Z3 (about 0.2 s) from the package `z3-solver`, and gives a factory of solvers in this instance. */
export function loadZ3(): Promise<SolverFactory> {
  // The package's own entry also builds interfaces of its own; these two files are all it takes.
  const require = createRequire(import.meta.url);
  const init = require('z3-solver/build/z3-built') as InitZ3;
  return startZ3(init, readFileSync(require.resolve('z3-solver/build/z3-built.wasm')));
}
