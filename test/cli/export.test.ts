import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectedOf } from '../../src/check/expectation.js';
import { parseLitmus, shippedModels } from '../../src/index.js';
import { valueOf } from '../support/litmus.js';
import { NATIVE_Z3, SKIP_Z3, needZ3 } from '../support/native.js';
import { remora, unsealed } from '../support/run.js';

/** `remora export --smtlib`: the scripts, and what a solver that is not ours says to them. */

const MP = 'corpus/tso/MP3bis.litmus';
const PUBLISHED = ['decidability', 'loco', 'robustness', 'tso'].map((f) => `corpus/${f}`);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'remora-export-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('export', () => {
  const run = (...args: string[]) => remora(['export', '--smtlib', ...args]);
  const two = 'test/files/tests/two.litmus';

  test('writes a script that explains itself', async () => {
    const { code, stdout, stderr } = await run(MP);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^; MP3bis: a later CPU write overtakes a put\n/);
    for (const line of [
      `; file ${MP}, query 1, model rdma-tso`,
      '; exists (a = 1 /\\ b = 0)',
      '; published: allowed',
      '; sat    allowed: some execution ends with the condition true',
      ';   6  T1 lW y on 1 := 1',
      '(set-logic QF_UF)',
      '(declare-const rf_6_7 Bool)',
      '(assert (or (not rf_6_7) (not rf_0_7)))',
    ]) {
      expect(stdout.split('\n')).toContain(line);
    }
    expect(stdout).toMatch(/\n; What is asked:\n\(assert \w+\)\n\(check-sat\)\n$/);
  });

  test('is the same every time', async () => {
    expect((await run(MP)).stdout).toBe((await run(MP)).stdout);
  });

  test('queries about runs have no script, and it is said', async () => {
    const file = 'corpus/locks/alock-1-1-first-come-polled.litmus';
    const { code, stdout, stderr } = await run(file);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      `${file}: queries 1, 2 are about runs, and have no script: remora explore answers them\n`,
    );
    const both = join(folder, 'both.litmus');
    writeFileSync(
      both,
      'RDMA both node 1 { x = 0 } thread T on 1 { x := 1 } thread U on 1 { r := x }\n' +
        'exists (U:r = 1) never (U:r = 2)',
    );
    const mixed = await run(both);
    expect(mixed.code).toBe(0);
    expect(mixed.stdout).toContain('; exists (U:r = 1)');
    expect(mixed.stderr).toBe(
      `${both}: query 2 is about runs, and has no script: remora explore answers it\n`,
    );
    const asked = await run(both, '--query', '2');
    expect([asked.code, asked.stdout, asked.stderr]).toEqual([2, '', mixed.stderr]);
  });

  test('one of several queries, or all of them into a folder', async () => {
    const all = await run(two);
    expect(all.stderr).toBe(
      'there are 2 queries: choose one with --query and --model, or give a folder with --out\n',
    );
    expect(all.code).toBe(2);
    const second = await run(two, '--query', '2');
    expect(second.stdout).toContain('; forall (x = 1 /\\ y != -1)');
    expect(second.stdout).toContain('; sat    fails: some execution ends with the condition false');
    const out = join(folder, 'scripts/deep');
    expect((await run(two, MP, '-m', 'sc,rdma-tso', '--out', out)).code).toBe(0);
    expect(readdirSync(out).sort()).toEqual(
      ['two.1', 'two.2', 'MP3bis'].flatMap((t) => [`${t}.rdma-tso.smt2`, `${t}.sc.smt2`]).sort(),
    );
    const written = readFileSync(join(out, 'two.2.rdma-tso.smt2'), 'utf8');
    expect(unsealed(written)).toBe(second.stdout);
  });

  test('into a file', async () => {
    const out = join(folder, 'one.smt2');
    const { code, stdout } = await run(MP, '-o', out);
    expect([code, stdout]).toEqual([0, '']);
    expect(readFileSync(out, 'utf8')).toContain('(check-sat)');
    expect((await run(two, '-o', out)).code).toBe(2);
  });

  test('a script that takes more time than there is is told, and the others are written', async () => {
    const large = join(folder, 'large.litmus');
    const writes = (to: string) => Array.from({ length: 60 }, (_, i) => `${to} := ${i}`).join('; ');
    const threads = [1, 2, 1, 2, 1, 2].map(
      (node, i) => `thread T${i} on ${node} { ${writes(node === 1 ? 'x' : 'x^1')} }`,
    );
    writeFileSync(
      large,
      `RDMA large node 1 { x = 0 } node 2 { z = 0 } ${threads.join(' ')} exists (x = 1)`,
    );
    const out = join(folder, 'in-time');
    const { code, stderr } = await run(large, MP, '--time-limit', '1', '--out', out);
    expect([code, stderr]).toEqual([3, `${large}: time limit of 1 s reached\n`]);
    expect(readdirSync(out)).toEqual(['MP3bis.rdma-tso.smt2']);
    const file = join(folder, 'late.smt2');
    expect((await run(large, '--time-limit', '1', '--out', file)).code).toBe(3);
    expect(existsSync(file)).toBe(false);
  });

  test('says what a solver cannot know', async () => {
    const loop = await run('test/files/tests/loop.litmus', '--query', '1', '--bound', '2');
    expect(loop.stdout).toContain('; Only runs with at most 2 iterations of each loop');
    const recursive = await run(MP, '-m', 'test/files/models/some-recursive.cat');
    expect(recursive.stdout).toContain('with the condition true (see below)');
  });

  test.each([
    [[MP, '--query', '2'], `${MP}: there is no query 2: the test has 1\n`],
    [['nowhere.litmus'], 'nowhere.litmus: no such file or folder\n'],
    [['test/files/wait.litmus'], 'cannot be translated for rdma-tso'],
    [[MP, '-m', 'nope'], 'nope: no such model'],
    [[MP, '-o', `${MP}/x.smt2`], `${MP}/x.smt2: cannot be written (ENOTDIR)\n`],
  ])('%j is an error', async (args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect(stderr).toContain(message);
    expect(stdout).toBe('');
    expect(code).toBe(2);
    expect(existsSync('there')).toBe(false);
  });

  test('two tests of one name cannot go to one folder', async () => {
    const copy = join(folder, 'copy.litmus');
    cpSync(MP, copy);
    const { code, stderr } = await run(MP, copy, '-o', 'there');
    expect(stderr).toBe(`${join('there', 'MP3bis.rdma-tso.smt2')}: two tests have the same name\n`);
    expect([code, existsSync('there')]).toEqual([2, false]);
  });

  test('no name of a test leads out of the folder', async () => {
    const odd = join(folder, 'odd.litmus');
    writeFileSync(odd, readFileSync(MP, 'utf8').replace('RDMA MP3bis', 'RDMA ../../odd'));
    expect((await run(odd, '-o', join(folder, 'inside'))).code).toBe(0);
    expect(readdirSync(join(folder, 'inside'))).toEqual(['.._.._odd.rdma-tso.smt2']);
  });

  test('a test that cannot be translated does not keep the others', async () => {
    const out = join(folder, 'rest');
    const { code, stderr } = await run('test/files/wait.litmus', MP, '--out', out);
    expect(stderr).toContain('cannot be translated for rdma-tso');
    expect(code).toBe(2);
    expect(readdirSync(out)).toEqual(['MP3bis.rdma-tso.smt2']);
  });

  test('a format is needed', async () => {
    const { code, stderr } = await remora(['export', MP]);
    expect(stderr).toContain('a format is needed: --smtlib or --promela');
    expect(code).toBe(2);
  });
});

