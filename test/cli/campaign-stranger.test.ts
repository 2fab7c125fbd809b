import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Plan } from '../../src/cli/commands/campaign/plan.js';
import { jobsOf, planContent } from '../../src/cli/commands/campaign/plan.js';
import { connect, readPlace } from '../../src/cli/commands/campaign/redis.js';
import type { RunningRedis } from '../support/redis.js';
import { SKIP_REDIS, WITH_REDIS, startRedis } from '../support/redis.js';
import { STACK_TRACE, remoraProcess } from '../support/run.js';

/** What comes from Redis is a stranger's data, and Redis may lose it, or say nothing. */

const AGREE = ['agree', '--random', '150', '--engine', 'search,enumerate', '--limit', '5'];
const KEY = { REMORA_CAMPAIGN_KEY: 'a key that nobody guesses' };

describe.skipIf(SKIP_REDIS)(`what others put into ${WITH_REDIS}`, () => {
  let redis: RunningRedis;
  const folder = mkdtempSync(join(tmpdir(), 'remora-stranger-'));
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await redis.remove();
  });

  const ask = (...args: readonly string[]): string =>
    spawnSync('redis-cli', ['-s', redis.socket, ...args], { encoding: 'utf8' }).stdout.trim();
  const campaign = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const done = await remoraProcess(['campaign', ...args], {
      cwd: folder,
      env: { REMORA_REDIS: redis.socket, ...env },
      limit: 60_000,
    });
    expect(done.stderr).not.toMatch(STACK_TRACE);
    return done;
  };
  const planOf = (name: string) =>
    JSON.parse(ask('hget', `remora:${name}:campaign`, 'plan')) as Plan;
  const change = (name: string, other: Partial<Plan>): void => {
    const plan = { ...planOf(name), ...other };
    const key = `remora:${name}:campaign`;
    ask('hset', key, 'plan', JSON.stringify(plan), 'content', planContent(plan));
  };

  test('a worker starts no program that a plan names', async () => {
    await campaign(['start', 'solver', '--', ...AGREE]);
    const mark = join(folder, 'started');
    const solver = ['--engine', 'search,native', '--solver', `bash -c "touch ${mark}"`];
    change('solver', { words: ['agree', '--random', '150', ...solver] });
    for (const action of ['work', 'watch']) {
      const { code, stdout, stderr } = await campaign([action, 'solver']);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(
        /^campaign 'solver' has no command line of a campaign: --solver is not for a campaign: /,
      );
    }
    expect(existsSync(mark)).toBe(false);
  });

  test("a solver is the worker's own", async () => {
    const words = ['agree', '--random', '2', '--engine', 'search,native'];
    expect((await campaign(['start', 'native', '--', ...words])).code).toBe(0);
    const none = await campaign(['work', 'native']);
    expect([none.code, none.stderr]).toEqual([
      2,
      "campaign 'native' is for the engine native: name a solver of yours by --solver <command>\n",
    ]);
    const wrong = await campaign(['work', 'native', '--solver', 'no-such-solver']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('no-such-solver')]);
    await campaign(['start', 'plain', '--', ...AGREE]);
    const idle = await campaign(['work', 'plain', '--solver', 'z3']);
    expect([idle.code, idle.stderr]).toEqual([
      2,
      "campaign 'plain' asks no solver: leave --solver out\n",
    ]);
  });

  test('a worker reads no file that a plan does not bring', async () => {
    await campaign(['start', 'files', '--', ...AGREE]);
    change('files', { words: [...AGREE, '-m', '/etc/passwd'] });
    expect((await campaign(['work', 'files'])).code).toBe(2);
    const path = join(process.cwd(), 'test/files/tests/mp.litmus');
    change('files', { words: ['test', path], paths: [path] });
    const { code, stderr } = await campaign(['work', 'files']);
    expect([code, stderr]).toEqual([
      2,
      `campaign 'files' names a file that it does not bring: ${path}\n`,
    ]);
    change('files', { files: [{ path: '/tmp/x', text: '' }] });
    expect((await campaign(['work', 'files'])).stderr).toBe(
      'a file that no campaign brings: /tmp/x\n',
    );
  });

  test('ranges are those of the plan, whatever jobs and results say', async () => {
    await campaign(['start', 'ranges', '--', ...AGREE]);
    const [first, second] = jobsOf(planOf('ranges'));
    // What was believed before: the second job is about the programs of the first.
    ask('hset', `remora:ranges:${second.id}`, 'data', JSON.stringify(first));
    expect((await campaign(['work', 'ranges'])).code).toBe(0);
    const right = await campaign(['watch', 'ranges']);
    expect([right.code, right.stdout]).toEqual([
      expect.anything(),
      expect.stringMatching(/^150 programs /),
    ]);
    const own = ask('hget', `remora:ranges:${first.id}`, 'returnvalue');
    ask('hset', `remora:ranges:${second.id}`, 'returnvalue', own);
    const { code, stderr } = await campaign(['watch', 'ranges']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(
        'programs 101 to 150: its results cannot be believed: it is about another range\n',
      ),
    ]);
  });

  test('with a key, what has no mark counts for nothing', async () => {
    await campaign(['start', 'key', '--', ...AGREE], KEY);
    expect((await campaign(['work', 'key'])).stderr).toBe(
      "campaign 'key' was started with a key: REMORA_CAMPAIGN_KEY gives it\n",
    );
    const other = { REMORA_CAMPAIGN_KEY: 'another key of some length' };
    expect((await campaign(['work', 'key'], other)).stderr).toBe(
      "campaign 'key' was not started with the key of REMORA_CAMPAIGN_KEY\n",
    );
    expect((await campaign(['work', 'key'], KEY)).code).toBe(0);
    expect((await campaign(['watch', 'key'], KEY)).stdout).toMatch(/^150 programs /);
    const [{ id }] = jobsOf(planOf('key'));
    const at = `remora:key:${id}`;
    const result = JSON.parse(ask('hget', at, 'returnvalue')) as { lines: string; mark: string };
    const lines = result.lines.replace(/"agreed":\d+/, '"agreed":0');
    expect(lines).not.toBe(result.lines);
    ask('hset', at, 'returnvalue', JSON.stringify({ ...result, lines }));
    const { code, stderr } = await campaign(['watch', 'key'], KEY);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('they are not there, or have no mark'),
    ]);
    change('key', { words: [...AGREE, '--seed', '3'] });
    expect((await campaign(['work', 'key'], KEY)).code).toBe(2);
    const short = await campaign(['work', 'key'], { REMORA_CAMPAIGN_KEY: 's3cret' });
    expect([short.code, short.stderr]).toEqual([2, expect.not.stringContaining('s3cret')]);
  });

  test('jobs that are lost are told, and end all that wait for them', async () => {
    await campaign(['start', 'lost', '--', ...AGREE]);
    const [{ id }] = jobsOf(planOf('lost'));
    ask('lrem', 'remora:lost:wait', '0', id);
    ask('del', `remora:lost:${id}`);
    for (const action of ['work', 'watch']) {
      const { code, stderr } = await campaign([action, 'lost']);
      expect([code, stderr]).toEqual([3, expect.stringContaining('Redis lost 1 job: end it by')]);
    }
    // One whose hash alone is lost is done again: its id says all.
    await campaign(['start', 'hash', '--', ...AGREE]);
    ask('del', `remora:hash:${jobsOf(planOf('hash'))[0].id}`);
    expect((await campaign(['work', 'hash'])).code).toBe(0);
    expect((await campaign(['watch', 'hash'])).stdout).toMatch(/^150 programs /);
  });

  test('a campaign that vanishes is not one that was stopped', async () => {
    await campaign(['start', 'gone', '--', 'agree', '--random', '5000']);
    const work = campaign(['work', 'gone', '--jobs', '1']);
    while (ask('llen', 'remora:gone:active') === '0') await new Promise((r) => setTimeout(r, 50));
    ask('del', 'remora:gone:campaign');
    const { code, stderr } = await work;
    expect([code, stderr]).toEqual([3, expect.stringContaining('Redis did not keep it')]);
  });

  test.each([
    ['a hash without its plan', ['hset', 'remora:odd:campaign', 'content', 'x']],
    [
      'a plan that is none',
      ['hset', 'remora:odd:campaign', 'plan', '{"words":[]}', 'content', 'x'],
    ],
    ['something else', ['set', 'remora:odd:campaign', 'x']],
    ['jobs alone', ['rpush', 'remora:odd:wait', '1']],
  ])('stop clears %s', async (_, command) => {
    ask(...command);
    const { code, stderr } = await campaign(['work', 'odd']);
    expect([code, stderr]).toEqual([
      2,
      `${redis.socket}: campaign 'odd' is damaged: remora campaign stop odd removes it\n`,
    ]);
    expect((await campaign(['stop', 'odd'])).code).toBe(0);
    expect(ask('keys', 'remora:odd:*')).toBe('');
  });

  test('a Redis that becomes full keeps nothing of a start', async () => {
    const full = await startRedis(['--maxmemory', '3mb']);
    try {
      const words = ['agree', '--random', '4000000'];
      const env = { REMORA_REDIS: full.socket };
      const { code, stderr } = await remoraProcess(['campaign', 'start', 'big', '--', ...words], {
        env,
      });
      expect([code, stderr]).toEqual([2, expect.stringContaining('Redis is full')]);
      const keys = ['-s', full.socket, 'keys', '*'];
      expect(spawnSync('redis-cli', keys, { encoding: 'utf8' }).stdout.trim()).toBe('');
    } finally {
      await full.remove();
    }
  });
});

describe('a Redis that says nothing', () => {
  test('is not waited for without end', async () => {
    const server = createServer(() => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const at = `redis://127.0.0.1:${port}`;
    try {
      const waits = { connect: 200, answer: 200, away: 200 };
      expect(await connect(readPlace(at), Redis, undefined, waits)).toEqual({
        problem: `${at}: no Redis answers there (ETIMEDOUT): start one, or name another by --redis or REMORA_REDIS`,
      });
    } finally {
      server.close();
    }
  });
});
