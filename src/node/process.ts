import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawn } from 'node:child_process';
import type { SolverCommand } from './command.js';
import { createResponseReader } from '../solve/response.js';

/** What a solver answers, or why it does not. */
export type Response =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

/** A running solver. One question at a time. */
export interface SolverProcess {
  /** Writes commands of which just the last one has an answer, and waits for it. */
  ask(commands: string): Promise<Response>;
  /** Ends the process and whatever it has started, at once and for sure. */
  kill(): void;
}

/** How much of what a solver says on standard error is kept. */
const COMPLAINT = 1000;

const running = new Set<ChildProcessWithoutNullStreams>();

/** Starts a solver. If that fails, the first question is answered with the reason. */
export function startProcess({ name, file, args }: SolverCommand): SolverProcess {
  // A process group of its own: a command may be a script, and what it starts must end with it.
  const child = spawn(file, args, { detached: true, windowsHide: true });
  if (running.size === 0) process.once('exit', killAll);
  running.add(child);
  return new ChildSolver(name, child);
}

class ChildSolver implements SolverProcess {
  /** The beginning of what it said on standard error. */
  private complaint = '';
  private ended = false;
  /** Why it answers nothing any more. */
  private closed: string | undefined;
  private reader = createResponseReader();
  /** Hears the answer to the question that is asked at present. */
  private hear: ((response: Response) => void) | undefined;

  constructor(
    name: string,
    private readonly child: ChildProcessWithoutNullStreams,
  ) {
    child.stdout.setEncoding('utf8').on('data', (output: string) => {
      const text = this.reader.push(output);
      if (text !== undefined) this.answer({ ok: true, text });
    });
    child.stdout.pause();
    child.stderr.setEncoding('utf8').on('data', (output: string) => {
      this.complaint = (this.complaint + output).slice(0, COMPLAINT);
    });
    // An error in writing means that the solver has ended or does not read. The next question reports it.
    child.stdin.on('error', () => {});
    // Children of the solver may hold its pipes open. They are killed, or the pipes would never close.
    child.on('exit', () => {
      this.killGroup();
      this.end();
    });
    child.on('close', (code, signal) => {
      const how = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
      const said = this.complaint.trim().split('\n')[0];
      this.close(`${name} ${how}${said === '' ? '' : `: ${said}`}`);
    });
    child.on('error', (error) => {
      this.end();
      this.close(`${name} cannot be started: ${error.message}`);
    });
  }

  ask(commands: string): Promise<Response> {
    if (this.closed !== undefined) return Promise.resolve({ ok: false, reason: this.closed });
    return new Promise((resolve) => {
      this.hear = resolve;
      this.reader = createResponseReader();
      this.child.stdout.resume();
      this.child.stdin.write(commands);
    });
  }

  kill(): void {
    this.killGroup();
    // Unread output would keep the pipes open.
    for (const pipe of [this.child.stdin, this.child.stdout, this.child.stderr]) pipe.destroy();
  }

  private answer(response: Response): void {
    // Nothing is read between questions, so that a solver that writes without end is stopped by the full pipe.
    this.child.stdout.pause();
    this.hear?.(response);
    this.hear = undefined;
  }

  private killGroup(): void {
    if (!this.ended) killGroup(this.child);
  }

  private end(): void {
    this.ended = true;
    running.delete(this.child);
    if (running.size === 0) process.removeListener('exit', killAll);
  }

  private close(reason: string): void {
    this.closed ??= reason;
    this.answer({ ok: false, reason: this.closed });
  }
}

function killGroup(child: ChildProcessWithoutNullStreams): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // There is nothing left of the group, or the system has no groups.
    child.kill('SIGKILL');
  }
}

/** Whatever way this process ends, no solver outlives it. */
function killAll(): void {
  running.forEach(killGroup);
}
