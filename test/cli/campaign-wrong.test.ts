import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SKIP_REDIS, WITH_REDIS, startRedis } from '../support/redis.js';
import { ROOT, STACK_TRACE, remora, run } from '../support/run.js';

/** What is wrong with Redis is one message. Campaigns themselves are tested in campaign-redis.test.ts, by long tests. */

describe.skipIf(SKIP_REDIS)(`what is wrong, with ${WITH_REDIS}`, () => {
  const START = ['campaign', 'start', 'x', '--', 'agree', '--random', '5'];

  /** What a command says, with the place of Redis as `…`. */
  async function said(args: readonly string[], env: Readonly<Record<string, string>>, at: string) {
    const { code, stdout, stderr } = await remora(args, { env });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).not.toMatch(STACK_TRACE);
    expect(stderr).not.toContain('s3cret');
    expect(stderr).not.toContain('wr0ng');
    return stderr.replaceAll(at, '…');
  }

  test.each([START, ['campaign', 'work', 'x'], ['campaign', 'watch', 'x']])(
    'there is none: %s %s',
    async (...args) => {
      const env = { REMORA_REDIS: 'redis://:s3cret@127.0.0.1:1' };
      expect(await said(args, env, 'redis://127.0.0.1:1')).toBe(
        '…: no Redis answers there (ECONNREFUSED): start one, or name another by --redis or REMORA_REDIS\n',
      );
      expect(
        await said(
          [...args.slice(0, 3), '--redis', '/no/socket', ...args.slice(3)],
          {},
          '/no/socket',
        ),
      ).toMatch(/^…: no Redis answers there \(ENOENT\): /);
    },
  );

  test('it is full', async () => {
    const redis = await startRedis(['--maxmemory', '1500kb']);
    try {
      const fill = [
        '-s',
        redis.socket,
        'eval',
        "redis.call('set', 'big', string.rep('x', 800000))",
      ];
      spawnSync('redis-cli', [...fill, '0']);
      expect(await said(START, { REMORA_REDIS: redis.socket }, redis.socket)).toBe(
        '…: Redis is full: give it more memory (maxmemory), or end a campaign by campaign stop\n',
      );
    } finally {
      await redis.remove();
    }
  });

  test('it throws entries away', async () => {
    const redis = await startRedis(['--maxmemory-policy', 'allkeys-lru']);
    try {
      expect(await said(START, { REMORA_REDIS: redis.socket }, redis.socket)).toBe(
        '…: Redis throws entries away when it is full (allkeys-lru): a campaign needs maxmemory-policy noeviction\n',
      );
    } finally {
      await redis.remove();
    }
  });

  test('it asks for a password', async () => {
    const port = 20_000 + (process.pid % 10_000);
    const redis = await startRedis(['--requirepass', 's3cret', '--port', `${port}`]);
    const at = `redis://127.0.0.1:${port}`;
    const withPassword = (password: string) => ({
      REMORA_REDIS: `redis://:${password}@127.0.0.1:${port}`,
    });
    try {
      for (const args of [START, ['campaign', 'work', 'x'], ['campaign', 'watch', 'x']]) {
        expect(await said(args, { REMORA_REDIS: at }, at)).toBe(
          '…: Redis asks for a password: REMORA_REDIS=redis://:PASSWORD@HOST:PORT gives it\n',
        );
        expect(await said(args, withPassword('wr0ng'), at)).toBe(
          '…: Redis does not take this user or password (REMORA_REDIS)\n',
        );
      }
      const { code, stdout, stderr } = await remora(START, { env: withPassword('s3cret') });
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).not.toContain('s3cret');
    } finally {
      await redis.remove();
    }
  });

  test('it forgets what it has when it stops', async () => {
    const redis = await startRedis(['--appendonly', 'no']);
    try {
      const { code, stderr } = await remora(START, { env: { REMORA_REDIS: redis.socket } });
      expect([code, stderr]).toEqual([
        0,
        `${redis.socket}: Redis forgets the campaign when it stops: appendonly yes makes it keep it\n`,
      ]);
    } finally {
      await redis.remove();
    }
  });
});

test('the optional packages are missing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'remora-bare-'));
  try {
    for (const part of ['dist', 'models', 'package.json']) {
      cpSync(join(ROOT, part), join(folder, part), { recursive: true });
    }
    const main = join(folder, 'dist/cli/main.cjs');
    const { code, stdout, stderr } = await run(process.execPath, [main, 'campaign', 'stop', 'x']);
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      'a campaign needs two packages that are optional: npm install bullmq ioredis\n',
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
