import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { check, createPool, ENGINES, loadModel, outcomes, parseLitmus } from '../../dist/index.js';
import { ROOT, remora } from '../support/run.js';
import { valueOf } from '../support/litmus.js';

/** `--engine`: what the engines give beside the verdict, and what they refuse. */

/** Store buffering. Each of two reads has two writes to read from: 4 executions, under SC 3. */
const SB = 'corpus/tso/CPU-SB.litmus';
/** Those that need no solver of the user's: `native` has tests beside `--solver`. */
const OWN = ENGINES.filter((engine) => !engine.startsWith('native'));

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'remora-engines-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each(OWN)('%s decides the published tests as published', async (engine) => {
  const files = ['corpus/decidability', 'corpus/tso/MP2.litmus', SB];
  const { code, stdout, stderr } = await remora(['test', ...files, '--engine', engine]);
  expect(stderr).toBe('');
  expect(stdout).toMatch(/, 0 unknown; [1-9]\d* expectations held.*, 0 failed/);
  expect(code).toBe(0);
});

describe('enumerate', () => {
  test('counts executions', async () => {
    const { stdout } = await remora(['check', SB, '--engine', 'enumerate', '-m', 'sc,rdma-tso']);
    expect(stdout).toContain('forbidden; 0 of 3 executions satisfy it');
    expect(stdout).toContain('allowed: a = 0, b = 0; 1 of 4 executions satisfy it');
  });

  test('counts them in JSON and in the log', async () => {
    const json = await remora(['check', SB, '--engine', 'enumerate', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ executions: { positive: 1, negative: 3 } });
    const listed = await remora(['outcomes', SB, '--engine', 'enumerate', '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject({ executions: [1, 1, 1, 1] });
    // The last write to x decides nothing here: each state has two executions.
    const file = join(folder, 'two.litmus');
    writeFileSync(
      file,
      'RDMA two\nnode 1 { x = 0; y = 0 }\nthread T1 on 1 { x := 1; y := 1 }\nthread T2 on 1 { x := 2; y := 2 }\nexists (x = 1)\n',
    );
    const log = await remora(['check', file, '--engine', 'enumerate', '--herd', '-m', 'sc']);
    // Under SC, x and y may be ordered in two ways each, but for x = 1 /\ y = 2 and x = 2 /\ y = 1
    // the two orders exclude nothing: 4 executions, 2 of them with x = 1 at the end.
    expect(lines(log.stdout)).toContain('Positive: 2 Negative: 2');
  });

  test('a limit leaves undecided what was not found before', async () => {
    const { code, stdout } = await remora([
      ...['check', SB, '--engine', 'enumerate', '-m', 'sc', '--limit', '2'],
    ]);
    expect(stdout).toContain('unknown: limit of 2 candidates reached');
    expect(code).toBe(3);
  });

  test('a time limit too', async () => {
    const file = join(folder, 'long.litmus');
    const writes = (n: number) => Array.from({ length: 7 }, (_, i) => `x := ${10 * n + i}`);
    const thread = (n: number) => `thread T${n} on 1 { ${writes(n).join('; ')}; a := x; b := x }`;
    const threads = [1, 2, 3].map(thread).join('\n');
    writeFileSync(file, `RDMA long\nnode 1 { x = 0 }\n${threads}\nexists (x = 9)\n`);
    const { code, stdout } = await remora([
      ...['check', file, '--engine', 'enumerate', '-m', 'sc', '--time-limit', '0.5'],
    ]);
    expect(stdout).toMatch(/unknown: time limit/);
    expect(code).toBe(3);
  });

  test('asks nothing of a program without executions', async () => {
    const file = join(folder, 'empty.litmus');
    writeFileSync(
      file,
      'RDMA empty\nnode 1 { x = 0 }\nthread T1 on 1 { assume(x = 1) }\nexists (x = 0)\n',
    );
    const { stdout } = await remora(['check', file, '--engine', 'enumerate']);
    expect(stdout).toContain('vacuous: no candidate is consistent');
    const { stdout: run } = await remora(['check', file, '--engine', 'operational']);
    expect(run).toContain('vacuous: no run of the machine comes to an end');
  });
});

describe('machines', () => {
  test.each(['operational', 'six-buffers'])('%s shows a run', async (engine) => {
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

  test('refuse models that they have no machine for', async () => {
    const own = join(folder, 'rdma-tso.cat');
    for (const file of ['rdma-tso', 'rdma-tso-base', 'rdma']) {
      cpSync(join(ROOT, `models/${file}.cat`), join(folder, `${file}.cat`));
    }
    const { code, stdout, stderr } = await remora([
      ...['check', SB, '--engine', 'operational', '-m', `sc,rdma-sc,${own}`],
    ]);
    const variants = ['glob', 'late', 'loclock', 'getfirst', 'failwrite', 'out'];
    const models = ['sc', 'tso', 'tso-nopcie', ...variants.map((v) => `tso-${v}`)];
    const those = `it has those of ${models.map((m) => `rdma-${m}`).join(', ')}`;
    expect(stderr).toContain(
      `sc: the operational engine has no machine for this model; ${those}\n  smt and enumerate take any cat file\n`,
    );
    expect(stderr).toContain(`${own}: the operational engine has no machine for this model`);
    expect(stdout).toContain('CPU-SB under rdma-sc');
    expect(code).toBe(2);
  });

  test('a limit leaves undecided what was not found before', async () => {
    const { code, stdout } = await remora([
      ...['check', 'corpus/tso/MP2.litmus', '--engine', 'six-buffers', '--limit', '2'],
    ]);
    expect(stdout).toContain('unknown: state limit of 2 reached');
    expect(code).toBe(3);
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
      engine: 'operational',
      pool,
    });
    expect(refused.ok).toBe(false);
  } finally {
    await pool.close();
  }
});
