import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shippedModels } from '../../src/node/models.js';
import { remora, run } from '../support/run.js';

const folder = mkdtempSync(join(tmpdir(), 'remora-completion-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** What a file of the shell is to hold so that commands are completed. */
const scriptOf = (shell: Shell): string => join(folder, `script.${shell}`);

beforeAll(async () => {
  mkdirSync(join(folder, 'my tests'));
  writeFileSync(join(folder, 'my tests/one.litmus'), '');
  writeFileSync(join(folder, 'mine.cat'), '');
  for (const shell of SHELLS) {
    const { code, stdout, stderr } = await remora(['completion', shell]);
    expect([code, stderr]).toEqual([0, '']);
    writeFileSync(scriptOf(shell), stdout);
  }
});

const isThere = (shell: Shell): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((path) => existsSync(join(path, shell)));
/** `REMORA_NATIVE=1` means that all shells have to be there. */
const skipped = (shell: Shell): boolean => !isThere(shell) && process.env['REMORA_NATIVE'] !== '1';

async function inShell(shell: Shell, args: readonly string[]): Promise<string> {
  const env = { HOME: folder, TERM: 'xterm', LC_ALL: 'C.UTF-8' };
  const { code, stdout, stderr } = await run(shell, args, { cwd: folder, env });
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

/** What bash offers at the end of a line. */
async function bash(line: string): Promise<readonly string[]> {
  // As bash divides a line, without quotes: blanks divide, and `=` is a word.
  const words = line.split(/ +|(?==)|(?<==)/);
  const script = `source "$1"; shift
    COMP_WORDS=("$@"); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
    compopt() { echo "compopt $*"; }
    _remora; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const printed = await inShell('bash', ['-c', script, '-', scriptOf('bash'), ...words]);
  return printed.split('\n').filter((word) => word !== '');
}

/** What fish offers, without what it says of it. */
async function fish(line: string): Promise<readonly string[]> {
  const printed = await inShell('fish', [
    '-c',
    `source $argv[1]; complete -C $argv[2]`,
    scriptOf('fish'),
    line,
  ]);
  return printed.split('\n').flatMap((offer) => (offer === '' ? [] : [offer.split('\t')[0]]));
}

/** What a line becomes when zsh has completed it. */
async function zsh(line: string): Promise<string> {
  const driver = join(folder, 'driver.zsh');
  writeFileSync(
    driver,
    `zmodload zsh/zpty
zpty inner zsh -f -i
zpty -w inner "PS1= PS2=; autoload -Uz compinit && compinit -u -D && source $1 && \
  show() { print -r -- \\"<\\$BUFFER>\\"; exit } && zle -N show && bindkey '^X' show && print rea''dy"
zpty -r -m inner text '*ready*'
zpty -w -n inner "$2"$'\\t\\x18'
while zpty -r inner part; do [[ $part == *'<'*'>'* ]] && print -r -- $part && break; done
`,
  );
  const printed = await inShell('zsh', ['-f', driver, scriptOf('zsh'), line]);
  return /<([^<>]*)>/.exec(printed)?.[1].trimEnd() ?? printed;
}

const MODELS = shippedModels().filter((name) => name.startsWith('rdma-tso'));

describe.skipIf(skipped('bash'))('bash', () => {
  test('the script parses, and is registered', async () => {
    expect(await inShell('bash', ['-n', scriptOf('bash')])).toBe('');
    const registered = await inShell('bash', [
      '-c',
      `source "$1"; complete -p remora`,
      '-',
      scriptOf('bash'),
    ]);
    expect(registered).toBe('complete -o default -F _remora remora\n');
  });

  test.each([
    ['remora com', ['compare', 'completion']],
    ['remora help ex', ['explain', 'explore', 'export']],
    ['remora --v', ['--version']],
    ['remora check --re', ['--reporter', '--resume']],
    ['remora test --up', ['--update']],
    ['remora check --up', []],
    ['remora check x --reporter j', ['json', 'junit']],
    ['remora check x --reporter=j', ['json', 'junit']],
    ['remora compare rdma-tso', MODELS],
    ['remora test -m rdma-tso', MODELS],
    ['remora completion ', SHELLS],
  ])('%s', async (line, offers) => {
    const offered = await bash(line);
    expect(offered.filter((offer) => !offer.startsWith('compopt '))).toEqual(offers);
  });

  test('paths are left to bash where they can stand, and only there', async () => {
    expect(await bash('remora check ')).toEqual([]);
    expect(await bash('remora check --out ')).toEqual([]);
    expect(await bash('remora check --model ./')).toEqual([]);
    expect(await bash('remora check --bound ')).toEqual(['compopt +o default']);
  });
});

describe.skipIf(skipped('fish'))('fish', () => {
  test.each([
    ['remora com', ['compare', 'completion']],
    ['remora help ex', ['explain', 'explore', 'export']],
    ['remora check --re', ['--reporter', '--resume']],
    ['remora check --up', []],
    ['remora test check --up', ['--update']],
    ['remora check x --reporter j', ['json', 'junit']],
    ['remora check x --reporter=j', ['--reporter=json', '--reporter=junit']],
    ['remora test -m rdma-tso', MODELS],
    ['remora test -m mi', ['mine.cat']],
    ['remora compare rdma-tso', MODELS],
    ['remora completion ', ['bash', 'fish', 'zsh']],
    ['remora check my', ['my tests/']],
    ['remora check --bound ', []],
  ])('%s', async (line, offers) => {
    expect([...(await fish(line))].sort()).toEqual([...offers].sort());
  });
});

describe.skipIf(skipped('zsh'))('zsh', () => {
  test('the script parses', async () => {
    expect(await inShell('zsh', ['-n', scriptOf('zsh')])).toBe('');
  });

  test.each([
    ['remora distr', 'remora distribute'],
    ['remora help expo', 'remora help export'],
    ['remora check --repo', 'remora check --reporter='],
    ['remora test --up', 'remora test --update'],
    ['remora check --up', 'remora check --up'],
    ['remora check x --reporter ju', 'remora check x --reporter junit'],
    ['remora check x --reporter=ju', 'remora check x --reporter=junit'],
    ['remora test -m rdma-w', 'remora test -m rdma-wait'],
    ['remora test -m min', 'remora test -m mine.cat'],
    ['remora compare rdma-w', 'remora compare rdma-wait'],
    ['remora completion z', 'remora completion zsh'],
    ['remora check my', 'remora check my\\ tests/'],
  ])('%s', async (line, completed) => {
    expect(await zsh(line)).toBe(completed);
  });
});

test('a shell that there is not is a mistake', async () => {
  const { code, stdout, stderr } = await remora(['completion', 'tcsh']);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toBe(
    "error: command-argument value 'tcsh' is invalid for argument 'shell'. " +
      'Allowed choices are bash, zsh, fish.\n(see remora completion --help)\n',
  );
});
