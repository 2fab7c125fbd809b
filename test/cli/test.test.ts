import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT, remora, withoutTimes } from '../support/run.js';

const run = (...args: string[]) => remora([...args, '--jobs', '1']);

describe('test', () => {
  test('prints the table, its legend and the counts', async () => {
    const { code, stdout, stderr } = await run('test', 'test/files/tests');
    expect(stderr).toBe('');
    expect(withoutTimes(stdout)).toBe(`\
test  outcome                  sc  rdma-  rdma-  rdma-tso-  rdma-  x86-  seen
                                   sc     tso    nopcie     wait   tso
test/files/tests/
loop  b = 0                    ○^  ○^     ○^     ○^         ○^
      b = 1                    ●   ●      ●      ●          ●
MP    a = 1 /\\ b = 0           ○   ●      ●*     ●          ●            yes
SB    a = 0 /\\ b = 0           ○   ○      ●*     ●          ●      ●*
two   ~exists a = 2 /\\ b = 0   ○   ○      ○      ○          ○
      forall x = 1 /\\ y != -1  ∀   ∀      ∀      ∀          ∀

● allowed  ○ forbidden  ∀ holds  ∄ fails  ? unknown  ∅ no execution  – no meaning under the model
* as published  ! departs from what the file expects  ^ up to the loop bound

4 tests, 31 verdicts, 0 unknown; 14 expectations held (3 published), 0 failed; 1 test without any; … s
`);
    expect(code).toBe(0);
  });

  test('marks and lists what departs, and exits with 1', async () => {
    const { code, stdout } = await run('test', 'test/files/departing', '-m', 'sc,rdma-tso');
    const file = 'test/files/departing/wrong.litmus';
    expect(stdout.split('\n').slice(3, 6)).toEqual([
      'wrong  a = 0 /\\ b = 0          ○!  ●!',
      '       ~exists a = 0 /\\ b = 0  ○   ●!',
      '       forall a = 1            ∄!  ∄!',
    ]);
    expect(stdout.split('\n').slice(10, -2)).toEqual([
      `${file}: exists (a = 0 /\\ b = 0) under sc: forbidden, expected allowed`,
      `${file}: forall (a = 1) under sc: fails, expected holds`,
      `${file}: exists (a = 0 /\\ b = 0) under rdma-tso: allowed, published as forbidden`,
      `${file}: ~exists (a = 0 /\\ b = 0) under rdma-tso: allowed, expected forbidden`,
      `${file}: forall (a = 1) under rdma-tso: fails, expected holds`,
    ]);
    expect(stdout).toMatch(/^1 test, 6 verdicts, 0 unknown; 1 expectation held, 5 failed; /m);
    expect(code).toBe(1);
  });

  test('goes on where a test has no translation', async () => {
    const paths = ['test/files/wait.litmus', 'test/files/tests/mp.litmus'];
    const { code, stdout, stderr } = await run('test', ...paths, '-m', 'rdma-tso,rdma-wait');
    expect(stdout).toMatch(/^waits +z = 1 +– +○\*$/m);
    expect(stdout).toContain('– waits: the waits or polls have no translation');
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  test('a dash for queries about runs and a model without a machine, and no more about it', async () => {
    const file = 'corpus/locks/tas.litmus';
    const { code, stdout, stderr } = await run('test', file, '-m', 'sc,rdma-manpage');
    const rows = stdout.split('\n').filter((line) => /[∀∄]/.test(line) && !line.includes('●'));
    expect(rows.map((line) => line.split(/ {2,}/).slice(-2))).toEqual([
      ['∀', '–'],
      ['∀', '–'],
      ['∄', '–'],
      ['∀', '–'],
    ]);
    expect(stdout.split('\n').filter((line) => line.startsWith('–'))).toEqual([]);
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  test('of many tests without translation, how many they are', async () => {
    const { stdout } = await run('test', 'corpus/locks', '--grep', 'alock-1', '-m', 'rdma-wait');
    const about = stdout.split('\n').filter((line) => line.startsWith('– '));
    expect(about).toHaveLength(1);
    expect(about[0]).toMatch(
      /^– \d\d tests \(alock-1-1, alock-1-1-data, alock-1-1-\S+, …\): no verdict: the /,
    );
    expect(about[0].length).toBeLessThan(160);
  });

  test('a claim departs under no model that cannot mean it, and is unknown where none can', async () => {
    const args = ['test', 'test/files/wait-claim.litmus', '-m'];
    const one = await run(...args, 'rdma-tso');
    expect(one.stdout).toMatch(/^1 test, 0 verdicts, 1 unknown; 0 expectations held, 0 failed; /m);
    expect(one.code).toBe(3);
    const both = await run(...args, 'rdma-tso,sc');
    expect(both.stdout).toMatch(/^1 test, 1 verdict, 0 unknown; 1 expectation held, 0 failed; /m);
    expect(both.code).toBe(0);
  });

  test('marks and lists programs without execution, and what is unknown', async () => {
    const paths = ['test/files/vacuous.litmus', 'test/files/endless.litmus'];
    const { code, stdout } = await run('test', ...paths, '-m', 'rdma-tso');
    expect(stdout).toMatch(/^vacuous +x = 0 +∅$/m);
    expect(stdout).toMatch(/^endless +x = 0 +\?$/m);
    expect(stdout).toContain(': vacuous: T1 polls node 2 more often than');
    expect(stdout).toContain(
      ': unknown: no run ends within the loop bound of 3: --bound takes a larger one\n',
    );
    expect(stdout).toMatch(/2 verdicts, 1 unknown; 0 expectations held, 0 failed; /);
    expect(code).toBe(3);
  });

  test('--markdown: published verdicts are bold, contradicted ones say so, no times', async () => {
    const paths = ['test/files/tests', 'test/files/departing', 'test/files/wait.litmus'];
    const args = ['test', ...paths, '--markdown', '-m', 'sc,rdma-tso'];
    const { code, stdout } = await remora(args);
    expect(stdout).toContain(`\
## test/files/tests

| test | outcome | sc | rdma-tso | seen |
| --- | --- | --- | --- | --- |
| loop | \`b = 0\` | forbidden^ | forbidden^ |  |
| loop | \`b = 1\` | allowed | allowed |  |
| MP | \`a = 1 /\\ b = 0\` | forbidden | **allowed** | yes |
| SB | \`a = 0 /\\ b = 0\` | forbidden | **allowed** |  |
| two | \`~exists a = 2 /\\ b = 0\` | forbidden | forbidden |  |
| two | \`forall x = 1 /\\ y != -1\` | holds | holds |  |
`);
    expect(stdout).toContain(
      '| wrong | `a = 0 /\\ b = 0` | forbidden | allowed (published: forbidden) |  |\n',
    );
    expect(stdout).toContain('| waits | `z = 1` | forbidden | – |  |\n');
    expect(stdout).toBe((await run(...args)).stdout);
    expect(code).toBe(1);
  });

  test('without a path it reads the folder corpus', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'remora-test-'));
    cpSync(join(ROOT, 'test/files/tests'), join(cwd, 'corpus'), { recursive: true });
    const { code, stdout, stderr } = await remora(['test', '-m', 'sc'], { cwd });
    rmSync(cwd, { recursive: true });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^4 tests, 6 verdicts/m);
    expect(code).toBe(0);
  });
});

