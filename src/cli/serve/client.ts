/** The command line where a server runs the command. It loads nothing else: its start is all that it takes. */
import { Socket, connect } from 'node:net';
import { BAD_INPUT } from '../exit.js';
import { SIGNALS } from '../signals.js';
import { watchOutput } from '../terminal.js';
import type { Address } from './address.js';
import { addressText, distrust, readAddress, readToken } from './address.js';
import { DEFAULT } from './choice.js';
import type { Frame } from './frames.js';
import { createFrameReader, frame } from './frames.js';
import { createProver } from './proof.js';
import type { End, Refusal, Request } from './request.js';
import { LARGEST_FRAME, VARIABLES } from './request.js';

/** What the command line is to do: run the command itself, or nothing more. */
export type Outcome = 'run here' | 'done';

/**
 * Has a server run a command, prints what that prints, and ends as that ends.
 *
 * @param server its address, or `default`: where none is there, the command runs here
 * @param build the build that this client is of
 */
export async function askServer(
  words: readonly string[],
  server: string,
  build: string,
): Promise<Outcome> {
  const address = readAddress(server);
  if ('problem' in address) return server === DEFAULT ? 'run here' : fail(address.problem);
  const request = requestOf(words, build);
  if (request === undefined) return 'run here';
  const problem = distrust(address);
  if (problem !== undefined) return server === DEFAULT ? instead(problem) : fail(problem);
  const token = address.kind === 'port' ? readToken() : undefined;
  if (token !== undefined && 'problem' in token) return fail(token.problem);
  const socket = await open(address);
  if (socket instanceof Socket) return converse(socket, address, request, token?.token);
  if (server === DEFAULT) return 'run here';
  return fail(`${addressText(address)}: no server listens here (${socket.code})`);
}

/** Nothing is run. */
function fail(message: string): Outcome {
  process.stderr.write(`remora: ${message}\n`);
  process.exitCode = BAD_INPUT;
  return 'done';
}

/** The command runs here, and people are told. */
function instead(why: string): Outcome {
  process.stderr.write(`remora: ${why}: the command runs here\n`);
  return 'run here';
}

/** What the command is to see of this process; undefined where its folder is gone, which the command itself reports. */
function requestOf(words: readonly string[], build: string): Request | undefined {
  let cwd: string;
  try {
    cwd = process.cwd();
  } catch {
    return undefined;
  }
  const { env, stdout, stderr } = process;
  const set = VARIABLES.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  const of = ({ isTTY, columns }: NodeJS.WriteStream) => ({ isTTY: isTTY === true, columns });
  return {
    build,
    words,
    cwd,
    umask: process.umask(),
    environment: Object.fromEntries(set) as Record<string, string>,
    stdout: of(stdout),
    stderr: of(stderr),
  };
}

/** A connection, or the error that there is none. */
function open(address: Address): Promise<Socket | NodeJS.ErrnoException> {
  return new Promise((resolve) => {
    const socket = connect({ ...address, noDelay: true });
    socket.once('connect', () => {
      socket.off('error', resolve);
      resolve(socket);
    });
    socket.once('error', resolve);
  });
}

/** Asks for the command, and does what the server says until that has ended. */
async function converse(
  socket: Socket,
  address: Address,
  request: Request,
  token: string | undefined,
): Promise<Outcome> {
  const name = `the server at ${addressText(address)}`;
  const forward = (signal: NodeJS.Signals): void => void socket.write(frame('signal', signal));
  const input = createInput(socket);
  try {
    const frames = framesOf(socket);
    const refusal = token === undefined ? undefined : await prove(socket, frames, token);
    if (refusal !== undefined) return heedRefusal(refusal, name);
    watchOutput();
    // The second one ends this process, and the server ends the command for that.
    for (const signal of SIGNALS) process.once(signal, forward);
    socket.write(frame('request', JSON.stringify(request)));
    for await (const { kind, bytes } of frames) {
      if (kind === 'stdout' || kind === 'stderr') process[kind].write(bytes);
      else if (kind === 'wantsInput') void input.more();
      else if (kind === 'refusal')
        return heedRefusal(JSON.parse(bytes.toString()) as Refusal, name);
      else if (kind === 'end') return endAs(JSON.parse(bytes.toString()) as End, forward);
      else break;
    }
  } catch {
    // The connection broke, or what came was no frame.
  } finally {
    for (const signal of SIGNALS) process.off(signal, forward);
    input.close();
    socket.destroy();
  }
  return fail(`${name} went away before the command had ended`);
}

/** The frames that come. Throws where the connection breaks, or what comes is no frame. */
async function* framesOf(socket: Socket): AsyncGenerator<Frame, undefined> {
  const reader = createFrameReader(LARGEST_FRAME);
  for await (const bytes of socket as AsyncIterable<Buffer>) {
    const frames = reader.push(bytes);
    if (frames === undefined) throw new Error('no frames');
    yield* frames;
  }
  return undefined;
}

/** Each side proves to the other that it has the token; gives what the server says against it. */
async function prove(
  socket: Socket,
  frames: AsyncGenerator<Frame, undefined>,
  token: string,
): Promise<Refusal | undefined> {
  const { challenge: own, answer, accepts } = createProver(token, 'client');
  const { value: first } = await frames.next();
  if (first?.kind !== 'challenge') return IMPOSTOR;
  socket.write(Buffer.concat([frame('challenge', own), frame('proof', answer(first.bytes))]));
  const { value: second } = await frames.next();
  if (second?.kind === 'refusal') return JSON.parse(second.bytes.toString()) as Refusal;
  const isRight = second?.kind === 'proof' && accepts(first.bytes, second.bytes);
  return isRight ? undefined : IMPOSTOR;
}

const IMPOSTOR: Refusal = {
  message: 'this is no server of Remora, or it does not have the token',
  runsHere: false,
};

const heedRefusal = ({ message, runsHere }: Refusal, name: string): Outcome =>
  runsHere ? instead(`${name} ${message}`) : fail(`${name}: ${message}`);

/** Ends this process as the command ended. */
function endAs(end: End, forward: (signal: NodeJS.Signals) => void): Outcome {
  if ('code' in end) process.exitCode = end.code;
  else {
    process.off(end.signal, forward);
    process.kill(process.pid, end.signal);
  }
  return 'done';
}

/** Standard input, which is read as far as the command asks for it. */
function createInput(socket: Socket) {
  let chunks: AsyncIterator<Buffer> | undefined;
  return {
    /** Sends a part, the end, or that it cannot be read. */
    async more(): Promise<void> {
      chunks ??= (process.stdin as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
      try {
        const { done, value } = await chunks.next();
        socket.write(done === true ? frame('inputEnd') : frame('input', value));
      } catch (error) {
        socket.write(frame('inputFailed', (error as NodeJS.ErrnoException).code ?? ''));
      }
    },
    close(): void {
      if (chunks !== undefined) process.stdin.destroy();
    },
  };
}
