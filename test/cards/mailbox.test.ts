import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CARD, SKIP_CARD, card, runWith } from '../support/card.js';
import { textOf } from '../support/documents.js';
import { ROOT, remora } from '../support/run.js';

/** The mailbox of docs/cards.md: its bug is found with relaxed ordering alone, by a seed again, and no longer when it is mended. */

const SOURCE = join(ROOT, 'cards/mailbox/mailbox.c');
const [, story] = textOf('docs/cards.md').split('## Your own program under the weak card\n');
const [outcome, timeline] = [...story.matchAll(/^```text\n(.*?)^```$/gms)].map(([, text]) => text);

describe.skipIf(SKIP_CARD)(`the mailbox on ${CARD}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'remora-mailbox-'));
  const own = join(folder, 'mailbox.c');
  let library: string;

  const build = (compiler: string, ...more: readonly string[]): void => {
    const options = ['-Wall', '-Wextra', '-Werror', '-O1', ...more];
    const output = ['-o', join(folder, 'mailbox'), own, '-libverbs'];
    expect(spawnSync(compiler, [...options, ...output], { encoding: 'utf8' }).stderr).toBe('');
  };

  type Ran = ReturnType<typeof run>;
  const run = (fabric: string, seed: number, letters = 200) => {
    const log = join(folder, 'log.txt');
    rmSync(log, { force: true });
    const settings = { REMORA_CARD_FABRIC: fabric, REMORA_CARD_SEED: `${seed}` };
    const all = { ...settings, REMORA_CARD_LOG: log };
    const words = [join(folder, 'mailbox'), `${letters}`];
    const { stdout, stderr, status } = runWith(library, words, all);
    return { stdout, stderr, status, log: readFileSync(log, 'utf8') };
  };

  /** Step by step; while the program ends, the card may go on. */
  const expectSame = (first: Ran, second: Ran): void => {
    expect([second.stdout, second.status]).toEqual([first.stdout, first.status]);
    expect(second.log.startsWith(first.log) || first.log.startsWith(second.log)).toBe(true);
  };

  /** A machine with much else to do may hold a program up for so long that the card goes on by itself: then it is run again. */
  const expectAgain = (first: Ran, seed: number): void => {
    for (let time = 0; time < 5; time++) {
      const { log } = run('ro', seed);
      if (log.startsWith(first.log) || first.log.startsWith(log)) return;
    }
    expectSame(first, run('ro', seed));
  };

  beforeAll(() => {
    library = card();
    copyFileSync(SOURCE, own);
    build('clang');
    build('gcc', '-fsanitize=undefined', '-fno-sanitize-recover=all');
    build('gcc');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('is safe without relaxed ordering', () => {
    expect(run('tso', 7)).toMatchObject({ stdout: '200 letters\n', stderr: '', status: 0 });
  });

  test('is found with it, as the document shows, and again', () => {
    const runs = Array.from({ length: 5 }, () => run('ro', 7));
    const first = runs.find(({ log }) => log.includes(timeline)) ?? runs[0];
    expect(outcome).toBe(`2000 letters\n${first.stdout}`);
    expect(first.log).toContain(timeline);
    expectAgain(first, 7);
  });

  test.each([1, 2, 3, 4])('seed %i finds it, too, and shows it again', (seed) => {
    const found = run('ro', seed);
    expect(found).toMatchObject({ status: 1, stderr: '' });
    expectAgain(found, seed);
  });

  test('is mended by the patch', async () => {
    const { stdout } = await remora(['explain', own, '-m', 'rdma-ro', '--fix', '--cost', 'tag=99']);
    const patched = spawnSync('patch', [own], { input: stdout, encoding: 'utf8' });
    expect([patched.stderr, patched.stdout]).toEqual(['', `patching file ${own}\n`]);
    expect(readFileSync(own, 'utf8')).toContain('&flushed');
    build('gcc');
    // The word that it reads into is on the stack.
    expect(run('ro', 7)).toMatchObject({ stderr: 'mailbox: a request has failed\n', status: 2 });
    const registered = /sed -i (.*) mailbox\.c/.exec(story)![1];
    expect(spawnSync('sh', ['-c', `sed -i ${registered} ${own}`]).status).toBe(0);
    build('gcc');
    for (const seed of [1, 7]) {
      expect(run('ro', seed)).toMatchObject({ stdout: '200 letters\n', stderr: '', status: 0 });
    }
    const again = await remora(['check', own, '-m', 'rdma-ro']);
    expect(again.stdout).toContain('forbidden; as claimed');
  });
});
