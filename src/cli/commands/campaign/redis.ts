/** Redis: where it is, and what is wrong with it. No password is ever printed. */
import type { Redis, RedisOptions } from 'ioredis';
import { complain } from '../../print/print.js';
import { UsageError } from '../../command/usage.js';

/**
 * The environment variable that says where Redis is, if `--redis` does not: a password must not be on a command line.
 */
export const REDIS = 'REMORA_REDIS';

const USUAL_PLACE = 'redis://127.0.0.1:6379';

/** Where Redis is. */
export interface RedisPlace {
  readonly options: RedisOptions;
  /** The place for messages, without a password. */
  readonly shown: string;
}

/** Reads a place: `redis://host:6379`, `rediss://` with TLS, or the path of a socket. @throws UsageError */
export function readPlace(given = process.env[REDIS] ?? USUAL_PLACE): RedisPlace {
  // So that the solvers that workers start do not get it.
  delete process.env[REDIS];
  if (given.startsWith('/')) return { options: { path: given }, shown: given };
  const url = /^rediss?:\/\//.test(given) ? parse(given) : undefined;
  if (url === undefined || url.hostname === '' || !/^(\/\d*)?$/.test(url.pathname)) {
    throw new UsageError('Redis is named such as redis://host:6379, or by the path of its socket');
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = url.port === '' ? 6379 : Number(url.port);
  const db = Number(url.pathname.slice(1));
  return {
    options: {
      host,
      port,
      db,
      username: decodeURIComponent(url.username) || undefined,
      password: decodeURIComponent(url.password) || undefined,
      ...(url.protocol === 'rediss:' && { tls: {} }),
    },
    shown: `${url.protocol}//${url.hostname}:${port}${db === 0 ? '' : `/${db}`}`,
  };
}

function parse(text: string): URL | undefined {
  try {
    const url = new URL(text);
    decodeURIComponent(url.username + url.password);
    return url;
  } catch {
    return undefined;
  }
}

/** Errors of Redis or the system, and what to do about each. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/\bNOAUTH\b/, `asks for a password: ${REDIS}=redis://:PASSWORD@HOST:PORT gives it`],
  [/\bWRONGPASS\b|invalid password/, `does not take this user or password (${REDIS})`],
  [/\bOOM\b/, 'is full: give it more memory (maxmemory), or end a campaign by campaign stop'],
  [/\bNOPERM\b/, 'does not let this user do what a campaign needs (ACL)'],
  [/\bMISCONF\b/, 'cannot write to its disk, and takes nothing in'],
  [/\bREADONLY\b/, 'is a replica that takes nothing in: name the primary'],
  [/Redis version needs/, 'is too old for BullMQ: 5.0 or later is needed'],
  [/DB index is out of range/, 'has no database of this number'],
];

/** Errors that say that Redis is away for a while: it restarts, or loads its data. */
const AWAY =
  /ECONN|EPIPE|ENOENT|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|LOADING|Connection is closed|Stream isn't writeable|Command timed out|Socket timeout/;

const textOf = (error: unknown): string => {
  const { message = '', code = '' } = error as {
    readonly message?: string;
    readonly code?: string;
  };
  return `${code} ${message}`;
};

/** Why Redis refuses this user, if the error says so. Trying again does not help then. */
export function redisRefusal({ shown }: RedisPlace, error: unknown): string | undefined {
  const found = REFUSALS.find(([pattern]) => pattern.test(textOf(error)));
  return found && `${shown}: Redis ${found[1]}`;
}

export const isAway = (error: unknown): boolean => AWAY.test(textOf(error));

/** An error as one line. */
export function redisProblem(place: RedisPlace, error: unknown): string {
  const refused = redisRefusal(place, error);
  if (refused !== undefined) return refused;
  const { code } = error as { readonly code?: string };
  const { shown, options } = place;
  if (isAway(error)) {
    const why = code === undefined ? '' : ` (${code})`;
    return `${shown}: no Redis answers there${why}: start one, or name another by --redis or ${REDIS}`;
  }
  // A server may put anything into its texts.
  const [line] = (error instanceof Error ? error.message : String(error)).split('\n');
  const { password } = options;
  return `${shown}: ${password === undefined ? line : line.replaceAll(password, '…')}`;
}

/** A connection that waits while Redis is away. */
export interface Connection {
  readonly client: Redis;
  readonly place: RedisPlace;
  /** Is Redis away now? */
  readonly away: boolean;
  close(): void;
}

/** How many milliseconds to wait for Redis. */
export interface Waits {
  /** For a connection, and for its first answer. */
  readonly connect: number;
  /** For an answer: if a worker asks for a job, Redis may take ten seconds to say that there is none. */
  readonly answer: number;
  /** For Redis to come back. */
  readonly away: number;
}

const WAITS: Waits = { connect: 5000, answer: 20_000, away: 600_000 };

/**
 * Connects, or says why it cannot. A connection with `refused` waits when Redis is gone, and prints one line when it is
 * gone and one when it is back.
 *
 * @param refused is called if Redis later refuses this user, or does not come back. Without it, requests fail while
 * Redis is gone
 */
export async function connect(
  place: RedisPlace,
  Client: typeof Redis,
  refused?: (problem: string) => void,
  waits = WAITS,
): Promise<Connection | { readonly problem: string }> {
  let connected = false;
  let last: unknown;
  const client = new Client({
    ...place.options,
    lazyConnect: true,
    maxRetriesPerRequest: null,
    connectTimeout: waits.connect,
    socketTimeout: waits.answer,
    // This wait also applies to a connection that failed, so it is short.
    disconnectTimeout: 100,
    // Only a connection that once was there is tried again.
    retryStrategy: (times) =>
      connected && refused !== undefined ? Math.min(100 * times, 2000) : null,
  });
  client.on('error', (error) => {
    last = error;
    const problem = connected ? redisRefusal(place, error) : undefined;
    if (problem !== undefined) refused?.(problem);
  });
  const failed = await firstAnswer(client, waits);
  if (failed !== undefined) {
    // The error from before the connection was given up says more.
    const why = failed !== SILENT && isAway(failed) ? (last ?? failed) : failed;
    return { problem: redisProblem(place, why) };
  }
  connected = true;
  const absence = watchAbsence(client, place, refused, waits);
  return {
    client,
    place,
    get away() {
      return absence.away;
    },
    close() {
      connected = false;
      absence.close();
      client.disconnect();
    },
  };
}

/** Connects and waits for an answer. Returns the error, if there is one. */
async function firstAnswer(client: Redis, waits: Waits): Promise<unknown> {
  let slow = false;
  const timer = setTimeout(() => {
    slow = true;
    client.disconnect();
  }, waits.connect);
  try {
    await client.connect();
    await client.ping();
    return undefined;
  } catch (error) {
    client.disconnect();
    return slow ? SILENT : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Prints when Redis is gone and when it is back; gives up after a while. */
function watchAbsence(
  client: Redis,
  place: RedisPlace,
  refused: ((problem: string) => void) | undefined,
  waits: Waits,
): { readonly away: boolean; close(): void } {
  let [away, closed] = [false, false];
  let patience: NodeJS.Timeout | undefined;
  client.on('close', () => {
    if (away || closed || refused === undefined) return;
    away = true;
    complain([`${place.shown}: Redis is gone; waiting for it to come back`]);
    patience = setTimeout(() => refused(redisProblem(place, SILENT)), waits.away);
  });
  client.on('ready', () => {
    if (!away) return;
    away = false;
    clearTimeout(patience);
    complain([`${place.shown}: Redis is back`]);
  });
  return {
    get away() {
      return away;
    },
    close() {
      closed = true;
      clearTimeout(patience);
    },
  };
}

/** The error for a server that does not answer. */
const SILENT = Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' });
