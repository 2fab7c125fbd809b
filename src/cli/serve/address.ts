import type { Stats } from 'node:fs';
import { lstatSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DEFAULT } from './choice.js';

/** Where a server listens: a socket among the files, or a port. */
export type Address =
  | { readonly kind: 'socket'; readonly path: string; readonly isDefault: boolean }
  | { readonly kind: 'port'; readonly host: string; readonly port: number };

/** The variable that holds the token of a port. */
export const TOKEN = 'REMORA_TOKEN';

/** With fewer characters, a token could be found by trying. */
const SHORTEST_TOKEN = 16;

/** Systems refuse longer paths of sockets, or cut them off. */
const LONGEST_PATH = 100;

/** What a text means as an address, or what is wrong with it. */
export function readAddress(text: string): Address | { readonly problem: string } {
  if (text === DEFAULT) return defaultAddress();
  const [, host, digits] = /^([^/]+):(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined) return socket(text, false);
  const port = Number(digits);
  if (port > 65535) return { problem: `${text}: ports go up to 65535` };
  return { kind: 'port', host: host.replace(/^\[(.*)\]$/, '$1'), port };
}

/** A socket in a folder that is the user's alone. */
function defaultAddress(): Address | { readonly problem: string } {
  const uid = process.getuid?.();
  if (uid === undefined) return { problem: `there are no sockets of one user here: use a port` };
  const { XDG_RUNTIME_DIR: own = '' } = process.env;
  const folder = own === '' ? join(tmpdir(), `remora-${uid}`) : join(own, 'remora');
  return socket(join(folder, 'server'), true);
}

function socket(path: string, isDefault: boolean): Address | { readonly problem: string } {
  if (Buffer.byteLength(path) > LONGEST_PATH) {
    return { problem: `${path}: the path of a socket has at most ${LONGEST_PATH} bytes` };
  }
  return { kind: 'socket', path, isDefault };
}

export function addressText(address: Address): string {
  if (address.kind === 'socket') return address.path;
  const { host, port } = address;
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The token of the environment, or what is wrong with it. */
export function readToken(): { readonly token: string } | { readonly problem: string } {
  const token = process.env[TOKEN] ?? '';
  if (token === '') return { problem: `a port needs a token: set ${TOKEN} here and there` };
  if (token.length < SHORTEST_TOKEN) {
    return { problem: `${TOKEN} is too short: it needs ${SHORTEST_TOKEN} characters` };
  }
  return { token };
}

/** Why the folder or the socket of an address is not to be trusted; undefined if there is nothing, too. */
export function distrust(address: Address): string | undefined {
  if (address.kind === 'port') return undefined;
  const { path, isDefault } = address;
  const folder = isDefault ? distrustFolder(dirname(path)) : undefined;
  if (folder !== undefined) return folder;
  const found = statSync(path, QUIETLY);
  if (found === undefined) return undefined;
  if (!found.isSocket()) return `${path}: this is no socket`;
  return isOwn(found) ? undefined : `${path}: this is the socket of another user`;
}

/** Why a folder is not the user's alone; undefined if there is none. */
export function distrustFolder(path: string): string | undefined {
  const found = lstatSync(path, QUIETLY);
  if (found === undefined) return undefined;
  if (!found.isDirectory()) return `${path}: this is no folder`;
  if (!isOwn(found)) return `${path}: this is the folder of another user`;
  return (found.mode & 0o077) === 0 ? undefined : `${path}: others may use this folder: chmod 700`;
}

const QUIETLY = { throwIfNoEntry: false } as const;

const isOwn = ({ uid }: Stats): boolean => uid === process.getuid?.();
