// Node processes that are measured, and numbers about them.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { scriptOf } from './scripts.js';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
export const CLI = fileURLToPath(new URL('../dist/cli/main.cjs', import.meta.url));

/** What came of a script. */
export interface Ran<Found> {
  readonly objects: readonly Found[];
  /** Why it ended early, if it did. */
  readonly end?: string;
  readonly seconds: number;
}

/**
 * Runs a script of this folder, one of those that end with `-run`, which prints JSON, an object a line: the objects and the seconds that
 * it took, start included. It may be ended by the time limit, or may run out of memory: what it had
 * printed counts.
 */
export function runScript<Given extends object, Found>(
  name: string,
  argument: Given,
  timeLimit = 600,
): Ran<Found> {
  const started = performance.now();
  const { stdout, stderr, status, error } = spawnSync(
    process.execPath,
    [scriptOf(name), JSON.stringify(argument)],
    // A solver that runs synchronously cannot react to SIGTERM.
    { cwd: ROOT, encoding: 'utf8', timeout: timeLimit * 1000, killSignal: 'SIGKILL' },
  );
  const seconds = (performance.now() - started) / 1000;
  const whole = stdout.slice(0, stdout.lastIndexOf('\n') + 1);
  const lines = whole.split('\n').filter((line) => line !== '');
  const end =
    codeOf(error) === 'ETIMEDOUT'
      ? 'time'
      : status === 0
        ? undefined
        : (/(?:Error|FATAL ERROR): .*/.exec(stderr)?.[0] ?? `exit ${status}`);
  return { objects: lines.map((line) => JSON.parse(line) as Found), end, seconds };
}

/** What a script was given. */
export const given = <Given>(): Given => JSON.parse(process.argv[2]) as Given;

/** The code of an error of the system. */
export const codeOf = (error: Error | undefined): string | undefined =>
  (error as NodeJS.ErrnoException | undefined)?.code;

/** Seconds that a command of Remora takes, process start included. */
export function timeCommand(args: readonly string[]): number {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [CLI, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // Verdicts may depart or be undecided; bad usage would measure nothing.
  if (status === 2 || status === null) throw new Error(`remora ${args.join(' ')}: ${stderr}`);
  return (performance.now() - started) / 1000;
}

/** Seconds that Node takes to do nothing. */
export function timeBareNode(): number {
  const started = performance.now();
  spawnSync(process.execPath, ['-e', '0'], { stdio: 'ignore' });
  return (performance.now() - started) / 1000;
}

export const range = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i);

/** A number with three digits after the point. */
export const round = (n: number): number => Math.round(n * 1000) / 1000;

/** Of some numbers. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Median, least and greatest of some numbers. */
export function spread(numbers: readonly number[]): Spread {
  const sorted = [...numbers].sort((a, b) => a - b);
  return {
    median: round(sorted[Math.floor(sorted.length / 2)]),
    min: round(sorted[0]),
    max: round(sorted.at(-1)!),
  };
}
