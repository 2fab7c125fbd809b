import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/**
 * Tests with Redis are skipped if there is none, and their names say so: Remora does not need one. With
 * `REMORA_NATIVE=1` there must be one, or these tests fail.
 */
const MISSING = !(process.env['PATH'] ?? '')
  .split(delimiter)
  .some((folder) => existsSync(join(folder, 'redis-server')));

export const SKIP_REDIS = MISSING && process.env['REMORA_NATIVE'] !== '1';

/** To be put in the names of those tests. */
export const WITH_REDIS = SKIP_REDIS
  ? 'Redis (SKIPPED: there is no redis-server on the PATH; Debian: apt-get install redis-server)'
  : 'Redis';

if (SKIP_REDIS) process.stderr.write(`tests with ${WITH_REDIS}\n`);

/** A Redis of its own, in a folder of its own, that keeps what it is given. */
export interface RunningRedis {
  /** Its socket, which is also how it is named. */
  readonly socket: string;
  /** Ends it in order. */
  stop(): Promise<void>;
  /** Starts it again, with what it kept. */
  start(): Promise<void>;
  /** Ends it, and removes its folder. */
  remove(): Promise<void>;
}

/** @param args options of `redis-server`, such as `--requirepass` */
export async function startRedis(args: readonly string[] = []): Promise<RunningRedis> {
  if (MISSING) throw new Error('there is no redis-server: run `apt-get install redis-server`');
  const folder = mkdtempSync(join(tmpdir(), 'remora-redis-'));
  const socket = join(folder, 'socket');
  const own = ['--port', '0', '--unixsocket', socket, '--dir', folder, '--save', ''];
  let ended: Promise<void> = Promise.resolve();
  let end = (): void => {};
  const redis: RunningRedis = {
    socket,
    async start() {
      const child = spawn('redis-server', [...own, '--appendonly', 'yes', ...args], {
        stdio: 'ignore',
      });
      ended = new Promise((resolve) => child.on('exit', () => resolve()));
      end = () => void child.kill('SIGTERM');
      for (let tries = 0; !(await listens(socket)); tries++) {
        if (tries > 500) throw new Error('redis-server does not start');
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    stop() {
      end();
      return ended;
    },
    async remove() {
      await redis.stop();
      rmSync(folder, { recursive: true });
    },
  };
  await redis.start();
  return redis;
}

const listens = (socket: string): Promise<boolean> =>
  new Promise((resolve) => {
    const connection = connect(socket, () => {
      connection.destroy();
      resolve(true);
    });
    connection.on('error', () => resolve(false));
  });
