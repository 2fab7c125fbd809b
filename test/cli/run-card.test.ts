import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { CARD, CARD_CACHE, SKIP_CARD } from '../support/card.js';
import { ROOT, remora, remoraProcess } from '../support/run.js';

/** `remora run`: what it refuses, and a program that is told its settings. What the card does is tested in `test/cards`. */

test('a fabric that is none', async () => {
  const { code, stderr } = await remora(['run', '--fabric', 'rdma-sdr', '--', 'true']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error: --fabric rdma-sdr: no such fabric; did you mean 'srd'\?\n/);
});

test('a seed that is none', async () => {
  const { code, stderr } = await remora(['run', '--seed', '-1', '--', 'true']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error: --seed -1: not a whole number\n/);
});

test('an option of the program before --', async () => {
  const { code, stderr } = await remora(['run', 'ls', '--all']);
  expect(code).toBe(2);
  expect(stderr).toContain('options of the program stand after --');
});

describe.skipIf(SKIP_CARD)(CARD, () => {
  const folder = mkdtempSync(join(tmpdir(), 'remora-run-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const env = { XDG_CACHE_HOME: join(CARD_CACHE, '..') };
  const run = (...words: string[]) => remoraProcess(['run', ...words], { env, cwd: folder });

  test('the program is told its settings, and its exit code is passed on', async () => {
    const script = 'echo $REMORA_CARD_FABRIC $REMORA_CARD_SEED $REMORA_CARD_LOG; exit 7';
    const words = ['--fabric', 'rdma-ro', '--seed', '5', '--log', 'log.txt', '--'];
    const { code, stdout } = await run(...words, 'sh', '-c', script);
    expect([code, stdout]).toEqual([7, 'ro 5 log.txt\n']);
  });

  test('a program that is ended by a signal', async () => {
    const { code } = await run('--', 'sh', '-c', 'kill -TERM $$');
    expect(code).toBe(128 + 15);
  });

  test('a program that is not there', async () => {
    const { code, stderr } = await run('--', 'no-such-program');
    expect([code, stderr]).toEqual([
      2,
      'error: no-such-program cannot be started: no such program\n',
    ]);
  });

  test('a compiler that is none', async () => {
    const file = join(folder, 'cc');
    writeFileSync(
      file,
      '#!/bin/sh\necho "card.h:10:10: fatal error: infiniband/verbs.h: No such file" >&2; exit 1\n',
      { mode: 0o755 },
    );
    const options = { env: { ...env, CC: file }, cwd: folder };
    const { code, stderr } = await remoraProcess(['run', '--', 'true'], options);
    expect([code, stderr]).toEqual([
      2,
      'error: the weak card needs the headers of libibverbs (Debian: apt-get install libibverbs-dev)\n',
    ]);
  });

  test('the log has a line for each step', async () => {
    const words = ['--log', 'steps.txt', '--', join(folder, 'litmus')];
    const source = join(ROOT, 'test/cards/litmus.c');
    execFileSync('cc', ['-pthread', '-o', join(folder, 'litmus'), source, '-libverbs']);
    const { code } = await run(...words, 'ro-get-poll', '1');
    expect(code).toBe(0);
    const steps = readFileSync(join(folder, 'steps.txt'), 'utf8').trim().split('\n');
    expect(steps.map((line) => line.replace(/^ *\d+ {2}process 0 {2}qp \d+ +/, ''))).toEqual([
      'get 0     is posted',
      'get 0     reads 1 at region 1 + 56',
      'get 0     is answered',
      'get 0     is answered in memory: 1 at region 0 + 0',
      'get 0     is complete',
    ]);
  });
});
