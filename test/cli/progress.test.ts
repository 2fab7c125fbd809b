import { existsSync } from 'node:fs';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { progressLine } from '../../src/cli/print/progress.js';
import { shell } from '../support/run.js';

/** What people see of a run while it goes on. */

const BAR = '==========----------';
const HALF = { value: 30, total: 60, startTime: 1000, now: 21_000, eta: 20, maxWidth: 80 };
const line = (state: object): string => progressLine({ ...HALF, name: 'CPU-SB', ...state }, BAR);

describe('a line of progress', () => {
  test('has the count, the rate, the time left and the current test', () => {
    expect(line({})).toBe(`${BAR}  30/60  1.5/s  20 s left  CPU-SB`);
  });

  test('has what is counted, and how fast it is counted now', () => {
    const counted = { what: 'programs', count: 5600, before: 5000 };
    const name = '3 calls, 2 threads, 2 nodes, 3 locations';
    expect(line({ counted, name, maxWidth: 90 })).toBe(
      `${BAR}  5600 programs  30/s  20 s left  3 calls, 2 threads, 2 nodes, 3 loc…`,
    );
    expect(line({ counted: { ...counted, before: 5600 } })).not.toContain('/s');
  });

  test.each([
    [0.5, '60.0/s'],
    [20, '1.5/s'],
    [60, '30/min'],
    [36_000, '3.0/h'],
  ])('after %d s the rate is %s', (seconds, rate) => {
    expect(line({ now: 1000 + 1000 * seconds })).toContain(`  ${rate.replace('60.0', '60')}  `);
  });

  test.each([
    [9, '9 s'],
    [65, '1 min 05 s'],
    [3600, '1 h 00 min'],
    [90_000, '25 h 00 min'],
  ])('%d s are %s', (eta, left) => {
    expect(line({ eta })).toContain(`  ${left} left  `);
  });

  test('says nothing of what is not known yet', () => {
    expect(line({ value: 0, eta: '0' })).toBe(`${BAR}   0/60  CPU-SB`);
    expect(line({ value: 1, eta: 'INF' })).toBe(`${BAR}   1/60  3.0/min  CPU-SB`);
  });

  test.each([10, 30, 59, 60, 72, 200])('fits %i columns', (maxWidth) => {
    const shown = line({ maxWidth, name: `網路-${'very-'.repeat(20)}long` });
    if (maxWidth >= 30) expect(stringWidth(shown)).toBeLessThan(maxWidth);
    expect(shown).toContain('30/60');
    expect(shown.includes(BAR)).toBe(maxWidth >= 60);
  });
});

// `script` of util-linux, which is part of every Linux, gives a command a terminal.
const SCRIPT = '/usr/bin/script';

describe.runIf(process.platform === 'linux')('on a terminal', () => {
  const onTerminal = (columns: number, command: string) =>
    shell(
      `export -f remora; ${SCRIPT} -qec 'stty cols ${columns}; bash -c "${command}"' /dev/null`,
      { env: { SHELL: '/bin/bash', TERM: 'xterm', NO_COLOR: '1' } },
    );

  test('there is one', () => expect(existsSync(SCRIPT)).toBe(true));

  test('progress is shown, and gone when it is done', async () => {
    const { code, stdout } = await onTerminal(100, 'remora test test/files/tests --jobs 1');
    expect(code).toBe(0);
    expect(stdout).toMatch(/-{20} {2}0\/4 {2}loop/);
    expect(stdout).toMatch(/4 tests, 31 verdicts, 0 unknown; .*, 0 failed; /);
    expect(stdout.lastIndexOf('--')).toBeLessThan(stdout.indexOf('outcome'));
  });

  test('the table is as wide as the terminal', async () => {
    const { stdout } = await onTerminal(64, 'remora test test/files/tests --jobs 1');
    expect(stdout).toContain('sc  rs  rt  rtn  rw  xt  seen\r\n');
    const narrow = await onTerminal(40, 'remora test test/files/tests --jobs 1');
    expect(narrow.stdout).toContain('SB: a = 0 /\\ b = 0\r\n  ○   sc\r\n');
  });
});
