import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT, remora } from '../support/run.js';

/** What is asked and gets no verdict. `rdma-ro` has no machine; `rdma-wait` cannot say the polls of a loop. */

let folder: string;
let lock: string;
let named: string;
let lacking: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'remora-unanswered-'));
  const tas = readFileSync(join(ROOT, 'corpus/locks/tas.litmus'), 'utf8');
  const claims = tas.replace(/^ {2}computed .*\n/gm, '').replace(/^progress .*\n/m, '');
  const put = (name: string, text: string): string => {
    const file = join(folder, `${name}.litmus`);
    writeFileSync(file, text);
    return file;
  };
  lock = put('lock', claims);
  named = put('named', `${claims}  computed holds under rdma-wait\n`);
  lacking = put('lacking', `${claims}  computed holds under rdma-ro\n`);
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]) => remora(args);
const last = (text: string): string => text.trimEnd().split('\n').at(-1)!;

describe('test', () => {
  test('a right lock passes under the models that can mean it; the others do not count', async () => {
    const { code, stdout } = await run('test', lock);
    expect(last(stdout)).toMatch(
      /^1 test, 12 verdicts, 0 unknown; 12 expectations held, 0 failed; \d/,
    );
    expect(code).toBe(0);
  });

  test.each(['rdma-ro', 'rdma-wait'])('no verdict at all, under %s, is 3', async (model) => {
    const { code, stdout } = await run('test', lock, '-m', model);
    expect(stdout).toMatch(/^– tas: no verdict: /m);
    expect(last(stdout)).toMatch(/^1 test, 0 verdicts, 3 unknown; /);
    expect(code).toBe(3);
  });

  test('of several models, it is enough that one answers', async () => {
    const { code } = await run('test', lock, '-m', 'sc,rdma-ro');
    expect(code).toBe(0);
  });

  test('where the file names the model, it departs', async () => {
    for (const [file, model, why] of [
      [named, 'rdma-wait', 'no meaning under the model'],
      [lacking, 'rdma-ro', 'rdma-ro has no machine'],
    ]) {
      const { code, stdout } = await run('test', file, '-m', `sc,${model}`);
      expect(stdout).toContain(`: no deadlock under ${model}: ${why}`);
      expect(stdout).toContain(', expected holds\n');
      expect(last(stdout)).toContain(', 1 failed; ');
      expect(code).toBe(1);
    }
  });

  test('every format says so', async () => {
    const under = ['test', lock, '-m', 'rdma-ro', '--reporter'];
    const junit = await run(...under, 'junit');
    expect(junit.stdout).toContain('tests="3" failures="0" errors="3" skipped="0"');
    const github = await run(...under, 'github');
    expect(github.stdout.match(/^::warning .*no verdict: rdma-ro has no machine$/gm)).toHaveLength(
      3,
    );
    const sarif = await run(...under, 'sarif');
    expect(sarif.stdout.match(/"level": "warning"/g)).toHaveLength(3);
    const json = await run(...under, 'json');
    const lines = json.stdout.trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { verdict: string }).verdict)).toEqual(
      Array<string>(3).fill('untranslatable'),
    );
    const few = await run('test', lock, '-m', 'rdma-ro', '--quiet');
    expect(few.stdout).toContain('– tas: no verdict: rdma-ro has no machine\n');
    for (const { code } of [junit, github, sarif, json, few]) expect(code).toBe(3);
  });

  test('results in a file say it again, when they are joined', async () => {
    const out = join(folder, 'out.jsonl');
    expect((await run('test', lock, '-m', 'rdma-ro', '--out', out)).code).toBe(3);
    const { code, stdout } = await run('merge', out);
    expect([code, last(stdout)]).toEqual([3, expect.stringContaining('3 unknown')]);
  });
});

describe('check, explore and compare', () => {
  test.each([
    [['check', '-m', 'rdma-ro']],
    [['check', '-m', 'sc,rdma-ro']],
    [['explore', '-m', 'rdma-ro']],
    [['explore', '-m', 'sc,rdma-ro']],
    [['compare', 'sc', 'rdma-ro']],
  ])('%j: a model without a machine is no answer, and 3', async (args) => {
    const { code, stdout } = await run(...args, lock);
    expect(stdout).toMatch(/no answer: rdma-ro has no machine|undecided under rdma-ro: no machine/);
    expect(code).toBe(3);
  });

  test('what cannot be compared for want of a translation is 3', async () => {
    const { code } = await run('compare', 'sc', 'rdma-wait', lock);
    expect(code).toBe(3);
  });
});

describe('the corpus that comes with Remora', () => {
  test('is read where it is asked for, and not for want of another', async () => {
    for (const args of [['test'], ['test', '--watch'], ['compare', 'sc', 'rdma-tso']]) {
      const { code, stdout, stderr } = await remora(args, { cwd: folder });
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(
        "there is no folder 'corpus' here: name files or folders; --shipped",
      );
    }
    const args = ['test', '--shipped', '--grep', '^SB1$', '-m', 'sc'];
    const { code, stdout } = await remora(args, { cwd: folder });
    expect([code, last(stdout).split(',')[0]]).toEqual([0, '1 test']);
    const both = await remora(['test', '--shipped', 'x'], { cwd: folder });
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('takes no paths')]);
  });
});

describe('the summary', () => {
  test('counts what is expected; published is what has a source', async () => {
    const file = join(folder, 'counted.litmus');
    const text = (head: string, expectation: string) =>
      `RDMA one\n${head}node 1 { x = 0 } thread T on 1 { x := 1 } exists (x = 1)\n${expectation}`;
    const counts = async (head: string, expectation: string) => {
      writeFileSync(file, text(head, expectation));
      return last((await run('test', file, '-m', 'sc')).stdout).replace(/; \d+\.\d s$/, '');
    };
    const expected = '  expect allowed under sc "somebody"\n';
    expect(await counts('source "a paper"\n', expected)).toBe(
      '1 test, 1 verdict, 0 unknown; 1 expectation held (1 published), 0 failed',
    );
    expect(await counts('', expected)).toBe(
      '1 test, 1 verdict, 0 unknown; 1 expectation held, 0 failed',
    );
    expect(await counts('', '')).toBe(
      '1 test, 1 verdict, 0 unknown; 0 expectations held, 0 failed; 1 test without any',
    );
  });

  test('--quiet: a line a folder, and what departs', async () => {
    const { code, stdout } = await run(
      'test',
      'test/files/tests',
      'test/files/departing',
      '--quiet',
      '-m',
      'sc',
    );
    const [, second, first, , ...rest] = stdout.split('\n');
    expect(first).toMatch(/^test\/files\/departing\/ +1 +3 +1 +2 +0$/);
    expect(second).toMatch(/^test\/files\/tests\/ +4 +6 +\d+ +0 +0$/);
    expect(rest.filter((line) => line.includes('wrong.litmus'))).toHaveLength(2);
    expect(code).toBe(1);
  });
});
