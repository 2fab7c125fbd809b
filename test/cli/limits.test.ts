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