describe('compare', () => {
  test('shows the verdicts that differ, and only those', async () => {
    const variant = 'test/files/models/weak-puts.cat';
    const { code, stdout } = await run('compare', 'rdma-tso', variant, 'test/files/tests');
    expect(stdout).toBe(`\
test  outcome                   rdma-tso   weak-puts
loop  exists (b = 0)            forbidden  allowed
two   ~exists (a = 2 /\\ b = 0)  forbidden  allowed

2 of 6 verdicts differ between rdma-tso and weak-puts
`);
    expect(code).toBe(0);
  });

  test('says where nothing differs', async () => {
    const { code, stdout } = await run('compare', 'rdma-tso', 'rdma-tso-4.4', 'test/files/tests');
    expect(stdout).toBe('0 of 6 verdicts differ between rdma-tso and rdma-tso-4.4\n');
    expect(code).toBe(0);
  });

  test('counts only what both models decide, and says why not the rest', async () => {
    const paths = [
      'test/files/wait.litmus',
      'test/files/endless.litmus',
      'test/files/tests/mp.litmus',
    ];
    const { code, stdout } = await run('compare', 'sc', 'rdma-tso', ...paths);
    expect(stdout).toBe(`\
test  outcome                  sc         rdma-tso
MP    exists (a = 1 /\\ b = 0)  forbidden  allowed

1 of 1 verdicts differ between sc and rdma-tso
not compared:
  1 without meaning under rdma-tso (waits)
  1 undecided under both: no run ends within the loop bound of 3: --bound takes a larger one (endless)
`);
    expect(code).toBe(3);
  });

  test('a time limit leaves nothing to count', async () => {
    const args = ['test/files/tests', '--engine', 'smt', '--time-limit', '0.001'];
    const { code, stdout } = await run('compare', 'sc', 'rdma-tso', ...args);
    const [, differ, of] = /^(\d+) of (\d+) verdicts differ/m.exec(stdout)!.map(Number);
    const undecided = [
      ...stdout.matchAll(/^ {2}(\d+) undecided under .*: time limit of 0\.001 s/gm),
    ];
    expect(of + undecided.reduce((sum, [, n]) => sum + Number(n), 0)).toBe(6);
    expect(undecided.length).toBeGreaterThan(0);
    expect(
      stdout.match(/^\S.* (allowed|forbidden|holds|fails) +(allowed|forbidden|holds|fails)$/gm) ??
        [],
    ).toHaveLength(differ);
    expect(code).toBe(3);
  });
});

describe('help', () => {
  test('names commands, options and models; the version is the package’s', async () => {
    const [all, check, version] = [
      await remora(['--help']),
      await remora(['help', 'check']),
      await remora(['-V']),
    ];
    for (const word of ['check', 'test', 'compare', 'outcomes', 'rdma-tso-nopcie']) {
      expect(all.stdout).toContain(word);
    }
    for (const word of ['--bound', '--time-limit', '--jobs', '--json', '--model', '--herd']) {
      expect(check.stdout).toContain(word);
    }
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(version.stdout).toBe(`${manifest.version}\n`);
    expect([all.code, check.code, version.code]).toEqual([0, 0, 0]);
  });

  test('docs/cli.md has every option of every command', async () => {
    const text = readFileSync(join(ROOT, 'docs/cli.md'), 'utf8');
    for (const command of ['check', 'test', 'compare', 'outcomes']) {
      const { stdout } = await remora([command, '--help']);
      const options = stdout.match(/--[a-z-]+/g) ?? [];
      expect(options.filter((option) => !text.includes(`\`${option}`))).toEqual([]);
    }
  });
});