describe.skipIf(SKIP_Z3)(NATIVE_Z3, () => {
  beforeAll(needZ3);

  test('decides exported queries as published', async () => {
    const out = join(folder, 'published');
    const files = PUBLISHED.flatMap((path) =>
      readdirSync(path, { encoding: 'utf8' }).map((file) => join(path, file)),
    );
    const tests = files.map((file) => valueOf(parseLitmus(readFileSync(file, 'utf8'), file)));
    const stating = (model: string) =>
      tests.filter((t) => t.queries.some((q) => expectedOf(q, model)?.authority === 'published'));
    for (const model of shippedModels().filter((m) => stating(m).length > 0)) {
      const { code, stderr } = await remora([
        ...['export', '--smtlib', ...stating(model).map((t) => t.file)],
        ...['-m', model, '--out', out],
      ]);
      expect(stderr).toBe('');
      expect(code).toBe(0);
    }
    const scripts = readdirSync(out).map((file) => readFileSync(join(out, file), 'utf8'));
    const stated = scripts.map((text) => /^; published: (\w+)$/m.exec(text)?.[1]);
    const input = scripts.filter((_, i) => stated[i] !== undefined).join('(reset)\n');
    const { stdout } = spawnSync('z3', ['-in', '-smt2'], { input, encoding: 'utf8' });
    const expected = stated.filter((s) => s !== undefined);
    expect(expected.length).toBeGreaterThan(100);
    expect(stdout.trim().split('\n')).toEqual(
      expected.map((verdict) => (verdict === 'allowed' || verdict === 'fails' ? 'sat' : 'unsat')),
    );
  });
});
