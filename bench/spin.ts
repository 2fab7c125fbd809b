// SPIN, on models of promela.ts.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

export const isOnPath = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

/** How SPIN is asked: for bad states, for rounds without progress that are weakly fair, or for such rounds against the formula of the model. */
const ASKED = {
  states: { compiled: ['-DSAFETY'], run: [] },
  rounds: { compiled: ['-DNP'], run: ['-l', '-f'] },
  formula: { compiled: ['-DNOREDUCE'], run: ['-a', '-f'] },
};

/**
 * For large models and for small ones: whether the search is made fast, which takes long, how deep it goes at most, and
 * how many places its table has, as a power of 2.
 */
const SIZES = {
  large: { compiled: ['-O2'], run: ['-m5000000', '-w26'] },
  small: { compiled: [], run: ['-m1000000', '-w20'] },
};

export interface SpinResult {
  /** Each once, in its words. */
  readonly errors: readonly string[];
  readonly states: number;
  readonly seconds: number;
  /** Bytes of a state, and of all that are kept. */
  readonly bytes: number;
  readonly size: number;
}

/**
 * What SPIN finds in a model: its errors, each once, without end of the search at the first; how many states it keeps, the
 * seconds of the search, the bytes of a state, and those of all states. Throws where SPIN fails.
 */
export function spin(
  model: string,
  asked: keyof typeof ASKED,
  size: keyof typeof SIZES,
): SpinResult {
  const cwd = mkdtempSync(join(tmpdir(), 'remora-spin-'));
  try {
    writeFileSync(join(cwd, 'model.pml'), model);
    const call = (program: string, ...args: readonly string[]): string => {
      const { stdout, stderr, status } = spawnSync(program, args, { cwd, encoding: 'utf8' });
      if (status !== 0) throw new Error(`${program} fails: ${stdout}${stderr}`);
      return stdout;
    };
    const options = (name: 'compiled' | 'run') => [...ASKED[asked][name], ...SIZES[size][name]];
    call('spin', '-a', 'model.pml');
    call('gcc', '-w', ...options('compiled'), '-o', 'pan', 'pan.c');
    return read(call('./pan', '-c0', ...options('run')));
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

function read(said: string): SpinResult {
  if (/max search depth too small|out of memory/.test(said)) throw new Error(said);
  const number = (pattern: RegExp): number => Number(pattern.exec(said)![1]);
  const states = number(/([\d.e+]+) states, stored/);
  const found = said.matchAll(/^pan:\d+: (.*?) \(at depth/gm);
  return {
    errors: [...new Set([...found].map(([, what]) => what))],
    states,
    seconds: number(/elapsed time ([\d.e+]+) seconds/),
    bytes: number(/State-vector (\d+) byte/),
    size: number(/([\d.]+)\tactual memory usage for states/) * 2 ** 20,
  };
}
