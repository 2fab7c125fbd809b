/** `remora serve`: runs the commands of clients, in processes that are ready. */
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import { AS_EXPECTED, BAD_INPUT } from '../exit.js';
import { complain } from '../print.js';
import { SIGNALS } from '../signals.js';
import { UsageError } from '../usage.js';
import type { Address } from './address.js';
import { TOKEN, addressText, readAddress, readToken } from './address.js';
import { ownBuild } from './build.js';
import { DEFAULT } from './choice.js';
import { serveConnection } from './connection.js';
import { listenAt } from './listen.js';
import type { Limits } from './office.js';
import { Office } from './office.js';
import { createProver } from './proof.js';

export interface ServeOptions extends Limits {
  readonly listen?: string;
}

/** So many clients may be connected. */
const MOST_CONNECTIONS = 256;

/** Listens until there was no command for long, or a signal comes. */
export async function serve({ listen = DEFAULT, ...limits }: ServeOptions): Promise<number> {
  const address = readAddress(listen);
  if ('problem' in address) throw new UsageError(address.problem);
  const token = address.kind === 'port' ? readToken() : undefined;
  if (token !== undefined && 'problem' in token) throw new UsageError(token.problem);
  // It is not for the solvers that clients name.
  delete process.env[TOKEN];
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const office = new Office(limits, end);
  const present = new Set<Socket>();
  const build = ownBuild();
  const server = createServer({ noDelay: true }, (socket) => {
    present.add(socket);
    socket.on('close', () => present.delete(socket));
    serveConnection(socket, build, token && createProver(token.token, 'server'), office);
  });
  server.maxConnections = MOST_CONNECTIONS;
  // Before anybody can know that it is there.
  for (const signal of SIGNALS) {
    // The first one ends commands in order, the second one at once.
    process.once(signal, () => {
      process.on(signal, () => office.kill());
      end();
    });
  }
  const problem = await listenAt(server, address);
  if (problem !== undefined) {
    complain([problem]);
    return BAD_INPUT;
  }
  office.open();
  process.stdout.write(`remora serve: listens at ${placeOf(server, address)}\n`);
  await ended;
  // The socket is gone from here on.
  server.close();
  await office.close();
  for (const socket of present) if (!socket.writableEnded) socket.destroy();
  return AS_EXPECTED;
}

/** Where a server listens: the system has chosen the port if 0 was asked for. */
const placeOf = (server: Server, address: Address): string =>
  addressText(
    address.kind === 'port'
      ? { ...address, port: (server.address() as AddressInfo).port }
      : address,
  );
