import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../support/commands.js';
import { STACK_TRACE, remora } from '../support/run.js';

test('the general help lists every command', async () => {
  const { stdout } = await remora(['--help']);
  const listed = [...stdout.matchAll(/^ {2}(\w+)(?: \[options\])? [<[]/gm)].map(([, name]) => name);
  expect(listed.filter((name) => name !== 'help').sort()).toEqual([...COMMANDS].sort());
});

test('the general help groups the commands', async () => {
  const { stdout } = await remora(['--help']);
  const of = (heading: string) => new RegExp(`^${heading}:\\n((?: .*\\n)+)`, 'm').exec(stdout)?.[1];
  expect(of('Corpora')).toMatch(/^ {2}test /m);
  expect(of('Corpora')).not.toMatch(/^ {2}check /m);
  expect(of('Programs')).toMatch(/^ {2}check /m);
  // Only what commander adds has no place.
  expect(of('Commands')).toMatch(/^ {2}help .*\n.*$/);
});

describe.each(COMMANDS)('the help of %s', (name) => {
  test('has no long list without headings', async () => {
    const { stdout } = await remora([name, '--help']);
    const lists = [...stdout.matchAll(/^\S.*:\n((?: .*\n)+)/gm)].map(([, list]) => list);
    const options = lists.map((list) => list.match(/^ {2}-/gm)?.length ?? 0);
    expect(Math.max(...options)).toBeLessThanOrEqual(11);
  });
});

describe.each([[], ...COMMANDS.map((name) => [name])])('remora %s', (...command) => {
  test('the help has exit codes and examples', async () => {
    const { code, stdout, stderr } = await remora([...command, '--help']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Exit codes:\n {2}0 {4}\S.*\n/m);
    expect(stdout).toMatch(/^ {2}2 {4}wrong usage/m);
    expect(stdout).toMatch(/^ {2}remora \S.*$/m);
  });

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
      'error: --limit is for the engines enumerate, operational, simplified, six-buffers; ' +
        `${engines} would not heed it\n(see remora ${args[0]} --help)\n`,
    );
    expect(stderr).not.toMatch(STACK_TRACE);
  });

  test('is taken where one of several engines heeds it', async () => {
    const { code } = await remora(['agree', FILE, '--engine', 'smt,enumerate', '--limit', '9999']);
    expect(code).toBe(0);
  });
});
