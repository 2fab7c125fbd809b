import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { check, createPool, ENGINES, loadModel, outcomes, parseLitmus } from '../../dist/index.js';
import { remora } from '../support/run.js';
import { valueOf } from '../support/litmus.js';

/** `--engine`: what the engines give beside the verdict, and what they refuse. */

/** Store buffering. Each of two reads has two writes to read from: 4 executions, under SC 3. */
const SB = 'corpus/tso/CPU-SB.litmus';
/** Those that need no solver of the user's: `native` has tests beside `--solver`. */
const OWN = ENGINES.filter((engine) => !engine.startsWith('native'));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'remora-engines-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each(OWN)('%s decides the published tests as published', async (engine) => {
  const files = ['decidability/A51', 'decidability/message-loss', 'tso/MP2', 'tso/CPU-SB'].map(
    (name) => `corpus/${name}.litmus`,
  );
  const { code, stdout, stderr } = await remora(['test', ...files, '--engine', engine]);
  expect(stderr.replace(/^not asked: \d+ expectations? under corerma; .*\n/, '')).toBe('');
  expect(stdout).toMatch(/, 0 unknown; [1-9]\d* expectations held.*, 0 failed/);
  expect(code).toBe(0);
});

describe('machines', () => {
  test.each(['simplified', 'six-buffers'])('%s shows a run', async (engine) => {
    const { code, stdout } = await remora(['check', SB, '--engine', engine]);
    expect(code).toBe(0);
    expect(stdout).toContain("\n      T1's store buffer writes x := 1 to memory\n");
    expect(stdout.indexOf('T2 reads x = 0')).toBeLessThan(
      stdout.indexOf("T1's store buffer writes x := 1"),
    );
    const { stdout: json } = await remora(['check', SB, '--engine', engine, '--json']);
    const { run } = JSON.parse(json) as { run: string[] };
    expect(run[0]).toBe('start');
    expect(stdout).toContain(run.map((line) => `      ${line}\n`).join(''));
  });

  test('say for which runs of a loop a verdict is', async () => {
    const file = 'test/files/tests/loop.litmus';
    for (const engine of OWN) {
      const { stdout } = await remora(['check', file, '--engine', engine, '--bound', '2']);
      expect([engine, stdout.match(/forbidden.*/)?.[0]]).toEqual([
        engine,
        expect.stringContaining('for runs with at most 2 iterations of each loop'),
      ]);
    }
  });
});

test('an engine that does not exist is bad usage', async () => {
  const { code, stderr } = await remora(['check', SB, '--engine', 'smtt']);
  expect(stderr).toContain(`Allowed choices are ${ENGINES.join(', ')}.`);
  expect(code).toBe(2);
});

test('the library has the same engines', async () => {
  const subject = valueOf(
    parseLitmus(
      'RDMA p\nnode 1 { x = 0 }\nnode 2 { y = 0 }\nthread T1 on 1 { y^2 := 1; x := y^2 }\nexists (x = 0)\n',
    ),
  );
  const model = valueOf(loadModel('rdma-tso').model);
  const pool = createPool({ jobs: 1 });
  try {
    for (const engine of OWN) {
      const [answer] = valueOf(await check(subject, model, { engine, pool }));
      expect(answer.verdict).toBe('forbidden');
      const { states } = valueOf(await outcomes(subject, model, { engine, pool, all: true }));
      expect(states).toEqual([{ x: 1, y: 1 }]);
    }
    const refused = await check(subject, valueOf(loadModel('rdma-wait').model), {
      engine: 'simplified',
      pool,
    });
    expect(refused.ok).toBe(false);
  } finally {
    await pool.close();
  }
});
