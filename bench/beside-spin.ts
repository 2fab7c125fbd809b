// How large and how fast explorations are, beside those of SPIN.
import { spawnSync } from 'node:child_process';
import { testAt } from './inputs.js';
import type { Spread } from './process.js';
import { range, runScript, spread } from './process.js';
import { promelaOf } from './promela.js';
import type { SpinFound, SpinGiven } from './spin-run.js';
import { isOnPath, spin } from './spin.js';

/** All states of a lock: how many, the bytes of one and of all that is kept. */
export interface AllStates extends Omit<SpinFound, 'seconds'> {
  readonly seconds: Spread;
}

export interface BesideSpin {
  readonly version?: string;
  readonly tlc: boolean;
  readonly locks: readonly {
    readonly threads: string;
    readonly ours: AllStates;
    readonly spin?: AllStates;
  }[];
}

/** Threads, and files whose first query is whether two of them are in. */
const LOCKS = [
  ['1 local, 1 remote', 'corpus/locks/alock-1-1.litmus'],
  ['2 local, 1 remote', 'corpus/locks/alock-2-1.litmus'],
  ['1 local, 2 remote', 'corpus/locks/alock-1-2.litmus'],
  ['2 local, 2 remote', 'bench/locks/alock-2-2.litmus'],
];

/** Whether two are in: all states of ALock under SC, by Remora and by SPIN. Undefined figures: the checker is not there. */
export function measureSpin(runs: number): BesideSpin {
  const isThere = ['spin', 'gcc'].every(isOnPath);
  const locks = LOCKS.map(([threads, path]) => {
    const { objects } = runScript<SpinGiven, SpinFound>('spin-run', { path, runs });
    const [{ seconds, ...found }] = objects;
    const ours = { ...found, seconds: spread(seconds) };
    return { threads, ours, ...(isThere && { spin: bySpin(path, runs) }) };
  });
  return { version: isThere ? versionOf() : undefined, tlc: isOnPath('tlc'), locks };
}

function bySpin(path: string, runs: number): AllStates {
  const test = testAt(path);
  const found = range(runs).map(() => spin(promelaOf(test), 'states', 'large'));
  if (found.some(({ errors }) => errors.length > 0))
    throw new Error(`SPIN finds an error in ${path}`);
  const { states, bytes, size } = found[0];
  return { states, bytes, size, seconds: spread(found.map((f) => f.seconds)) };
}

const versionOf = (): string =>
  /Version ([\d.]+)/.exec(spawnSync('spin', ['-V'], { encoding: 'utf8' }).stdout)![1];
