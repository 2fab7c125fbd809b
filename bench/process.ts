// Node processes that are measured, and numbers about them.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
export const CLI = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

/**
 * Runs a script of this folder that prints JSON, an object a line: the objects and the seconds that
 * it took, start included. It may be ended by the time limit, or may run out of memory: what it had
 * printed counts.
 */
export function runScript(name, argument, timeLimit = 600) {
  const script = fileURLToPath(new URL(name, import.meta.url));
  const started = performance.now();
  const { stdout, stderr, status, error } = spawnSync(
    process.execPath,
    [script, JSON.stringify(argument)],
    // A solver that runs synchronously cannot react to SIGTERM.
    { cwd: ROOT, encoding: 'utf8', timeout: timeLimit * 1000, killSignal: 'SIGKILL' },
  );
  const seconds = (performance.now() - started) / 1000;
  const whole = stdout.slice(0, stdout.lastIndexOf('\n') + 1);
  const lines = whole.split('\n').filter((line) => line !== '');
  const end =
    error?.code === 'ETIMEDOUT'
      ? 'time'
      : status === 0
        ? undefined
        : (/(?:Error|FATAL ERROR): .*/.exec(stderr)?.[0] ?? `exit ${status}`);
  return { objects: lines.map((line) => JSON.parse(line)), end, seconds };
}

/** Seconds that a command of Remora takes, process start included. */
export function timeCommand(args) {
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
export function timeBareNode() {
  const started = performance.now();
  spawnSync(process.execPath, ['-e', '0'], { stdio: 'ignore' });
  return (performance.now() - started) / 1000;
}

export const range = (n) => Array.from({ length: n }, (_, i) => i);

/** A number with three digits after the point. */
export const round = (n) => Math.round(n * 1000) / 1000;

/** Median, least and greatest of some numbers. */
export function spread(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return {
    median: round(sorted[Math.floor(sorted.length / 2)]),
    min: round(sorted[0]),
    max: round(sorted.at(-1)),
  };
}
