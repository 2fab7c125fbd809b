/** One client of a server, from the first byte to the last. */
import type { Socket } from 'node:net';
import type { Frame, FrameKind } from './frames.js';
import { createFrameReader, frame } from './frames.js';
import type { Prover } from './proof.js';
import type { End, Refusal, Request, Signal } from './request.js';
import { LARGEST_FRAME, readRequest } from './request.js';
import { SIGNALS } from '../signals.js';

/** Seconds in which a client has to say what it wants. */
const ASKING = 10;

/** What the server does for a client. */
export interface Service {
  /** The client asks for a command. Gives who hears what it says from then on. */
  begin(request: Request, client: Client): CommandOfClient;
}

/** A client that has asked for a command. */
export interface Client {
  send(kind: FrameKind, bytes?: Uint8Array): void;
  /** Says how the command ended; that is the last word. */
  end(end: End): void;
  /** Runs nothing, and says why; that is the last word, too. */
  refuse(refusal: Refusal): void;
}

export interface CommandOfClient {
  /** A part of standard input, its end, or that it cannot be read. */
  input(frame: Frame): void;
  signal(signal: Signal): void;
  /** The client is gone before the command has ended. */
  gone(): void;
}

/**
 * Hears a client. What is no request, or comes late, ends the connection, with a word on why.
 *
 * @param build what the client has to be of
 * @param prover where the client has to prove that it has the token
 */
export function serveConnection(
  socket: Socket,
  build: string,
  prover: Prover | undefined,
  service: Service,
): void {
  const reader = createFrameReader(LARGEST_FRAME);
  let command: CommandOfClient | undefined;
  let challenge: Buffer | undefined;
  let isProven = prover === undefined;
  let isOver = false;
  const last = (kind: FrameKind, content: object): void => {
    isOver = true;
    clearTimeout(timer);
    socket.end(frame(kind, JSON.stringify(content)));
  };
  const client: Client = {
    send: (kind, bytes) => void socket.write(frame(kind, bytes)),
    end: (end) => last('end', end),
    refuse: (refusal) => last('refusal', refusal),
  };
  const reject = (message: string): void => client.refuse({ message, runsHere: false });
  const timer = setTimeout(() => reject(`nothing was asked within ${ASKING} s`), ASKING * 1000);

  const prove = ({ kind, bytes }: Frame, { accepts, answer }: Prover): void => {
    if (kind === 'challenge' && challenge === undefined) challenge = bytes;
    else if (kind !== 'proof' || challenge === undefined) reject(NO_REQUEST);
    else if (!accepts(challenge, bytes)) reject('the token here and that of the server differ');
    else {
      isProven = true;
      client.send('proof', answer(challenge));
    }
  };
  const begin = ({ kind, bytes }: Frame): void => {
    const request = kind === 'request' ? readRequest(bytes.toString()) : undefined;
    if (request === undefined) return reject(NO_REQUEST);
    clearTimeout(timer);
    if (request.build === build) command = service.begin(request, client);
    else client.refuse({ message: 'is of another version', runsHere: true });
  };
  const goOn = (one: Frame, to: CommandOfClient): void => {
    if (one.kind !== 'signal') return to.input(one);
    const signal = SIGNALS.find((name) => name === one.bytes.toString());
    if (signal !== undefined) to.signal(signal);
  };

  if (prover !== undefined) client.send('challenge', prover.challenge);
  socket.on('data', (bytes) => {
    if (isOver) return;
    const frames = reader.push(bytes);
    if (frames === undefined) reject(NO_REQUEST);
    for (const one of frames ?? []) {
      if (isOver) return;
      if (!isProven) prove(one, prover!);
      else if (command === undefined) begin(one);
      else goOn(one, command);
    }
  });
  // Its `close` follows.
  socket.on('error', () => {});
  socket.on('close', () => {
    clearTimeout(timer);
    if (!isOver) command?.gone();
    isOver = true;
  });
}

const NO_REQUEST = 'this was no request of Remora, or one of more than 4 MiB';
