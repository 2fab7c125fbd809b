import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { remora, remoraProcess, shell } from '../support/run.js';

/** `remora explore`, where a transcript is not enough. */

const run = (...args: readonly string[]) => remora(['explore', ...args, '--jobs', '1']);

/** A lock that is decided in a moment, and one that takes minutes. */
const SHORT = 'corpus/locks/tas.litmus';
let LONG: string;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'remora-explore-'));
  LONG = join(folder, 'long.litmus');
  const text = readFileSync('bench/locks/alock-3-2.litmus', 'utf8');
  // With symmetry it would take some seconds only.
  writeFileSync(LONG, text.replaceAll(/^symmetric .*$/gm, ''));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('while it goes on', () => {
  test('Ctrl-C ends it, and what was decided is told', async () => {
    const { code, stdout, stderr } = await remoraProcess(
      ['explore', SHORT, LONG, '--query', '1', '--jobs', '1'],
      { signal: { name: 'SIGINT', after: 3000 } },
    );
    expect(stdout).toMatch(/^tas under rdma-tso\n {2}exclusive c of T2, T3\n {4}holds; \d+ states/);
    expect(stdout).toMatch(/\ninterrupted after 1 of 2 verdicts\n$/);
    expect(stdout).not.toContain('alock-3-2');
    expect([code, stderr]).toEqual([130, '']);
  });

  test('on a pipe, nothing is said of how far it is', async () => {
    const { stderr } = await run(LONG, '--query', '1', '--time-limit', '1');
    expect(stderr).toBe('');
  });

  const SCRIPT = '/usr/bin/script';
  test.runIf(existsSync(SCRIPT))('on a terminal, states are counted', async () => {
    const command = `remora explore ${LONG} --query 1 --time-limit 2 --jobs 1`;
    const { code, stdout } = await shell(
      `export -f remora; ${SCRIPT} -qec 'bash -c "${command}"' /dev/null`,
      { env: { SHELL: '/bin/bash', TERM: 'xterm', NO_COLOR: '1' } },
    );
    const counts = [...stdout.matchAll(/\r(\d+) states/g)].map(([, count]) => Number(count));
    expect(counts.length).toBeGreaterThan(1);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    // The line is gone before the answer comes.
    expect(stdout).toMatch(/\r\u001b\[Kalock-3-2 under rdma-tso\r\n/);
    expect(code).toBe(3);
  });
});

describe('limits end in `unknown`, with the reason', () => {
  test.each([
    ['states', ['--limit', '100'], 'limit of 100 states reached'],
    ['time', ['--time-limit', '1'], /^time limit reached after \d+ states$/],
  ])('%s', async (_, options, reason) => {
    const { code, stdout, stderr } = await run(LONG, '--query', '1', ...options);
    const [, said] = /\n {4}unknown: (.*)\n/.exec(stdout)!;
    expect(said).toMatch(reason);
    expect([code, stderr]).toEqual([3, '']);
  });
});

describe('one query', () => {
  test('as a line of JSON, with the run as data', async () => {
    const { stdout } = await run(SHORT, '--query', '3', '--json');
    const line = JSON.parse(stdout) as Record<'run' | 'round', readonly string[]> & {
      readonly index: number;
      readonly steps: readonly { readonly text: string }[];
    };
    expect(line.index).toBe(2);
    expect(line.steps.map(({ text }) => text)).toEqual([...line.run, ...line.round]);
  });
});

describe('--timeline', () => {
  const BROKEN = 'corpus/locks/peterson-local-remote-no-fence.litmus';

  test('draws the run in space and time, and has it as data', async () => {
    const svg = join(folder, 'timeline.svg');
    const { stdout } = await run(BROKEN, '--query', '1', '--timeline', '--json', '--svg', svg);
    const { timeline } = JSON.parse(stdout) as { timeline: { steps: readonly object[] } };
    expect(timeline.steps.at(-1)).toMatchObject({ brief: 'enters c', note: 'T1 is in c, too' });
    const drawn = readFileSync(svg, 'utf8');
    expect(drawn).toContain('too early: f1 = 1 is still in T1');
    expect(drawn).toContain('T1 is in c, too');
  });
});
