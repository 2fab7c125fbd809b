/** The processes that run commands for a server. */
import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { BAD_INPUT, INTERRUPTED } from '../exit.js';
import type { FromRunner, ToRunner } from './messages.js';
import type { End, Request } from './request.js';

/** Seconds in which a command that was ended has to come to its end. */
const GRACE = 5;

/** The script of a process, as the bundle finds it (scripts/bundler.js). */
const SCRIPT = fileURLToPath(new URL('../cli/serve/runner.js', import.meta.url));

/** Hears what a command says. */
export interface Hearer {
  write(stream: 'stdout' | 'stderr', bytes: Buffer): void;
  wantsInput(): void;
  /** `failure`: that the process died of itself, and of what. */
  end(end: End, failure?: string): void;
}

/** A command that runs. */
export interface Running {
  say(message: ToRunner): void;
  signal(signal: NodeJS.Signals): void;
  /** Ends it: as SIGTERM does, and if that takes long, at once. */
  end(): void;
  kill(): void;
}

export interface Runners {
  /** Runs a command: in a process that is free, or else in a new one. */
  run(request: Request, hearer: Hearer): Running;
  /** Starts a process if none is free. */
  prepare(): void;
  /** Ends the processes that are free. */
  close(): void;
}

export function createRunners(): Runners {
  const free: ChildProcess[] = [];
  const begin = (): ChildProcess => {
    const child = start();
    child.on('exit', () => {
      if (free.includes(child)) free.splice(free.indexOf(child), 1);
    });
    return child;
  };
  return {
    run(request, hearer) {
      // The one that was used last is the one whose code is compiled best.
      const child = free.pop() ?? begin();
      let isSignalled = false;
      let timer: NodeJS.Timeout | undefined;
      let died: readonly [number | null, NodeJS.Signals | null] | undefined;
      const settle = (): void => {
        clearTimeout(timer);
        child.off('message', hear).off('exit', exit).off('disconnect', gone);
      };
      const hear = (message: FromRunner): void => {
        if (message.kind === 'wantsInput') hearer.wantsInput();
        else if (message.kind !== 'done') hearer.write(message.kind, message.bytes);
        else {
          settle();
          // A signal could come late, and end the next command.
          if (message.reusable && !isSignalled) free.push(child);
          else child.kill('SIGKILL');
          hearer.end({ code: message.code });
        }
      };
      // It has ended when all that it said was heard, too.
      const gone = (): void => {
        if (died === undefined || child.connected) return;
        settle();
        hearer.end(...endOf(...died, isSignalled));
      };
      const exit = (code: number | null, signal: NodeJS.Signals | null): void => {
        died = [code, signal];
        gone();
      };
      child.on('message', hear).on('exit', exit).on('disconnect', gone);
      const signal = (name: NodeJS.Signals): void => {
        isSignalled = true;
        child.kill(name);
      };
      const say = (message: ToRunner): void => {
        if (child.connected) child.send(message);
      };
      say({ kind: 'command', request });
      return {
        say,
        signal,
        end() {
          timer ??= setTimeout(() => signal('SIGKILL'), GRACE * 1000);
          signal('SIGTERM');
        },
        kill: () => signal('SIGKILL'),
      };
    },
    prepare() {
      if (free.length === 0) free.push(begin());
    },
    close() {
      for (const child of free) child.kill('SIGKILL');
    },
  };
}

/** What the end of a process means for its command. A signal of the client ends it as it would end the command alone. */
function endOf(
  code: number | null,
  signal: NodeJS.Signals | null,
  isSignalled: boolean,
): readonly [End, string?] {
  if (isSignalled) return [signal === null ? { code: code ?? INTERRUPTED } : { signal }];
  return [{ code: BAD_INPUT }, signal === null ? `exit code ${code}` : signal];
}

/** In a session of its own: Ctrl-C in the terminal of the server is for the server, which ends commands in order. */
function start(): ChildProcess {
  const child = fork(SCRIPT, [], {
    detached: true,
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  // A message to a process that has just ended is of no use to anybody.
  child.on('error', () => {});
  return child;
}
