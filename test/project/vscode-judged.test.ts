import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { calls, judged, modelsIn } from '../../editors/vscode/judged.js';
import type { Verdict } from '../../editors/vscode/judged.js';
import { page } from '../../editors/vscode/page.js';
import { ROOT, remora } from '../support/run.js';

/** What the extension for VS Code makes of the answers of Remora: tests that pass or fail, and the page with a picture. */

const MP = join(ROOT, 'corpus/tso/MP1.litmus');
const CLIENT = join(ROOT, 'corpus/loco/AppG6.litmus');

const read = (path: string) => ({ path, text: readFileSync(path, 'utf8') });

async function verdicts(args: readonly string[]): Promise<readonly Verdict[]> {
  const { stdout } = await remora([...args], { cwd: ROOT });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Verdict);
}

test('a file is asked under the models that it names, and files with the same models at once', () => {
  const own = {
    path: 'own.litmus',
    text: 'exists (x = 1)\n  computed allowed under rdma-ro, sc\n',
  };
  const other = { ...own, path: 'other.litmus' };
  const none = { path: 'none.litmus', text: 'forall (x = 1)\n' };
  expect(calls([own, none, other])).toEqual([
    ['test', 'own.litmus', 'other.litmus', '--json', '--model', 'rdma-ro,sc'],
    ['test', 'none.litmus', '--json'],
  ]);
  expect(modelsIn('uses sv\nexists (a = 1)\n  computed allowed under sv, loco-sv\n')).toEqual([]);
  expect(modelsIn('expect allowed under sc,\n  x86-tso "a paper, p. 1"\n')).toEqual([
    'sc',
    'x86-tso',
  ]);
  expect(modelsIn('# computed allowed under sc\n')).toEqual([]);
});

test('a file passes if all is as it expects, and says what departs', async () => {
  for (const path of [MP, CLIENT]) {
    for (const args of calls([read(path)])) {
      const found = await verdicts(args);
      expect(new Set(found.map(({ file }) => file))).toEqual(new Set([path]));
      expect(judged(found)).toEqual({ state: 'passed', messages: [] });
    }
  }
  const [call] = calls([read(MP)]);
  const [one] = (await verdicts(call)).filter(({ expected }) => expected !== undefined);
  const other: Verdict = { ...one, verdict: 'allowed', departs: true };
  expect(judged([one, other])).toEqual({
    state: 'failed',
    messages: [`${one.query} under ${one.model}: allowed, and the file expects forbidden`],
  });
  // What is not known is no pass.
  const unknown: Verdict = { ...one, verdict: 'unknown', reason: 'time limit' };
  expect(judged([unknown])).toEqual({
    state: 'failed',
    messages: [
      `${one.query} under ${one.model}: unknown (time limit), and the file expects forbidden`,
    ],
  });
});

test('where nothing is expected, nothing is tested', () => {
  expect(judged([])).toEqual({ state: 'skipped', messages: [] });
  const asked: Verdict = {
    ...{ file: 'a', query: 'exists (x = 1)', index: 0, model: 'sc' },
    ...{ verdict: 'allowed', departs: false },
  };
  expect(judged([asked])).toEqual({ state: 'skipped', messages: [] });
});

test('the page with a picture loads nothing and runs nothing', () => {
  const shown = page({ svg: '<svg></svg>' });
  expect(shown).toContain('<svg></svg>');
  expect(shown).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  expect(page({ why: 'a < b & <script>' })).toContain('<pre>a &lt; b &amp; &lt;script></pre>');
});
