import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT, remora, shell } from '../support/run.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'remora-fmt-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const fmt = (...args: string[]) => remora(['fmt', ...args], { cwd: folder });
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

const CROOKED = 'RDMA a\nnode 1{x=0}\nthread T on 1{x:=1}  # one\nexists(x=1)\n';
const STRAIGHT = 'RDMA a\nnode 1 { x = 0 }\nthread T on 1 { x := 1 } # one\nexists (x = 1)\n';

test('lays out the files of a folder, and those that links lead to', async () => {
  mkdirSync(join(folder, 'in'));
  write('in/a.litmus', CROOKED);
  write('in/b.cat', 'let a=po|rf\n');
  write('other.litmus', CROOKED);
  symlinkSync('../other.litmus', join(folder, 'in/link.litmus'));
  expect(await fmt('in')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect([read('in/a.litmus'), read('in/b.cat'), read('other.litmus')]).toEqual([
    STRAIGHT,
    'let a = po | rf\n',
    STRAIGHT,
  ]);
  expect(await fmt('--check', 'in')).toMatchObject({ code: 0, stdout: '' });
});

test('--check names files and changes none', async () => {
  write('a.litmus', CROOKED);
  write('b.litmus', STRAIGHT);
  expect(await fmt('--check', 'a.litmus', 'b.litmus')).toMatchObject({
    code: 1,
    stdout: 'a.litmus\n',
  });
  expect(read('a.litmus')).toBe(CROOKED);
});

test('standard input is printed', async () => {
  write('a.litmus', CROOKED);
  const { code, stdout } = await shell('remora fmt - < a.litmus', { cwd: folder });
  expect([code, stdout]).toEqual([0, STRAIGHT]);
});

test('a file with mistakes stays as it is, and the others are laid out', async () => {
  write('bad.litmus', 'RDMA a\nnode 1{x=}\n');
  write('good.litmus', CROOKED);
  write('text.txt', 'x');
  const { code, stderr } = await fmt('bad.litmus', 'good.litmus', 'nothing.cat', 'text.txt');
  expect(code).toBe(2);
  expect(stderr).toContain("bad.litmus:2:10: unexpected '}'");
  expect(stderr).toContain('nothing.cat: no such file or folder');
  expect(stderr).toContain('text.txt: no .cat or .litmus or .impl file');
  expect(read('bad.litmus')).toBe('RDMA a\nnode 1{x=}\n');
  expect(read('good.litmus')).toBe(STRAIGHT);
});

test('the corpus answers the same when it is laid out', async () => {
  cpSync(join(ROOT, 'corpus/tso'), join(folder, 'corpus/tso'), { recursive: true });
  const before = await remora(['check', 'corpus/tso', '--json'], { cwd: folder });
  expect((await fmt('corpus')).code).toBe(0);
  const after = await remora(['check', 'corpus/tso', '--json'], { cwd: folder });
  const verdicts = (text: string): unknown[] =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .map(({ test, query, verdict, state }) => [test, query, verdict, state]);
  expect(verdicts(after.stdout)).toEqual(verdicts(before.stdout));
  expect(before.stdout).not.toBe('');
});
