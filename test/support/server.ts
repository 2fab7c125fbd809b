import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import type { Frame, FrameKind } from '../../src/cli/serve/frames.js';
import { createFrameReader, frame } from '../../src/cli/serve/frames.js';
import type { Request } from '../../src/cli/serve/request.js';
import { MAIN, ROOT } from './run.js';

/** A `remora serve` of its own. */
export interface RunningServer {
  /** As it says it. */
  readonly address: string;
  readonly pid: number;
  /** Its exit code, when it has ended; null where a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Ends it, unless it has ended. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts a server, and waits until it says that it listens. */
export function startServer(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const child = spawn(process.execPath, [MAIN, 'serve', ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  return new Promise((resolve, reject) => {
    let said = '';
    const hear = (text: Buffer): void => {
      said += text.toString();
      const [, address] = /^remora serve: listens at (.*)$/m.exec(said) ?? [];
      if (address === undefined) return;
      const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
        child.kill(signal);
        return ended;
      };
      resolve({ address, pid: child.pid!, ended, stop });
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('exit', (code) => reject(new Error(`serve ended with ${code}: ${said}`)));
  });
}

/** A connection to a socket that says whatever the test says. */
export function rawClient(address: string | number) {
  const frames: Frame[] = [];
  const reader = createFrameReader(Infinity);
  const socket = connect(address as string);
  socket.on('data', (bytes) => frames.push(...(reader.push(bytes) ?? [])));
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  return {
    /** All that was heard so far. */
    frames,
    closed,
    send: (bytes: string | Uint8Array) => void socket.write(bytes),
    ask: (request: Partial<Request>) =>
      void socket.write(frame('request', JSON.stringify({ ...REQUEST, ...request }))),
    close: () => socket.destroy(),
    /** The first frame of a kind, when it has come. */
    async first(kind: FrameKind): Promise<Frame> {
      for (;;) {
        const found = frames.find((one) => one.kind === kind);
        if (found !== undefined) return found;
        if (socket.closed) throw new Error(`closed without ${kind}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
  };
}

const REQUEST: Request = {
  build: 'another',
  words: ['--version'],
  cwd: ROOT,
  umask: 0o022,
  environment: {},
  stdout: { isTTY: false },
  stderr: { isTTY: false },
};
