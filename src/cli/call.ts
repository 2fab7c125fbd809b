/** A command as a function: words and surroundings in; output, files and an exit code out. */
import type { Readable, Writable } from 'node:stream';
import { keepSlots } from '../node/slot.js';
import { runCommand } from './program.js';
import { SIGNALS } from './run/signals.js';

/** The working folder, variables and streams of a command. */
export interface ProcessEnvironment {
  readonly cwd: string;
  /** All environment variables of the command. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

let running: Promise<unknown> = Promise.resolve();

/**
 * Runs a command line in this process. A process has one working folder and one set of variables, so
 * one command waits for the other. Signals go to the process, not to the command.
 *
 * @param words the words after the name of the program
 * @returns the exit code
 * @throws Error if the command leaves something behind that the next one would find: a bug
 */
export function callCommand(words: readonly string[], around: ProcessEnvironment): Promise<number> {
  // So that Z3 is loaded once.
  keepSlots();
  const call = running.then(() => surrounded(words, around));
  running = call.catch(() => undefined);
  return call;
}

async function surrounded(words: readonly string[], around: ProcessEnvironment): Promise<number> {
  const { stdin, stdout, stderr } = around;
  const listeners = countListeners();
  const home = process.cwd();
  const variables = process.env;
  const own = ['stdin', 'stdout', 'stderr'].map(
    (name) => [name, Object.getOwnPropertyDescriptor(process, name)!] as const,
  );
  for (const [name, value] of Object.entries({ stdin, stdout, stderr })) {
    Object.defineProperty(process, name, { value, configurable: true, enumerable: true });
  }
  process.env = { ...around.env };
  process.chdir(around.cwd);
  try {
    const code = await runCommand(words);
    // A write that holds back signals releases them in the second turn (replace.ts).
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
    if (countListeners() !== listeners) throw new Error('a command still listens for signals');
    return code;
  } finally {
    process.chdir(home);
    process.env = variables;
    for (const [name, descriptor] of own) Object.defineProperty(process, name, descriptor);
  }
}

const countListeners = (): number =>
  SIGNALS.reduce((sum, signal) => sum + process.listenerCount(signal), 0);
