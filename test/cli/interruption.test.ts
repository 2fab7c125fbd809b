import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failing } from '../support/fake-solver.js';
import { remoraProcess } from '../support/run.js';

/** After Ctrl-C, the results of all that was done are there, and the output says how much that is. */

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'remora-interrupted-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const PATHS = [
  'test/files/tests/mp.litmus',
  'test/files/wait.litmus',
  'test/files/tests/two.litmus',
];

/** Runs a command with a solver that never answers, and ends it when it has been asked. */
async function interrupted(name: string, ...args: readonly string[]) {
  const asked = join(folder, name);
  const solver = failing(join(folder, `${name}.sh`), `: > ${asked}; sleep 1000`);
  return remoraProcess([...args, '--solver', solver, '--jobs', '1'], {
    signal: { name: 'SIGINT', after: () => existsSync(asked) },
  });
}

const linesOf = (stdout: string): readonly Record<string, unknown>[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('export says how many files it wrote', async () => {
  const out = join(folder, 'scripts');
  const { code, stdout, stderr } = await remoraProcess(
    ['export', '--smtlib', 'corpus/fabrics', '-o', out],
    {
      signal: { name: 'SIGINT', after: () => existsSync(out) },
    },
  );
  const [, done] = /^interrupted after (\d+) of \d+ files$/m.exec(stderr) ?? [];
  expect(readdirSync(out)).toHaveLength(Number(done));
  expect([code, stdout]).toEqual([130, '']);
});

test('report leaves nothing behind, and a former report as it was', async () => {
  const site = join(folder, 'site');
  const report = (path: string): readonly string[] => ['report', path, '--out', site];
  expect((await remoraProcess(report(PATHS[0]))).code).toBe(0);
  const everything = (): readonly (readonly [string, string])[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path, readFileSync(path, 'utf8')]);
  const before = everything();
  const signal = { name: 'SIGINT', after: 1500 } as const;
  const { code, stderr } = await remoraProcess(report('corpus/fabrics'), { signal });
  expect(stderr).toBe(`${site}: interrupted, nothing is written\n`);
  expect(code).toBe(130);
  expect(everything()).toEqual(before);
});

describe.concurrent('nothing is done', () => {
  test.each([
    ['check', ['check', ...PATHS], 'interrupted after 0 of 3 verdicts\n'],
    [
      'compare',
      ['compare', 'sc', 'rdma-tso', ...PATHS],
      '0 of 0 verdicts differ between sc and rdma-tso\ninterrupted after 0 of 4 queries\n',
    ],
    ['robust', ['robust', ...PATHS], 'interrupted after 0 of 2 answers\n'],
  ])('%s says so in one line', async (name, args, expected) => {
    const { code, stdout } = await interrupted(name, ...args);
    expect(stdout).toBe(expected);
    expect(code).toBe(130);
  });

  // Only the solver can say that there are no more states.
  test('outcomes shows what is complete', async () => {
    const { code, stdout } = await interrupted('outcomes', 'outcomes', ...PATHS);
    expect(stdout).toMatch(/^MP under rdma-tso: 4 final states\n/);
    expect(stdout).toMatch(/\n\ninterrupted after 1 of 2 lists\n$/);
    expect(code).toBe(130);
  });

  test('test has no table, and counts no verdict', async () => {
    const args = ['test', ...PATHS, '-m', 'sc,rdma-tso'];
    const { code, stdout } = await interrupted('test', ...args);
    expect(stdout).toMatch(
      /^interrupted after 0 of 7 verdicts\n0 tests, 0 verdicts, 0 unknown; 0 expectations held, 0 failed; /,
    );
    expect(code).toBe(130);
  });

  test.each([
    ['markdown', ['test', ...PATHS, '-m', 'sc', '--markdown'], '4 verdicts'],
    ['herd', ['outcomes', ...PATHS, '--herd', '-m', 'sc'], '3 lists'],
    ['table', ['robust', ...PATHS, '--table'], '4 answers'],
  ])('--%s says so on standard error', async (name, args, what) => {
    const { code, stdout, stderr } = await interrupted(name, ...args);
    expect(stderr).toBe(`interrupted after 0 of ${what}\n`);
    expect(stdout).not.toContain('interrupted');
    expect(code).toBe(130);
  });

  test('compare --json has each query, with the reason', async () => {
    const args = ['compare', 'sc', 'rdma-tso', ...PATHS, '--json'];
    const { code, stdout } = await interrupted('json', ...args);
    const reasons = linesOf(stdout).map(({ model, verdict, reason }) => [model, verdict, reason]);
    expect(reasons).toEqual([
      ['sc', 'unknown', 'interrupted'],
      ['rdma-tso', 'unknown', 'interrupted'],
      ['sc', 'unknown', 'interrupted'],
      ['rdma-tso', 'untranslatable', expect.stringContaining('wait(d) cannot be translated')],
      ['sc', 'unknown', 'interrupted'],
      ['sc', 'unknown', 'interrupted'],
      ['rdma-tso', 'unknown', 'interrupted'],
      ['rdma-tso', 'unknown', 'interrupted'],
    ]);
    expect(code).toBe(130);
  });
});

// One worker is busy with a test that takes for ever; the other one decides the rest.
describe.concurrent('something is done', () => {
  const LONG = 'test/files/long';

  /** Ends a command when the other test is done. */
  async function half(name: string, ...args: readonly string[]) {
    const out = join(folder, `${name}.jsonl`);
    const isDone = () => existsSync(out) && readFileSync(out, 'utf8').includes('"test":"quick"');
    return remoraProcess([...args, '--jobs', '2', '--out', out], {
      signal: { name: 'SIGINT', after: isDone },
    });
  }

  test('test shows the table of what is done, then one line', async () => {
    const { code, stdout } = await half('half-test', 'test', LONG, '-m', 'sc,rdma-tso');
    expect(stdout).toMatch(/^quick {2}a = 0 \/\\ b = 0 {2}○ {3}●\*$/m);
    expect(stdout).not.toContain('pigeons');
    const [interruption, summary] = stdout.trimEnd().split('\n').slice(-2);
    expect(interruption).toBe('interrupted after 2 of 6 verdicts');
    expect(summary).toMatch(/^1 test, 2 verdicts, 0 unknown; .*, 0 failed; /);
    expect(stdout.match(/unknown|interrupted/g)).toHaveLength(3);
    expect(code).toBe(130);
  });

  test('compare shows what differs in what is done', async () => {
    const { code, stdout } = await half('half-compare', 'compare', 'sc', 'rdma-tso', LONG);
    expect(stdout).toBe(`\
test   outcome                  sc         rdma-tso
quick  exists (a = 0 /\\ b = 0)  forbidden  allowed

1 of 1 verdicts differ between sc and rdma-tso
interrupted after 1 of 3 queries
`);
    expect(code).toBe(130);
  });

  test('explain says how many are explained', async () => {
    const args = ['explain', LONG, '--jobs', '1'];
    const { code, stdout } = await remoraProcess(args, { signal: { name: 'SIGINT', after: 3000 } });
    expect(stdout).toMatch(/^interrupted after [01] of 3 explanations$/m);
    expect(stdout).not.toContain('not explained');
    expect(code).toBe(130);
  });
});
