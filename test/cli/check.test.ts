import { describe, expect, test } from 'vitest';
import { remora, shell, withoutTimes } from '../support/run.js';

describe('output', () => {
  const args = ['check', 'test/files/tests', '-m', 'sc,rdma-tso'];

  test('is the same over two runs, and over one and two workers, text and JSON', async () => {
    const [first, second] = [await remora([...args, '--jobs', '1']), await remora(args)];
    expect(second).toMatchObject({ stdout: first.stdout, stderr: '', code: 0 });
    const json = [...args, '--json', '--jobs'];
    const [one, two] = [await remora([...json, '1']), await remora([...json, '2'])];
    expect(withoutTimes(two.stdout)).toBe(withoutTimes(one.stdout));
  });

  const ESCAPE = '\u001b';
  test('into a pipe has no colours and no progress bar', async () => {
    const run = await shell('remora test test/files/tests --jobs 1 2>&1 | cat');
    expect(run.stdout).toContain('4 tests, 31 verdicts, 0 unknown; ');
    expect(run.stdout).not.toContain(ESCAPE);
    expect(run.stdout).not.toMatch(/[█░\r]/);
  });

  test('has colours where they are asked for, and none with NO_COLOR', async () => {
    const mp = ['check', 'test/files/tests/mp.litmus', '--jobs', '1'];
    expect((await remora(mp, { env: { FORCE_COLOR: '1' } })).stdout).toContain(ESCAPE);
    const env = { NO_COLOR: '1', FORCE_COLOR: '1' };
    expect((await remora(mp, { env })).stdout).not.toContain(ESCAPE);
  });

  // picocolors takes the variable CI, which every CI service sets, for a terminal.
  test('into a file has no colours on a CI service either', async () => {
    const run = await remora(['check', 'test/files/tests/mp.litmus'], { env: { CI: 'true' } });
    expect(run.stdout).not.toContain(ESCAPE);
  });
});
