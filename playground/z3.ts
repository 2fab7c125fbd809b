import type { SolverFactory } from '../src/solve/solver.js';
import type { InitZ3 } from '../src/solve/z3/module.js';
import { startZ3 } from '../src/solve/z3/start.js';
import { unpacked } from './unpacked.js';

/** Where the site has Z3, beside the page: its script as it is, and its code, packed. */
const SCRIPT = 'z3/z3-built.js';
const CODE = 'z3/z3-built.wasm.packed';

/**
 * Loads Z3 from the site and starts it in this worker, which needs a page that is isolated. Fails with an error where the
 * network or the memory does.
 */
export async function loadZ3(): Promise<SolverFactory> {
  const script = new URL(SCRIPT, location.href).href;
  try {
    const [init, code] = await Promise.all([
      initOf(script),
      unpacked(new URL(CODE, location.href)),
    ]);
    return await startZ3(init, code, script);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Z3 could not be loaded: ${reason}`, { cause: error });
  }
}

/** What the script gives, once it is there: the browser runs a script just once. */
let given: Promise<InitZ3> | undefined;
/** How often the script failed: the browser remembers the address of one that did. */
let failures = 0;

function initOf(script: string): Promise<InitZ3> {
  const address = failures === 0 ? script : `${script}?again=${failures}`;
  given ??= run(address).catch((error: unknown) => {
    given = undefined;
    failures += 1;
    throw error;
  });
  return given;
}

/** Runs the script. It is no module: it gives what it gives to `define`, as the convention of AMD has it. */
async function run(address: string): Promise<InitZ3> {
  let init: InitZ3 | undefined;
  const define = (_: unknown, make: () => InitZ3): void => {
    init = make();
  };
  Object.assign(self, { define: Object.assign(define, { amd: true }) });
  await import(address);
  if (init === undefined) throw new Error(`${SCRIPT}: another script`);
  return init;
}
