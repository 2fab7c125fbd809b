import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import type { SolverCommand } from './command.js';
import type { Response, SolverProcess } from './process.js';
import { startProcess } from './process.js';

/**
 * A worker thread talks to its solvers' processes as if they were functions, although pipes are not
 * synchronous: the main thread owns the processes, and the worker sleeps until it has the answer. So
 * the main thread can end a worker and its processes at any time, and knows that they have ended.
 */

/** The worker's end, to be handed to it. */
export interface BridgeEnd {
  readonly command: SolverCommand;
  readonly port: MessagePort;
  /** Counts answers; in memory that both threads share. */
  readonly answers: Int32Array;
}

/** Processes are numbered by the worker, and started when they are first asked. */
type Request = { readonly process: number; readonly commands: string | undefined };

/** Opens a bridge; `close` kills all processes. */
export function openBridge(command: SolverCommand): {
  readonly end: BridgeEnd;
  close(): void;
} {
  const { port1, port2 } = new MessageChannel();
  const answers = new Int32Array(new SharedArrayBuffer(4));
  const processes = new Map<number, SolverProcess>();
  let closed = false;

  const kill = (number: number): void => {
    processes.get(number)?.kill();
    processes.delete(number);
  };
  const serve = async (number: number, commands: string): Promise<void> => {
    const solver = processes.get(number) ?? startProcess(command);
    processes.set(number, solver);
    const response = await solver.ask(commands);
    if (closed) return;
    if (!response.ok) kill(number);
    port1.postMessage(response);
    Atomics.add(answers, 0, 1);
    Atomics.notify(answers, 0);
  };
  port1.on('message', ({ process: number, commands }: Request) => {
    // What was under way when the bridge was closed must not start anything.
    if (closed) return;
    if (commands === undefined) kill(number);
    else void serve(number, commands);
  });

  return {
    end: { command, port: port2, answers },
    close() {
      closed = true;
      for (const number of [...processes.keys()]) kill(number);
      port1.close();
    },
  };
}

/** The processes of a bridge, as the worker sees them. */
export interface Processes {
  /** Asks a process, which is started if it does not run, and blocks the thread meanwhile. */
  ask(process: number, commands: string): Response;
  kill(process: number): void;
}

export function processesOf({ port, answers }: BridgeEnd): Processes {
  const post = (request: Request): void => port.postMessage(request);
  return {
    ask(process, commands) {
      const before = Atomics.load(answers, 0);
      post({ process, commands });
      Atomics.wait(answers, 0, before);
      return (receiveMessageOnPort(port) as { readonly message: Response }).message;
    },
    kill: (process) => post({ process, commands: undefined }),
  };
}
