import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT, remora } from '../support/run.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'remora-fmt-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const fmt = (...args: string[]) => remora(['fmt', ...args], { cwd: folder });

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
