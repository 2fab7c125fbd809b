import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { remoraProcess } from '../support/run.js';

/** Limits of time and size, and signals: what processes say that are ended before they are done. */

const MP = 'test/files/tests/mp.litmus';

// Most of this is waiting, which they can do at the same time.
describe.concurrent('limits', () => {
  const PIGEONS = 'test/files/long/pigeons.litmus';

  test('a query that takes too long is unknown, the next test is decided', async () => {
    const args = ['check', 'test/files/long', '--time-limit', '3', '--jobs', '1'];
    const { code, stdout, stderr } = await remoraProcess(args);
    expect(stdout).toContain('    unknown: time limit of 3 s reached\n');
    expect(stdout).toContain('    allowed: a = 0, b = 0; as published\n');
    expect(stderr).toBe('');
    expect(code).toBe(3);
  });

  test('a time limit shorter than the start of a worker', async () => {
    const { code, stdout } = await remoraProcess([
      'check',
      MP,
      '--time-limit',
      '0.001',
      '--engine',
      'smt',
    ]);
    expect(stdout).toContain('    unknown: time limit of 0.001 s reached\n');
    expect(code).toBe(3);
  });

  test('a bound that makes a program too large', async () => {
    const { code, stdout } = await remoraProcess([
      'check',
      'test/files/endless.litmus',
      '--bound',
      '99999',
    ]);
    expect(stdout).toMatch(/^ {4}unknown: too large: more than 10000 events$/m);
    expect(code).toBe(3);
  });

  test('compare counts nothing that was not decided in time', async () => {
    const args = ['test/files/tests', '--engine', 'smt', '--time-limit', '0.001'];
    const { code, stdout } = await remoraProcess([
      'compare',
      'sc',
      'rdma-tso',
      ...args,
      '--jobs',
      '1',
    ]);
    const [, differ, of] = /^(\d+) of (\d+) verdicts differ/m.exec(stdout)!.map(Number);
    const undecided = [
      ...stdout.matchAll(/^ {2}(\d+) undecided under .*: time limit of 0\.001 s/gm),
    ];
    expect(of + undecided.reduce((sum, [, n]) => sum + Number(n), 0)).toBe(6);
    expect(undecided.length).toBeGreaterThan(0);
    expect(
      stdout.match(/^\S.* (allowed|forbidden|holds|fails) +(allowed|forbidden|holds|fails)$/gm) ??
        [],
    ).toHaveLength(differ);
    expect(code).toBe(3);
  });

  test('export tells of a script that takes more time than there is, and the others are written', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'remora-limits-'));
    const exported = (...args: string[]) => remoraProcess(['export', '--smtlib', ...args]);
    const large = join(folder, 'large.litmus');
    const writes = (to: string) => Array.from({ length: 60 }, (_, i) => `${to} := ${i}`).join('; ');
    const threads = [1, 2, 1, 2, 1, 2].map(
      (node, i) => `thread T${i} on ${node} { ${writes(node === 1 ? 'x' : 'x^1')} }`,
    );
    writeFileSync(
      large,
      `RDMA large node 1 { x = 0 } node 2 { z = 0 } ${threads.join(' ')} exists (x = 1)`,
    );
    const out = join(folder, 'in-time');
    const { code, stderr } = await exported(
      large,
      'corpus/tso/MP3bis.litmus',
      '--time-limit',
      '1',
      '--out',
      out,
    );
    expect([code, stderr]).toEqual([3, `${large}: time limit of 1 s reached\n`]);
    expect(readdirSync(out)).toEqual(['MP3bis.rdma-tso.smt2']);
    const file = join(folder, 'late.smt2');
    expect((await exported(large, '--time-limit', '1', '--out', file)).code).toBe(3);
    expect(existsSync(file)).toBe(false);
    rmSync(folder, { recursive: true });
  });

  // A timer of Node holds 2^31 - 1 ms, about 24.8 days; a longer one fires at once.
  test('a time limit of more than 25 days is one', async () => {
    const { code, stderr } = await remoraProcess(['check', MP, '--time-limit', '3000000']);
    expect([code, stderr]).toEqual([0, '']);
  });

  describe.each(['SIGINT', 'SIGTERM'] as const)('%s', (name) => {
    test('prints what there is, exits with 130 and leaves no process', async () => {
      const signal = { name, after: 4000 };
      const run = await remoraProcess(['check', 'test/files/long'], { signal });
      expect(run.stdout).toBe(
        'quick under rdma-tso\n  exists (a = 0 /\\ b = 0)\n' +
          '    allowed: a = 0, b = 0; as published\n\ninterrupted after 1 of 3 verdicts\n',
      );
      expect(run.stderr).toBe('');
      expect(run.code).toBe(130);
      expect(() => process.kill(-run.pid, 0)).toThrow('ESRCH');
    });
  });

  test('SIGINT goes before everything else', async () => {
    const paths = ['nosuch.litmus', 'test/files/departing', PIGEONS];
    const signal = { name: 'SIGINT', after: 3000 } as const;
    const { code, stderr } = await remoraProcess(['check', ...paths, '--json'], { signal });
    expect(stderr).toBe('nosuch.litmus: no such file or folder\n');
    expect(code).toBe(130);
  });
});
