import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT, remora } from '../support/run.js';

/** What people give a command first, and what they are told. */

const folder = mkdtempSync(join(tmpdir(), 'remora-slips-'));
beforeAll(() => {
  copyFileSync(join(ROOT, 'models/rdma-tso.cat'), join(folder, 'mine.cat'));
  copyFileSync(join(ROOT, 'corpus/tso/MP3bis.litmus'), join(folder, 'mp.litmus'));
  copyFileSync(join(ROOT, 'corpus/tso/CPU-SB.litmus'), join(folder, 'sb.litmus'));
  copyFileSync(join(ROOT, 'corpus/locks/alock-1-2-data.litmus'), join(folder, 'lock.litmus'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]) => remora(args, { cwd: folder });

describe('a command that is not quite one', () => {
  test.each([
    [['check', 'mp.litmus', '-m', 'mine'], 'the file beside is named with its ending: mine.cat'],
    [
      ['check', 'mine.cat'],
      'mine.cat: this is a model, and programs are litmus files: --model mine.cat',
    ],
    [['mp.litmus'], "'mp.litmus' is no command; one that decides: remora check mp.litmus"],
    [
      ['mine.cat'],
      "'mine.cat' is no command; one that decides: remora check FILE.litmus --model mine.cat",
    ],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });

  test('what it is told works', async () => {
    expect((await run('check', 'mp.litmus', '-m', 'mine.cat')).code).toBe(0);
    expect((await run('check', 'mp.litmus')).code).toBe(0);
  });
});

describe('- for a picture or a program is standard output, and the report is left out', () => {
  test.each([
    [['explain', 'mp.litmus', '--dot', '-'], /^digraph execution \{\n/],
    [['explain', 'mp.litmus', '--svg', '-'], /^<svg /],
    [['explain', 'mp.litmus', '--timeline', '--svg', '-'], /^<svg /],
    [['robust', 'mp.litmus', '--dot', '-'], /^digraph execution \{\n/],
    [['explore', 'lock.litmus', '--svg', '-'], /^<svg /],
    [['export', '--smtlib', 'mp.litmus', '-o', '-'], /^; MP3bis: /],
    [['distribute', 'sb.litmus', '--server', '1', '-o', '-'], /^RDMA /],
  ])('%j', async (args, form) => {
    const { stdout, stderr } = await run(...args);
    expect(stderr).toBe('');
    expect(stdout).toMatch(form);
    expect(stdout).not.toContain('under rdma-tso\n');
  });

  test('only one output can go there', async () => {
    const { code, stdout, stderr } = await run('explain', 'mp.litmus', '--dot', '-', '--svg', '-');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe('-: two outputs cannot go to standard output\n');
  });
});
