import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { folderOf } from '../../src/emit/folder.js';
import { parseLitmus } from '../../src/node/tests.js';
import type { Test } from '../../src/program/program.js';
import { CARD, SKIP_CARD, card } from '../support/card.js';
import { PLAIN_FILES } from '../support/corpus.js';
import { RUN_TIME, build, start } from '../support/emitted.js';
import { ALL, some } from '../support/random.js';
import { remora } from '../support/run.js';

/** What is written for the corpus has no warnings, and shows nothing on the weak card that its model forbids. */

/** What is tried of the files, from all folders: a share of them where not all cases are tried. */
const testsOf = (share: number): readonly Test[] =>
  some(PLAIN_FILES, share).flatMap(({ file, text }) => {
    const found = parseLitmus(text, file);
    return found.ok ? [found.value] : [];
  });

describe.skipIf(SKIP_CARD)(`the corpus in C, on ${CARD}`, () => {
  const all = mkdtempSync(join(tmpdir(), 'remora-emit-'));
  afterAll(() => rmSync(all, { recursive: true }));

  // Those of the minimal tests are run from both compilers (test/cards/unseen.test.ts).
  test('has no warnings of clang', () => {
    const { files, tests } = folderOf(testsOf(0.1), RUN_TIME, true);
    for (const { name, text } of files) writeFileSync(join(all, name), text);
    const options = ['-std=gnu11', '-Wall', '-Wextra', '-Werror', '-fsyntax-only'];
    const sources = files.map(({ name }) => name).filter((name) => name.endsWith('.c'));
    const { stderr } = spawnSync('clang', [...options, ...sources], { cwd: all, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(tests.length).toBeGreaterThan(ALL ? 400 : 40);
  });

  test('has no warnings of gcc', async () => {
    const folder = mkdtempSync(join(all, 'gcc-'));
    const built = build(folder, testsOf(0.2));
    expect(built.stderr).toBe('');
    expect(built.written).toBeGreaterThan(ALL ? 400 : 80);
    const args = ['--rounds', '3', '--limit', '300', '--out', 'results.jsonl'];
    const { end } = start(folder, { library: card(), fabric: 'tso', room: 'room' }, args);
    expect(await end).toEqual({ code: 0, errors: '' });
    const results = join(folder, 'results.jsonl');
    const { stdout } = await remora(['measured', results, '-m', 'rdma-tso']);
    const summary = /, (\d+) final states, 1 card, 1 model; 0 seen that it forbids\n$/.exec(stdout);
    expect(Number(summary?.[1])).toBeGreaterThanOrEqual(ALL ? 1000 : 200);
  }, 600_000);
});
