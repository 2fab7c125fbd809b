import { lstatSync, mkdirSync, rmSync } from 'node:fs';
import type { Server } from 'node:net';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { isFolder } from '../folders.js';
import { failure } from '../output.js';
import type { Address } from './address.js';
import { addressText, distrustFolder } from './address.js';

/** Has a server listen at an address. Gives what is in the way of that; the socket of a server that is no more is not. */
export async function listenAt(server: Server, address: Address): Promise<string | undefined> {
  if (address.kind === 'port') return tryListening(server, address);
  const { path, isDefault } = address;
  if (isDefault) {
    const folder = dirname(path);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      return `${folder}: ${failure(error)}`;
    }
    const problem = distrustFolder(folder);
    if (problem !== undefined) return problem;
  }
  if (!isFolder(dirname(path))) return `${path}: there is no such folder`;
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found !== undefined) {
    if (!found.isSocket()) return `${path}: this is there already, and no socket`;
    if (await isAlive(path)) return `${path}: a server listens here already`;
    rmSync(path, { force: true });
  }
  return tryListening(server, address);
}

/** Does somebody listen at a socket? */
function isAlive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED'));
  });
}

function tryListening(server: Server, address: Address): Promise<string | undefined> {
  return new Promise((resolve) => {
    const refuse = ({ code }: NodeJS.ErrnoException): void => {
      const why =
        code === 'EADDRINUSE'
          ? 'somebody listens here already'
          : `one cannot listen here (${code})`;
      resolve(`${addressText(address)}: ${why}`);
    };
    server.once('error', refuse);
    // The socket is made at once, and is nobody else's from the start.
    const umask = process.umask(0o177);
    server.listen(address.kind === 'port' ? address : { path: address.path }, () => {
      server.off('error', refuse);
      resolve(undefined);
    });
    process.umask(umask);
  });
}
