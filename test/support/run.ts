import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that the package lives in. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The built command line, as `npx remora` runs it. */
export const MAIN = join(ROOT, 'dist/cli/main.js');

export interface RunOptions {
  /** Working folder; the package's without it. */
  readonly cwd?: string;
  /** Variables beyond `PATH`; nothing else is handed on. */
  readonly env?: Readonly<Record<string, string>>;
  /** A signal to send, and when: so many milliseconds after the start, or once this is so. */
  readonly signal?: { readonly name: NodeJS.Signals; readonly after: number | (() => boolean) };
  /** Milliseconds until the process is killed and the run fails. */
  readonly limit?: number;
}

export interface Run {
  /** The exit code; null if a signal ended the process. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
  /** The process, and the group that it and all its children are in. */
  readonly pid: number;
}

/** Runs the built command line as a process of its own, without standard input. */
export function remora(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  if (!existsSync(MAIN)) throw new Error('there is no dist/: run `npm run build` first');
  return run(process.execPath, [MAIN, ...args], options);
}

/** Runs a shell script in which `remora` is the built command line. */
export function shell(script: string, options: RunOptions = {}): Promise<Run> {
  const define = `remora() { "${process.execPath}" "${MAIN}" "$@"; }`;
  return run('bash', ['-c', `${define}\n${script}`], options);
}

/** Runs any program with the given arguments. */
export function run(
  program: string,
  args: readonly string[],
  { cwd = ROOT, env = {}, signal, limit = 40_000 }: RunOptions = {},
): Promise<Run> {
  const started = performance.now();
  // Files, not pipes: output is complete when the process has ended, and a child that outlives it
  // cannot keep the run open.
  const folder = mkdtempSync(join(tmpdir(), 'remora-run-'));
  const files = [join(folder, 'stdout'), join(folder, 'stderr')];
  const fds = files.map((file) => openSync(file, 'a'));
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', fds[0], fds[1]],
    detached: true,
  });
  fds.forEach(closeSync);
  return new Promise((resolve, reject) => {
    const read = (): [string, string] => {
      const [stdout, stderr] = files.map((file) => readFileSync(file, 'utf8'));
      rmSync(folder, { recursive: true });
      return [stdout, stderr];
    };
    const sending = signal && send(child, signal);
    const watchdog = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      reject(new Error(`still running after ${limit} ms: ${args.join(' ')}`));
    }, limit);
    child.on('error', reject);
    child.on('exit', (code) => {
      clearTimeout(sending);
      clearTimeout(watchdog);
      const [stdout, stderr] = read();
      const milliseconds = performance.now() - started;
      resolve({ code, stdout, stderr, milliseconds, pid: child.pid ?? 0 });
    });
  });
}

/** Sends a signal in time, unless the timer that it gives is cleared before. */
function send(
  child: ChildProcess,
  { name, after }: NonNullable<RunOptions['signal']>,
): NodeJS.Timeout {
  if (typeof after === 'number') return setTimeout(() => child.kill(name), after);
  const polling = setInterval(() => {
    if (!after()) return;
    clearInterval(polling);
    child.kill(name);
  }, 20);
  return polling;
}

/** The contents of a file that Remora wrote, without the last line, which says that Remora wrote it. */
export function unsealed(text: string): string {
  const lines = text.split('\n');
  if (!/\bwritten by Remora, sha256:[0-9a-f]{64}\b/.test(lines.at(-2) ?? '')) {
    throw new Error('Remora did not write this');
  }
  return lines.toSpliced(-2, 1).join('\n');
}

/** Output with every time that was measured replaced by `…`. */
export function withoutTimes(text: string): string {
  return text
    .replace(/\b\d+(\.\d+)? s$/gm, '… s')
    .replace(/"milliseconds":\d+(\.\d+)?/g, '"milliseconds":…')
    .replace(/^(Time \S+) \d+\.\d+$/gm, '$1 …');
}

/** A stack trace, or a word that only Node writes when something was not caught. */
export const STACK_TRACE = /^\s+at .*[:(]|^Node\.js v|\(node:\d+\)/m;
