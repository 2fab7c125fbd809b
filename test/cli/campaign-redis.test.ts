import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Plan } from '../../src/cli/commands/campaign/plan.js';
import { planContent } from '../../src/cli/commands/campaign/plan.js';
import type { RunningRedis } from '../support/redis.js';
import { SKIP_REDIS, WITH_REDIS, startRedis } from '../support/redis.js';
import type { RunOptions } from '../support/run.js';
import {
  ROOT,
  STACK_TRACE,
  remoraProcess as remora,
  run,
  shell,
  withoutTimes,
} from '../support/run.js';

const LIMIT = 110_000;

describe.skipIf(SKIP_REDIS)(`a campaign, with ${WITH_REDIS}`, () => {
  let redis: RunningRedis;
  const folder = mkdtempSync(join(tmpdir(), 'remora-campaign-test-'));

  beforeAll(async () => {
    redis = await startRedis();
    cpSync(join(ROOT, 'corpus/loco'), join(folder, 'loco'), { recursive: true });
    cpSync(join(ROOT, 'models/rdma-sc.cat'), join(folder, 'own.cat'));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await redis.remove();
  });

  const campaign = (args: readonly string[], options: RunOptions = {}) =>
    remora(['campaign', ...args], {
      cwd: folder,
      limit: LIMIT,
      ...options,
      env: { REMORA_REDIS: redis.socket, ...options.env },
    });

  /** Does a campaign with two workers. */
  async function done(name: string, words: readonly string[], options: RunOptions = {}) {
    const started = await campaign(['start', name, '--', ...words], options);
    expect([started.code, started.stderr]).toEqual([0, expect.not.stringMatching(STACK_TRACE)]);
    // Workers have files in folders of their own.
    const work = () => campaign(['work', name, '--jobs', '1'], { cwd: tmpdir() });
    const watch = campaign(['watch', name, '--out', join(folder, `${name}.jsonl`)]);
    const [watched, ...workers] = await Promise.all([watch, work(), work()]);
    for (const { code, stderr } of workers) {
      expect([code, stderr]).toEqual([0, expect.stringMatching(/all \d+ jobs are done\n$/)]);
    }
    return watched;
  }

  const lines = (name: string) =>
    readFileSync(join(folder, `${name}.jsonl`), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, never>);

  test('of agree reports what one run does, and gathers each job once', async () => {
    const engines = ['--engine', 'simplified,six-buffers', '--limit', '50'];
    const words = ['agree', '--random', '120', ...engines];
    const watched = await done('agree', words);
    expect(watched.code).toBe(0);
    const alone = await remora(words, { limit: LIMIT });
    expect(withoutTimes(watched.stdout)).toBe(withoutTimes(alone.stdout));

    const [header, ...jobs] = lines('agree');
    expect(header).toMatchObject({ command: 'agree', random: 120, seed: 1 });
    expect(jobs.map(({ from, to }) => [from, to]).sort(([a], [b]) => a - b)).toEqual([
      [0, 100],
      [100, 120],
    ]);
    const before = readFileSync(join(folder, 'agree.jsonl'));
    // Who begins it again adds nothing, and who watches again gathers nothing twice.
    expect((await campaign(['start', 'agree', '--', ...words])).code).toBe(0);
    const again = await campaign(['watch', 'agree', '--out', 'agree.jsonl']);
    expect([again.code, again.stdout]).toEqual([0, watched.stdout]);
    expect(readFileSync(join(folder, 'agree.jsonl')).equals(before)).toBe(true);
    const merged = await remora(['merge', join(folder, 'agree.jsonl')]);
    expect([merged.code, merged.stdout]).toEqual([0, watched.stdout]);

    const other = await campaign(['start', 'agree', '--', 'agree', '--random', '7']);
    expect([other.code, other.stderr]).toEqual([
      2,
      "there is another campaign 'agree': take another name, or end that one: remora campaign stop agree\n",
    ]);
  });

  test('of refine --generate reports clients that fail', async () => {
    const words = ['refine', 'loco-bal', 'loco-sv', '--generate', '--calls', '2', '--limit', '70'];
    const watched = await done('refine', words);
    const alone = await remora(words, { limit: LIMIT });
    const counted = /^(\d+ clients tried.*); [\d.]+ s$/m;
    expect(counted.exec(watched.stdout)?.[1]).toBe(counted.exec(alone.stdout)?.[1]);
    expect(watched.code).toBe(alone.code);
    expect(
      lines('refine')
        .slice(1)
        .map(({ from, to }) => [from, to])
        .sort(),
    ).toEqual([
      [0, 50],
      [50, 70],
    ]);
  });

  test('of a corpus writes what --out would: merge and --resume know it', async () => {
    const words = ['test', 'loco', '-m', 'own.cat,rdma-wait'];
    const watched = await done('corpus', words);
    const alone = await remora(words, { cwd: folder, limit: LIMIT });
    expect(withoutTimes(watched.stdout)).toBe(withoutTimes(alone.stdout));
    expect(watched.code).toBe(alone.code);
    const file = join(folder, 'corpus.jsonl');
    const before = readFileSync(file);
    const resumed = await remora([...words, '--resume', file], { cwd: folder, limit: LIMIT });
    expect(resumed.code).toBe(alone.code);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('brings files from above the folder', async () => {
    const inner = join(folder, 'inner');
    mkdirSync(inner);
    const watched = await done('above', ['outcomes', '../loco/L2c.litmus', '-m', '../own.cat'], {
      cwd: inner,
    });
    expect(watched.code, watched.stderr).toBe(0);
    expect(watched.stdout).toMatch(/^L2c under own: 1 final state$/m);
    const absolute = join(folder, 'own.cat');
    const refused = await campaign(['start', 'absolute', '--', 'test', 'loco', '-m', absolute]);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining(
        `${absolute}: workers have files in a folder of their own: name files`,
      ),
    ]);
  });

  test('goes on after Ctrl-C: a worker gives back its jobs, and who watches leaves it', async () => {
    const words = ['agree', '--random', '3000', '--engine', 'search,enumerate', '--limit', '50'];
    await campaign(['start', 'signals', '--', ...words]);
    const active = () =>
      spawnSync('redis-cli', ['-s', redis.socket, 'llen', 'remora:signals:active'], {
        encoding: 'utf8',
      }).stdout.trim();
    const signal = { name: 'SIGINT', after: () => active() === '2' } as const;
    const worker = await campaign(['work', 'signals', '--jobs', '1'], { signal });
    expect([worker.code, worker.stdout]).toEqual([130, '0 programs in 0 jobs\n']);
    expect(worker.stderr).toMatch(/: at work, 1 threads\n.*: its jobs go back\n$/);
    expect(active()).toBe('0');
    const watched = await campaign(['watch', 'signals'], { signal: { ...signal, after: 2000 } });
    expect([watched.code, watched.stdout]).toEqual([130, '']);
    expect(watched.stderr).toMatch(/0 of 3000 programs\ncampaign 'signals' goes on\n$/);

    // A worker ends when the campaign is stopped.
    const work = campaign(['work', 'signals', '--jobs', '1']);
    while (active() !== '2') await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await campaign(['stop', 'signals'])).code).toBe(0);
    const stopped = await work;
    expect([stopped.code, stopped.stderr]).toEqual([
      0,
      expect.stringContaining("campaign 'signals' is not there any more: it was stopped"),
    ]);
    const { stdout } = spawnSync('redis-cli', ['-s', redis.socket, 'keys', 'remora:signals:*'], {
      encoding: 'utf8',
    });
    expect(stdout.trim()).toBe('');
  });

  test('needs workers of its own version, and build', async () => {
    await campaign(['start', 'old', '--', 'agree', '--random', '5']);
    const plan = JSON.parse(
      spawnSync('redis-cli', ['-s', redis.socket, 'hget', 'remora:old:campaign', 'plan'], {
        encoding: 'utf8',
      }).stdout,
    ) as Plan;
    const change = (other: Partial<Plan>) => {
      const changed = { ...plan, ...other };
      return run('redis-cli', [
        ...['-s', redis.socket, 'hset', 'remora:old:campaign'],
        ...['plan', JSON.stringify(changed), 'content', planContent(changed)],
      ]);
    };
    await change({ remora: '9.9.9' });
    const version = await campaign(['work', 'old']);
    expect([version.code, version.stdout]).toEqual([2, '']);
    expect(version.stderr).toMatch(/^campaign 'old' needs Remora 9\.9\.9, and this is \S+\n$/);
    await change({ build: 'other' });
    const build = await campaign(['work', 'old']);
    expect([build.code, build.stdout]).toEqual([2, '']);
    expect(build.stderr).toMatch(/^campaign 'old' needs another build of Remora \S+: .*\n$/);
  });

  test.each(['work', 'watch', 'stop'])('that is not there: %s', async (action) => {
    await campaign(['start', 'nights', '--', 'agree', '--random', '5']);
    const { code, stdout, stderr } = await campaign([action, 'nigths']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(`${redis.socket}: there is no campaign 'nigths': did you mean 'nights'?\n`);
  });

  test('is as the document shows it', async () => {
    const path = join(ROOT, 'docs/scale.md');
    const text = readFileSync(path, 'utf8');
    const [, block = ''] = /^```text campaign\n([^]*?)^```$/m.exec(text) ?? [];
    const commands = block.split('\n').filter((line) => line.startsWith('$ '));
    let actual = '';
    for (const line of commands) {
      const options = { cwd: folder, env: { REMORA_REDIS: redis.socket }, limit: LIMIT };
      const { stdout } = await shell(`exec 2>&1\n${line.slice(2)}`, options);
      actual += `${line}\n${stdout}`;
    }
    if (process.env['UPDATE_DOCS'] === '1' && withoutTimes(actual) !== withoutTimes(block)) {
      writeFileSync(
        path,
        text.replace(block, () => actual),
      );
    }
    expect(withoutTimes(actual)).toBe(withoutTimes(block));
  });

  test('gathers nothing into a file of something else', async () => {
    await campaign(['start', 'file', '--', 'agree', '--random', '5']);
    const out = join(folder, 'mine.txt');
    writeFileSync(out, 'mine\n');
    const { code, stderr } = await campaign(['watch', 'file', '--out', out]);
    expect([code, stderr]).toEqual([
      2,
      `${out}: is no file of results of such a run: name another file\n`,
    ]);
    expect(readFileSync(out, 'utf8')).toBe('mine\n');
  });
});
