import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CARD, SKIP_CARD, card } from '../support/card.js';

/** Debian's programs of verbs, unmodified, two processes each. */

const isThere = existsSync('/usr/bin/ibv_rc_pingpong') && existsSync('/usr/bin/ib_write_lat');
const SKIP = SKIP_CARD || (!isThere && process.env['REMORA_NATIVE'] !== '1');

describe.skipIf(SKIP)(`${CARD} under programs of Debian`, () => {
  let library: string;
  const folder = mkdtempSync(join(tmpdir(), 'remora-programs-'));
  let rooms = 0;
  beforeAll(() => void (library = card()));
  afterAll(() => rmSync(folder, { recursive: true }));

  interface Finished {
    readonly code: number | null;
    readonly output: string;
  }

  function start(words: readonly string[], settings: Readonly<Record<string, string>>) {
    const env = { PATH: process.env['PATH'], LD_PRELOAD: library, ...settings };
    const child = spawn(words[0], words.slice(1), { env });
    let output = '';
    child.stdout.on('data', (text: Buffer) => (output += text.toString()));
    child.stderr.on('data', (text: Buffer) => (output += text.toString()));
    const end = new Promise<Finished>((resolve) =>
      child.on('close', (code) => resolve({ code, output })),
    );
    return { child, end, output: () => output };
  }

  const later = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => setTimeout(resolve, milliseconds));

  /** A server and its client, which asks again until the server listens. `meanwhile` happens while the client runs. */
  async function pair(
    words: readonly string[],
    fabric: string,
    meanwhile?: (server: ChildProcess) => Promise<void>,
  ): Promise<{ readonly server: Finished; readonly client: Finished; readonly room: string }> {
    const room = join(folder, `room-${(rooms += 1)}`);
    const settings = { REMORA_CARD_FABRIC: fabric, REMORA_CARD_ROOM: room };
    const log = { ...settings, REMORA_CARD_LOG: `${room}.log` };
    const server = start(words, log);
    for (let tries = 0; ; tries++) {
      await later(500);
      const client = start([...words, 'localhost'], log);
      if (tries === 0) await meanwhile?.(server.child);
      const finished = await client.end;
      if (/[Cc]ouldn't connect/.test(finished.output) && tries < 20) continue;
      return { server: await server.end, client: finished, room };
    }
  }

  const port = ((): (() => string) => {
    let next = 20000 + (process.pid % 10000);
    return () => String(next++);
  })();

  test.each(['tso', 'ro', 'srd', 'ooo-rw'])(
    'ibv_rc_pingpong, data checked, under %s',
    async (f) => {
      const { server, client } = await pair(
        ['ibv_rc_pingpong', '-c', '-n', '100', '-p', port()],
        f,
      );
      for (const { code, output } of [server, client]) {
        expect(output).toContain('100 iters in');
        expect(output).not.toMatch(/invalid data|remora card/);
        expect(code).toBe(0);
      }
    },
  );

  test('ibv_rc_pingpong with events', async () => {
    const { server, client } = await pair(
      ['ibv_rc_pingpong', '-e', '-c', '-n', '100', '-p', port()],
      'ro',
    );
    expect([server.code, client.code]).toEqual([0, 0]);
  });

  test.each([
    ['ib_write_lat', '-n', '100'],
    ['ib_read_lat', '-n', '100'],
    ['ib_send_lat', '-n', '100'],
    ['ib_send_bw', '-n', '100'],
    ['ib_write_bw', '-n', '100', '-s', '4096'],
    ['ib_read_bw', '-n', '100'],
    ['ib_atomic_bw', '-n', '100'],
  ])('%s', async (...words) => {
    const { server, client, room } = await pair([...words, '-p', port()], 'ro');
    expect([server.code, client.code]).toEqual([0, 0]);
    expect(client.output).toMatch(/^ *\d+ +\d+ +\d+\.\d+/m);
    expect(readFileSync(`${room}.log`, 'utf8')).toMatch(/is complete\n/);
  });

  test('a server that is killed: its client is told by a completion, and the room by a message', async () => {
    const { client } = await pair(
      ['ib_write_bw', '-n', '1000000', '-p', port()],
      'tso',
      async (server) => {
        await later(3000);
        server.kill('SIGKILL');
      },
    );
    expect(client.code).not.toBe(0);
    expect(client.output).toMatch(/Failed status 12|remora card: a process ended in the middle/);
  });
});
