import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launch } from '../../scripts/browser.js';
import { installEditor, startEditor } from '../support/code-server.js';
import type { RunningEditor } from '../support/code-server.js';
import { MP } from '../support/editor.js';
import { MAIN, ROOT, run } from '../support/run.js';

/** The packed extension in VS Code itself, shown by a browser without a screen. */

const TABLE = `RDMA table
node 1 { y = 0 }
node 2 { x = 0 }
T1@1     | T2@2     ;
x^2 := 1 | a := y^1 ;
y := 1   | b := x   ;
exists (a = 1 /\\ b = 0)
  computed allowed under rdma-tso
`;

const missing = installEditor();
const isNeeded = process.env['REMORA_NATIVE'] === '1';

describe.skipIf(missing !== undefined && !isNeeded)('in VS Code', () => {
  let home: string;
  let folder: string;
  let editor: RunningEditor;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    expect(missing).toBeUndefined();
    home = mkdtempSync(join(tmpdir(), 'remora-code-'));
    folder = join(home, 'work');
    mkdirSync(join(folder, '.vscode'), { recursive: true });
    const settings = {
      'remora.command': [process.execPath, MAIN],
      'workbench.startupEditor': 'none',
      'files.autoSave': 'off',
    };
    writeFileSync(join(folder, '.vscode/settings.json'), JSON.stringify(settings));
    writeFileSync(join(folder, 'mp.litmus'), MP);
    writeFileSync(join(folder, 'table.litmus'), TABLE);
    const file = join(home, 'remora.vsix');
    const env = process.env as Record<string, string>;
    const packed = await run(process.execPath, ['--import', 'tsx', 'scripts/vscode.ts', file], {
      cwd: ROOT,
      env,
      limit: 240_000,
    });
    expect(packed.code, packed.stderr).toBe(0);
    editor = await startEditor(home, file);
    browser = await launch();
    page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    page.setDefaultTimeout(60_000);
    await page.goto(`${editor.address}/?folder=${folder}`);
    await page.locator('.monaco-workbench').waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    editor?.end();
    if (home !== undefined) rmSync(home, { recursive: true, force: true });
  });

  const open = async (name: string): Promise<void> => {
    await page.locator('.explorer-folders-view').getByText(name).dblclick();
    await page.locator('.tab.active', { hasText: name }).waitFor();
  };
  const command = async (name: string): Promise<void> => {
    await page.keyboard.press('F1');
    await page.locator('.quick-input-widget input').first().fill(`>${name}`);
    const row = page.locator('.quick-input-list .monaco-list-row', { hasText: name });
    await row.first().click();
  };
  const lens = (name: string) => page.locator('.codelens-decoration a', { hasText: name }).first();
  const line = (text: string) => page.locator('.view-line', { hasText: text }).first();
  const picture = () =>
    page
      .frameLocator('iframe.webview')
      // While it draws anew, another frame waits behind the one that is shown.
      .frameLocator('iframe#active-frame')
      .locator('body');

  test('a program has its colours, lenses above its queries, and verdicts behind them', async () => {
    await open('table.litmus');
    await lens('check').waitFor();
    await line('allowed under rdma-tso').waitFor();
    expect(await line('exists').locator('span span').count()).toBeGreaterThan(3);
  });

  test('in the brackets of a call, its operands are told', async () => {
    await line('y := 1').click();
    await page.keyboard.press('Home');
    await page.keyboard.type('c := CAS(');
    const hint = page.locator('.parameter-hints-widget');
    await hint.getByText('a := CAS(x, old, new)').waitFor();
    for (let i = 0; i < 12; i++) await page.keyboard.press('Control+Z');
    await line('allowed under rdma-tso').waitFor();
  });

  test('the timeline stands beside it, and follows what is written', async () => {
    await line('exists').click();
    await command('Remora: Show what happens where and when');
    await picture().locator('svg').waitFor();
    expect(await picture().locator('svg title').first().textContent()).toContain('allowed');
    await lens('fix').click();
    await line('forbidden under rdma-tso').waitFor();
    // In a table, what is added has rows of its own.
    await line('poll(2)  |').waitFor();
    await picture().locator('svg text', { hasText: 'cannot be' }).first().waitFor();
  });

  test('explain opens what `remora explain` says', async () => {
    await lens('explain').click();
    await page.locator('.tab.active', { hasText: 'table.litmus.txt' }).waitFor();
    await line('Every execution of the program').waitFor();
  });

  test('check says the verdict', async () => {
    await open('mp.litmus');
    await lens('check').click();
    await page.locator('.notification-toast', { hasText: 'allowed: a = 1, b = 0' }).waitFor();
  });

  test('computed lines are updated by a command', async () => {
    await line('exists').click();
    await command('Remora: Update computed lines');
    await line('computed allowed under rdma-tso').waitFor();
  });

  test('the test explorer runs the files of the folder', async () => {
    await command('Test: Run All Tests');
    await command('Testing: Focus on Test Explorer View');
    const tests = page.locator('.test-explorer');
    await tests.getByText(/\d\/\d/).waitFor();
    const files = tests.getByRole('treeitem', { name: '.litmus' });
    // A list that is drawn anew forgets which folder is to be opened.
    const opened = async () => {
      await tests.locator('.monaco-list-row').first().click();
      await page.keyboard.press('ArrowRight');
      return files.count();
    };
    await expect.poll(opened, { interval: 1000 }).toBeGreaterThan(0);
    // One expects what is so by now; the other expects what was ruled out.
    await tests.getByRole('treeitem', { name: 'mp.litmus (Passed)' }).waitFor();
    await tests.getByRole('treeitem', { name: 'table.litmus (Failed)' }).waitFor();
  });
});
