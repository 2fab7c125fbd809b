import { describe, expect, test } from 'vitest';
import { STACK_TRACE, shell } from '../support/run.js';

const MP = 'test/files/tests/mp.litmus';

describe('pipes', () => {
  test('a reader that stops early is no error', async () => {
    const { stdout, stderr } = await shell(
      'remora outcomes test/files/tests test/files/same-name.litmus --jobs 1 | head -1; echo "${PIPESTATUS[0]}"',
    );
    expect(stdout).toBe('loop under rdma-tso: 1 final state\n0\n');
    expect(stderr).toBe('');
  });

  // Standard error has no handler for EPIPE: the process ends with 1 before anything is decided.
  test('so is a reader of standard error', async () => {
    const { stdout, stderr } = await shell(
      'remora check no1 no2 no3 2>&1 >/dev/null | true; echo "${PIPESTATUS[0]}"',
    );
    expect([stdout, stderr]).toEqual(['2\n', '']);
  });

  // Errors of standard output other than EPIPE are thrown.
  test('a full disk is reported without a stack trace', async () => {
    const { stdout, stderr } = await shell(`remora check ${MP} >/dev/full; echo "$?"`);
    expect(stderr).not.toMatch(STACK_TRACE);
    expect(stdout).toBe('2\n');
  });
});
