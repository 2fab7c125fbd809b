import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { remora } from '../support/run.js';

/** What is probably a mistake in a litmus file gets a warning: once, on standard error. Nothing else changes. */

const IDLE = `RDMA idle
node 1 { x = 0 }
node 2 { y = 0 }
thread T1 on 1 { y^2 :=^done x; wait(dome); x := 1 }
exists (y = 1)
  computed allowed under rdma-tso
`;

const WARNING = [
  "idle.litmus:4:38: warning: no operation of T1 has the identifier 'dome': this wait orders nothing",
  '4 | thread T1 on 1 { y^2 :=^done x; wait(dome); x := 1 }',
  "  |                                      ^^^^  did you mean 'done'?",
  '',
].join('\n');

const expecting = (name: string, models: string): string => `RDMA ${name}
node 1 { x = 0 }
thread T1 on 1 { x := 1 }
exists (x = 1)
  expect allowed under ${models}
`;

const VARIANT = '"a variant"\nacyclic po | rf as order\n';

let folder: string;
const run = (...args: string[]) => remora([...args], { cwd: folder });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'remora-warnings-'));
  writeFileSync(join(folder, 'idle.litmus'), IDLE);
  writeFileSync(join(folder, 'my-variant.cat'), VARIANT);
  mkdirSync(join(folder, 'corpus'));
  for (const name of ['a', 'b', 'c']) {
    writeFileSync(join(folder, 'corpus', `${name}.litmus`), expecting(name, 'sc, my-variant'));
  }
  writeFileSync(join(folder, 'tso.litmus'), expecting('tso', 'tso'));
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('a wait for an operation that is not there', () => {
  test.each([
    ['check', 'idle.litmus'],
    ['check', 'idle.litmus', '-m', 'rdma-wait'],
    ['check', 'idle.litmus', '--json'],
    ['check', 'idle.litmus', '--engine', 'operational'],
    ['test', 'idle.litmus'],
    ['outcomes', 'idle.litmus'],
    ['explain', 'idle.litmus'],
    ['agree', 'idle.litmus'],
    ['export', '--smtlib', 'idle.litmus'],
    ['export', '--promela', 'idle.litmus'],
  ])('%s: one warning', async (...args) => {
    const { code, stderr } = await run(...args);
    expect(stderr).toBe(WARNING);
    expect(code).toBe(0);
  });

  test('robust and report warn, too', async () => {
    const robust = await run('robust', 'idle.litmus');
    expect(robust.stderr).toBe(WARNING);
    const report = await run('report', 'idle.litmus', '--out', 'site');
    expect(report.stderr).toContain(WARNING);
  });

  test('it orders nothing', async () => {
    const { stdout } = await run('check', 'idle.litmus', '-m', 'sc,rdma-tso,rdma-wait');
    expect(stdout.match(/ {4}\w+/g)).toEqual(['    forbidden', '    allowed', '    allowed']);
    expect(stdout).not.toContain('read as');
  });

  test('readers of JSON find it', async () => {
    const message = "no operation of T1 has the identifier 'dome': this wait orders nothing";
    for (const command of ['check', 'outcomes']) {
      const { stdout } = await run(command, 'idle.litmus', '--json');
      expect(JSON.parse(stdout)).toMatchObject({ warnings: [message] });
    }
  });

  test('merged results warn as the run did', async () => {
    for (const shard of ['1/2', '2/2']) {
      await run('check', 'idle.litmus', 'corpus', '--shard', shard, '--out', `${shard[0]}.jsonl`);
    }
    const { stderr } = await run('merge', '1.jsonl', '2.jsonl');
    expect(stderr).toContain(WARNING);
    expect(stderr).toContain("warning: model 'my-variant'");
  });
});

describe('an expectation of a model that is not known', () => {
  test('is warned of once, with the number of places', async () => {
    const { code, stdout, stderr } = await run('test', 'corpus', '-m', 'sc');
    expect(stderr).toBe(
      [
        "corpus/a.litmus:5:28: warning: model 'my-variant' is neither one of Remora's nor asked for here: nothing is checked",
        '5 |   expect allowed under sc, my-variant',
        '  |                            ^^^^^^^^^^',
        '  and in 2 more places',
        '',
      ].join('\n'),
    );
    expect(stdout).toContain('3 tests, 3 verdicts, 0 unknown; 3 expectations held, 0 failed');
    expect(code).toBe(0);
  });

  test('is checked, and not warned of, where the model is asked', async () => {
    const { code, stdout, stderr } = await run('test', 'corpus', '-m', 'sc,./my-variant.cat');
    expect(stderr).toBe('');
    expect(stdout).toContain('3 tests, 6 verdicts, 0 unknown; 6 expectations held, 0 failed');
    expect(code).toBe(0);
  });

  test('is an error where the name is a part of one that is known', async () => {
    const { code, stderr } = await run('check', 'tso.litmus');
    expect(stderr).toBe(
      [
        "tso.litmus:5:24: unknown model 'tso'",
        '5 |   expect allowed under tso',
        "  |                        ^^^  did you mean 'rdma-tso' or 'x86-tso'?",
        '',
      ].join('\n'),
    );
    expect(code).toBe(2);
  });

  test('but any name may be that of a model that is asked', async () => {
    writeFileSync(join(folder, 'tso.cat'), VARIANT);
    const { code, stdout, stderr } = await run('check', 'tso.litmus', '-m', './tso.cat');
    expect(stderr).toBe('');
    expect(stdout).toContain('allowed: x = 1; as expected');
    expect(code).toBe(0);
  });

  test('and its verdicts are updated', async () => {
    writeFileSync(join(folder, 'tso.cat'), VARIANT);
    const text = expecting('updated', 'tso').replace('expect allowed', 'computed forbidden');
    writeFileSync(join(folder, 'updated.litmus'), text);
    const { code, stderr } = await run('test', 'updated.litmus', '-m', './tso.cat', '--update');
    expect(stderr).toBe('');
    expect(code).toBe(0);
    const now = readFileSync(join(folder, 'updated.litmus'), 'utf8');
    expect(now).toContain('computed allowed under tso');
  });
});
