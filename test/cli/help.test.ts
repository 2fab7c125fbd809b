import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningRedis } from '../support/redis.js';
import { SKIP_REDIS, WITH_REDIS, startRedis } from '../support/redis.js';
import type { Run } from '../support/run.js';
import { ROOT, STACK_TRACE, remora, shell } from '../support/run.js';

const COMMANDS = [
  ...[
    'check',
    'test',
    'compare',
    'outcomes',
    'robust',
    'merge',
    'agree',
    'explore',
    'refine',
    'explain',
    'report',
  ],
  ...['distribute', 'export', 'instructions', 'fmt', 'lsp', 'serve', 'verify', 'completion'],
  'campaign',
];

const folder = mkdtempSync(join(tmpdir(), 'remora-help-'));
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(async () => {
  cpSync(join(ROOT, 'corpus'), join(folder, 'corpus'), { recursive: true });
  // Results for the example of merge.
  for (const part of [1, 2]) {
    const args = ['corpus/loco', '--shard', `${part}/2`, '--out', `${part}.jsonl`, '--jobs', '1'];
    await remora(['test', ...args], { cwd: folder });
  }
});

test('the general help lists every command', async () => {
  const { stdout } = await remora(['--help']);
  const listed = [...stdout.matchAll(/^ {2}(\w+)(?: \[options\])? [<[]/gm)].map(([, name]) => name);
  expect(listed.filter((name) => name !== 'help').sort()).toEqual([...COMMANDS].sort());
});

/** A server stays: it is ended when its socket is there. */
const serve = (): Promise<Run> =>
  remora(['serve'], {
    env: { XDG_RUNTIME_DIR: folder },
    signal: { name: 'SIGTERM', after: () => existsSync(join(folder, 'remora/server')) },
  });

let redis: RunningRedis | undefined;
beforeAll(async () => {
  if (!SKIP_REDIS) redis = await startRedis();
});
afterAll(() => redis?.remove());

/** Those of campaigns need Redis, and belong together. */
const example = (line: string): Promise<Run> =>
  line === 'remora serve'
    ? serve()
    : shell(line, { cwd: folder, env: redis === undefined ? {} : { REMORA_REDIS: redis.socket } });

/** The examples at the end of a help. */
const examplesIn = (help: string): readonly string[] =>
  [...help.matchAll(/^ {2}(remora .*)$/gm)].map(([, line]) => line);

describe.each([[], ...COMMANDS.map((name) => [name])])('remora %s', (...command) => {
  test('the help has exit codes, and examples that work', async ({ skip }) => {
    const { code, stdout, stderr } = await remora([...command, '--help']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Exit codes:\n {2}0 {4}\S.*\n/m);
    expect(stdout).toMatch(/^ {2}2 {4}wrong usage/m);
    const examples = examplesIn(stdout);
    expect(examples.length).toBeGreaterThan(0);
    if (command[0] === 'campaign' && SKIP_REDIS) return skip(WITH_REDIS);
    for (const line of examples) {
      const done = await example(line);
      expect([0, 1], `${line}\n${done.stderr}`).toContain(done.code);
    }
  }, 120_000);

  test('a usage error names the help that is about it', async () => {
    const { code, stdout, stderr } = await remora([...command, '--frobnicate']);
    expect([code, stdout]).toEqual([2, '']);
    // Options that are missing are reported first.
    expect(stderr).toMatch(/^error: (unknown option '--frobnicate'|required option .*)\n/);
    expect(stderr).toContain(`\n(see ${['remora', ...command].join(' ')} --help)\n`);
  });
});

describe('a command that there is not', () => {
  test.each([[['exprot', '--help']], [['help', 'exprot']], [['exprot']], [['exprot', 'x']]])(
    '%j is an error, with a guess',
    async (args) => {
      const { code, stdout, stderr } = await remora(args);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toBe(
        "error: unknown command 'exprot'; did you mean 'export'?\n(see remora --help)\n",
      );
    },
  );

  test('nothing is guessed where nothing is near', async () => {
    const { stderr } = await remora(['frobnicate', '--help']);
    expect(stderr).toBe("error: unknown command 'frobnicate'\n(see remora --help)\n");
  });
});

describe('--limit', () => {
  const FILE = 'corpus/tso/MP1.litmus';

  test.each([
    ['auto', ['check', FILE]],
    ['auto', ['outcomes', FILE]],
    ['smt', ['test', FILE, '--engine', 'smt']],
    ['smt, native', ['agree', FILE, '--engine', 'smt,native', '--solver', 'z3']],
  ])('is refused by %s, which would not heed it', async (engines, args) => {
    const { code, stdout, stderr } = await remora([...args, '--limit', '5']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      'error: --limit is for the engines enumerate, operational, six-buffers; ' +
        `${engines} would not heed it\n(see remora ${args[0]} --help)\n`,
    );
    expect(stderr).not.toMatch(STACK_TRACE);
  });

  test('is taken where one of several engines heeds it', async () => {
    const { code } = await remora(['agree', FILE, '--engine', 'smt,enumerate', '--limit', '9999']);
    expect(code).toBe(0);
  });
});
