import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { callCommand } from '../../src/cli/call.js';
import { start } from '../../src/node/bundle.js';

/** The folder that the package lives in. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The built command line, as `npx remora` runs it. */
export const MAIN = join(ROOT, 'dist/cli/main.cjs');

/** The built command line with all that it loads. */
const BUNDLE = pathToFileURL(join(ROOT, 'dist/bundle/remora.cjs'));

export interface CallOptions {
  /** Working folder; the package's without it. */
  readonly cwd?: string;
  /** Variables beyond `PATH`; nothing else is handed on. */
  readonly env?: Readonly<Record<string, string>>;
  /** What stands on standard input; nothing without it. */
  readonly input?: string | Uint8Array;
}

export interface RunOptions extends Omit<CallOptions, 'input'> {
  /** A signal to send, and when: so many milliseconds after the start, or once this is so. */
  readonly signal?: { readonly name: NodeJS.Signals; readonly after: number | (() => boolean) };
  /** Milliseconds until the process is killed and the run fails. */
  readonly limit?: number;
}

/** What a command did. */
export interface Run {
  /** The exit code; null if a signal ended the process. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Both, as they came one after the other. */
  readonly all?: string;
}

export interface ProcessRun extends Run {
  readonly milliseconds: number;
  /** The process, and the group that it and all its children are in. */
  readonly pid: number;
}

let called: Promise<{ readonly callCommand: typeof callCommand }> | undefined;

/** Runs the built command line in this process: for what commands say and write. */
export async function remora(
  args: readonly string[],
  { cwd = ROOT, env = {}, input }: CallOptions = {},
): Promise<Run> {
  mustBeBuilt();
  called ??= start(BUNDLE, 'cli/call') as NonNullable<typeof called>;
  const said = { stdout: [] as Buffer[], stderr: [] as Buffer[], all: [] as Buffer[] };
  const stream = (name: 'stdout' | 'stderr'): Writable =>
    new Writable({
      write(bytes: Buffer, _, done) {
        said[name].push(bytes);
        said.all.push(bytes);
        done();
      },
    });
  const code = await (
    await called
  ).callCommand(args, {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdin: Readable.from(input === undefined ? [] : [Buffer.from(input)]),
    stdout: stream('stdout'),
    stderr: stream('stderr'),
  });
  const text = (name: keyof typeof said): string => Buffer.concat(said[name]).toString();
  return { code, stdout: text('stdout'), stderr: text('stderr'), all: text('all') };
}

/**
 * Runs the built command line as a process of its own, without standard input: for what is about processes, such as
 * signals, limits and starts.
 */
export function remoraProcess(
  args: readonly string[],
  options: RunOptions = {},
): Promise<ProcessRun> {
  mustBeBuilt();
  return run(process.execPath, [MAIN, ...args], options);
}

function mustBeBuilt(): void {
  if (!existsSync(MAIN)) throw new Error('there is no dist/: run `npm run build` first');
}

/** Runs a shell script in which `remora` is the built command line. */
export function shell(script: string, options: RunOptions = {}): Promise<ProcessRun> {
  const define = `remora() { "${process.execPath}" "${MAIN}" "$@"; }`;
  return run('bash', ['-c', `${define}\n${script}`], options);
}

/** Runs any program with the given arguments. */
export function run(
  program: string,
  args: readonly string[],
  { cwd = ROOT, env = {}, signal, limit = 240_000 }: RunOptions = {},
): Promise<ProcessRun> {
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
