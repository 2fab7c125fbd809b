import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Tests with a native Z3 are skipped if there is none, and their names say so: Remora does not need
 * one. With `REMORA_NATIVE=1` there must be one, or these tests fail.
 */
const Z3_MISSING = !(process.env['PATH'] ?? '')
  .split(delimiter)
  .some((folder) => existsSync(join(folder, 'z3')));

export const Z3_REQUIRED = process.env['REMORA_NATIVE'] === '1';

export const SKIP_Z3 = Z3_MISSING && !Z3_REQUIRED;

/** To be put in the names of those tests. */
export const NATIVE_Z3 = SKIP_Z3
  ? 'native z3 (SKIPPED: there is no z3 on the PATH; Debian: apt-get install z3)'
  : 'native z3';

if (SKIP_Z3) process.stderr.write(`tests with ${NATIVE_Z3}\n`);

/** To be called before those tests. */
export function needZ3(): void {
  if (Z3_MISSING) throw new Error('there is no z3 on the PATH: run `apt-get install z3`');
}
