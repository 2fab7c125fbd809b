import { isOnPath } from '../../bench/spin.js';
import { Z3_REQUIRED as REQUIRED } from './native.js';

/** As with a native Z3: what needs SPIN is skipped where there is none, unless there must be one. */
const MISSING = ['spin', 'gcc'].filter((program) => !isOnPath(program));
export const SKIP_SPIN = MISSING.length > 0 && !REQUIRED;

/** To be put in the names of tests. */
export const SPIN = SKIP_SPIN
  ? `SPIN (SKIPPED: there is no ${MISSING.join(', ')} on the PATH; Debian: apt-get install spin gcc)`
  : 'SPIN';

if (SKIP_SPIN) process.stderr.write(`tests with ${SPIN}\n`);

/** To be called before those tests. */
export function needSpin(): void {
  if (MISSING.length > 0) throw new Error(`missing on the PATH: ${MISSING.join(', ')}`);
}
