import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SKIP_REDIS, WITH_REDIS, startRedis } from '../support/redis.js';
import { MAIN, remoraProcess as remora, withoutTimes } from '../support/run.js';

const WORDS = ['agree', '--random', '400', '--engine', 'search,enumerate', '--limit', '50'];

/** The milliseconds until a job of a worker that was killed is free: its lock, and a look for such jobs. */
const FREE = 20_000;

test.skipIf(SKIP_REDIS)(
  `workers are killed and Redis is restarted, and every program counts once, with ${WITH_REDIS}`,
  async () => {
    const redis = await startRedis();
    const folder = mkdtempSync(join(tmpdir(), 'remora-killed-'));
    const env = { REMORA_REDIS: redis.socket };
    const out = join(folder, 'out.jsonl');
    const campaign = (args: readonly string[]) =>
      remora(['campaign', ...args], { env, limit: 500_000 });
    try {
      expect((await campaign(['start', 'night', '--', ...WORDS])).code).toBe(0);
      // Each has taken jobs when it is killed.
      for (let kills = 0; kills < 2; kills++) {
        const victim = spawn(process.execPath, [MAIN, 'campaign', 'work', 'night', '--jobs', '1'], {
          env: { PATH: process.env['PATH'] ?? '', ...env },
          stdio: ['ignore', 'ignore', 'pipe'],
        });
        const ended = new Promise((resolve) => victim.on('exit', resolve));
        await new Promise<void>((resolve) => victim.stderr.once('data', () => resolve()));
        await new Promise((resolve) => setTimeout(resolve, 1500));
        victim.kill('SIGKILL');
        await ended;
      }
      const watch = campaign(['watch', 'night', '--out', out]);
      const work = campaign(['work', 'night', '--jobs', '2']);
      await new Promise((resolve) => setTimeout(resolve, FREE / 4));
      await redis.stop();
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await redis.start();
      const [watched, worked] = await Promise.all([watch, work]);
      const gone = `${redis.socket}: Redis is gone; waiting for it to come back\n${redis.socket}: Redis is back\n`;
      expect([worked.code, worked.stderr]).toEqual([0, expect.stringContaining(gone)]);
      expect([watched.code, watched.stderr]).toEqual([0, expect.stringContaining(gone)]);
      const alone = await remora(WORDS, { limit: 500_000 });
      expect(withoutTimes(watched.stdout)).toBe(withoutTimes(alone.stdout));
      const jobs = readFileSync(out, 'utf8')
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => JSON.parse(line) as { from: number; to: number; programs: number })
        .sort((a, b) => a.from - b.from);
      expect(jobs.map(({ from, to, programs }) => [from, to, programs])).toEqual(
        Array.from({ length: 4 }, (_, i) => [100 * i, 100 * i + 100, 100]),
      );
    } finally {
      rmSync(folder, { recursive: true });
      await redis.remove();
    }
  },
  900_000,
);
