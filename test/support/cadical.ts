import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseSteps } from '../../src/proof/dimacs.js';
import type { RefutationStep } from '../../src/proof/refutation.js';
import { valueOf } from './litmus.js';

/** As with a native Z3: what needs CaDiCaL is skipped where there is none, unless there must be one. */
const MISSING = !(process.env['PATH'] ?? '')
  .split(delimiter)
  .some((folder) => existsSync(join(folder, 'cadical')));
export const SKIP_CADICAL = MISSING && process.env['REMORA_NATIVE'] !== '1';

/** To be put in the names of tests. */
export const CADICAL = SKIP_CADICAL
  ? 'CaDiCaL (SKIPPED: there is no `cadical`; Debian: apt-get install cadical)'
  : 'CaDiCaL';

/** Exit codes, as solvers agree on them. */
export const SATISFIABLE = 10;
export const UNSATISFIABLE = 20;

/** What CaDiCaL says of a text in DIMACS, by its exit code, and the steps by which it came to it. */
export function cadical(dimacs: string): {
  readonly code: number;
  readonly steps: readonly RefutationStep[];
} {
  const folder = mkdtempSync(join(tmpdir(), 'remora-cadical-'));
  try {
    const [clauses, steps] = ['x.cnf', 'x.drat'].map((name) => join(folder, name));
    writeFileSync(clauses, dimacs);
    const { status, error } = spawnSync('cadical', ['-q', '--no-binary', clauses, steps]);
    if (status === null) throw error ?? new Error('cadical was ended');
    const text = readFileSync(steps, 'utf8');
    return { code: status, steps: valueOf(parseSteps({ path: steps, text })) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
