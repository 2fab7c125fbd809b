import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { toLink } from '../../playground/link.js';
import { playground } from './playground.js';
import { corpusPaths } from '../support/corpus.js';
import { some } from '../support/random.js';
import { ROOT, remora } from '../support/run.js';

/** The tab of the playground that asks on which fabrics a program is safe, in Chromium. */

const play = playground();

const textOf = (path: string): string => readFileSync(join(ROOT, 'corpus', path), 'utf8');
const SAME_NODE = textOf('field/put-signal-same-node.litmus');

const ask = (litmus: string, part: string, ...models: readonly { name: string; text?: string }[]) =>
  play.ask({ litmus, models, onFabrics: true }, part);

/** What the page shows, by query. */
const shown = () =>
  play.page.evaluate(() => {
    const tables = [...document.querySelectorAll('[data-part=fabrics] table')];
    return tables.map((table) => ({
      query: table.querySelector('caption')!.textContent,
      fabrics: [...table.querySelectorAll('tbody tr')].map((row) =>
        [...row.children].map((cell) => cell.textContent),
      ),
      summary: table.parentElement!.nextElementSibling!.textContent,
    }));
  });

describe('says what the command says', () => {
  test.each(['field', 'fabrics'])('corpus/%s', async (folder) => {
    for (const path of some(corpusPaths(`${folder}/`))) {
      const { stdout } = await remora(['fabrics', path]);
      const lines = stdout.split('\n');
      await ask(readFileSync(path, 'utf8'), 'fabrics');
      const found = await shown();
      expect(found.length).toBeGreaterThan(0);
      const summaries = lines.filter((line) => /^ {4}[A-Z ]/.test(line)).map((line) => line.trim());
      expect(found.map(({ summary }) => summary.trim())).toEqual(summaries);
      const rows = lines.flatMap((line) => {
        const [, mark, name] = /^ {4}(\S+) +(rdma-\S+) /.exec(line) ?? [];
        return mark === undefined ? [] : [[name, mark[0]]];
      });
      const mark: Readonly<Record<string, string>> = {
        allowed: '●',
        forbidden: '○',
        untranslatable: '–',
      };
      const own = found.flatMap(({ fabrics }) =>
        fabrics.map(([name, verdict]) => [name, mark[verdict]]),
      );
      expect(own).toEqual(rows);
    }
  });

  test('and what would rule it out, once for the fabrics that it is the same for', async () => {
    await ask(SAME_NODE, 'fixes');
    await play.status('done');
    const told = await play.page.locator('[data-part=fixes]').innerText();
    const { stdout } = await remora([
      'fabrics',
      join(ROOT, 'corpus/field/put-signal-same-node.litmus'),
      '--fix',
    ]);
    const fixes = stdout.split('\n').filter((line) => /^ {8}(node )?\S+: /.test(line));
    expect(fixes.length).toBeGreaterThan(1);
    for (const line of fixes) expect(told).toContain(line.trim());
  });
});

describe('the tab', () => {
  beforeEach(async () => {
    await play.page.goto('about:blank');
    await play.page.goto(play.address);
    await play.status('done');
  });

  const selected = () => play.page.locator('[role=tab][aria-selected=true]').textContent();

  test('is reached by keyboard, stays after a reload, and is in a link', async () => {
    await play.page.getByRole('tab', { name: 'under the models' }).focus();
    await play.page.keyboard.press('ArrowRight');
    await play.page.waitForSelector('[data-part=fabrics]');
    await play.status('done');
    expect(await play.page.locator('[data-part=verdicts]').count()).toBe(0);
    await play.page.reload();
    await play.page.waitForSelector('[data-part=fabrics]');
    await play.page.getByRole('button', { name: 'copy link' }).click();
    await expect.poll(() => play.page.evaluate(() => location.hash)).not.toBe('');
    const other = await play.browser.newPage();
    await other.goto(String(await play.page.evaluate(() => location.href)));
    await other.waitForSelector('[data-part=fabrics]');
    await other.close();
  });

  test('a click on a verdict explains it, under this fabric', async () => {
    await play.page.goto(
      `${play.address}#${await toLink({ litmus: SAME_NODE, models: [], onFabrics: true })}`,
    );
    await play.page.reload();
    await play.page.locator('tr:has(th:text-is("rdma-ro")) .verdict').click();
    await play.page.waitForSelector('[data-part=explanation] pre:has-text("under rdma-ro")', {
      state: 'attached',
    });
    expect(await selected()).toBe('under the models');
    expect(await play.page.locator('[data-part=fabrics]').count()).toBe(0);
    expect((await play.shown()).models).toEqual(['rdma-tso', 'rdma-ro']);
  });

  test('asks a model of the reader, too, and says that it is not one of Remora', async () => {
    const text = readFileSync(join(ROOT, 'models/sc.cat'), 'utf8');
    await ask(SAME_NODE, 'fabrics', { name: 'mine', text });
    const [{ fabrics, summary }] = await shown();
    expect(fabrics.at(-1)!.slice(0, 2)).toEqual(['mine (not of Remora)', 'forbidden']);
    expect(summary).toMatch(/^Weakest .*rdma-ro-tagged, mine \(not of Remora\).*\. Strongest/);
  });

  test('leaves clients to their libraries, and says what is wrong', async () => {
    await ask(textOf('loco/Fig5.litmus'), 'fabrics');
    expect(await play.page.locator('[data-part=fabrics]').textContent()).toContain(
      'a client of libraries',
    );
    await ask('RDMA t\nnod 1 { }', 'mistakes');
    expect(await play.page.locator('[data-part=mistakes]').textContent()).toContain(
      'program.litmus:2:1',
    );
  });
});
