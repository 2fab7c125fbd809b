import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAIN, ROOT, run } from '../support/run.js';

/** What the action for pull requests does, in a repository with a change. */

const RIGHT = `RDMA right
node 1 { x = 0 }
thread T1 on 1 { x := 1 }
thread T2 on 1 { a := x }
exists (a = 1)
  expect allowed under rdma-tso
`;
const WRONG = RIGHT.replace('RDMA right', 'RDMA wrong').replace(
  'expect allowed',
  'expect forbidden',
);
const MODEL = 'include "rdma-tso.cat"\nempty [lR] & [lW] as mine\n';

describe('scripts/review.sh', () => {
  let folder: string;
  let base: string;
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: folder });
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'remora-review-'));
    await git('init', '-q');
    mkdirSync(join(folder, 'tests'));
    write('tests/old.litmus', WRONG.replace('wrong', 'old'));
    await git('add', '-A');
    await git('commit', '-qm', 'before');
    base = (await git('rev-parse', 'HEAD')).stdout.trim();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const review = async (env: Readonly<Record<string, string>> = {}, from = '') => {
    write('summary.md', '');
    const found = await run('bash', [join(ROOT, 'scripts/review.sh')], {
      cwd: join(folder, from),
      env: {
        REMORA: `${process.execPath} ${MAIN}`,
        REMORA_BASE: base,
        REMORA_ARGUMENTS: '-m rdma-tso',
        REMORA_SARIF: 'remora.sarif',
        GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
        ...env,
      },
    });
    return { ...found, summary: readFileSync(join(folder, 'summary.md'), 'utf8') };
  };

  test('has nothing to do where nothing has changed', async () => {
    const { code, stdout } = await review();
    expect([code, stdout]).toEqual([0, 'no litmus test, model or implementation has changed\n']);
  });

  test('decides the tests that have changed, and marks, lists and explains what departs', async () => {
    write('tests/right.litmus', RIGHT);
    write('tests/wrong.litmus', WRONG);
    await git('add', '-A');
    const { code, stdout, summary } = await review();
    expect(code).toBe(1);
    expect(stdout).toMatch(/^::error file=tests\/wrong\.litmus,line=6,col=3::/);
    expect(stdout).toContain('2 tests');
    const sarif = JSON.parse(readFileSync(join(folder, 'remora.sarif'), 'utf8')) as {
      runs: readonly { results: readonly unknown[] }[];
    };
    expect(sarif.runs[0].results).toHaveLength(1);
    expect(summary).toMatch(/^# Remora: outcomes\n/);
    expect(summary).not.toMatch(/npm run|corpus|papers/);
    expect(summary).toContain('## wrong');
    expect(summary).toContain('```mermaid\nsequenceDiagram');
    expect(summary).not.toContain('## right');
  });

  test('decides what lies below its paths, and nothing else', async () => {
    const { code, stdout } = await review({ REMORA_PATHS: 'tests/right.litmus' });
    expect([code, stdout.split(',')[0]]).toEqual([0, '1 test']);
    const { stdout: none } = await review({ REMORA_PATHS: 'elsewhere' });
    expect(none).toBe('no litmus test, model or implementation has changed\n');
  });

  test('does so from a folder of the repository, too', async () => {
    const { code, stdout } = await review({}, 'tests');
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining('file=../tests/wrong.litmus,line=6'),
    ]);
    expect(stdout).toContain('\n2 tests, ');
    mkdirSync(join(folder, 'empty'), { recursive: true });
    const other = await review({ REMORA_PATHS: '../tests/right.litmus' }, 'empty');
    expect([other.code, other.stdout.split(',')[0]]).toEqual([0, '1 test']);
  });

  test('decides all tests where a model has changed, and where there is nothing to compare with', async () => {
    write('mine.cat', MODEL);
    await git('add', '-A');
    expect((await review()).stdout).toContain('3 tests');
    expect(
      (await review({ REMORA_BASE: '', REMORA_PATHS: 'tests/old.litmus tests/right.litmus' }))
        .stdout,
    ).toContain('2 tests');
  });
});
