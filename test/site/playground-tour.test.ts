import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/run.js';
import { playground } from './playground.js';

/** The tour, from the first page to the last lesson, by keyboard alone. What the lessons say is run by the tests of documents. */

const FOLDER = join(ROOT, 'docs/learn');
const LESSONS = readdirSync(FOLDER).filter((file) => /^\d/.test(file));

/** The verdicts that a page of a lesson shows: of its program, then of the changed one. */
const verdictsOf = (file: string): readonly string[] =>
  [...readFileSync(join(FOLDER, file), 'utf8').matchAll(/^ +(allowed|forbidden)\b/gm)].map(
    ([, verdict]) => verdict,
  );

const play = playground();

test('ten lessons: each is guessed first, and has the verdict of its page, before and after the change', async () => {
  const { page } = play;
  const shows = (verdict: string) =>
    expect.poll(async () => (await play.shown()).verdicts).toEqual([[verdict]]);
  const press = async (role: 'button' | 'link', name: string | RegExp) => {
    await page.getByRole(role, { name }).first().focus();
    await page.keyboard.press('Enter');
  };
  expect(LESSONS.length).toBe(10);
  await press('link', /^Begin with/);
  for (const [i, file] of LESSONS.entries()) {
    const [own, changed] = verdictsOf(file);
    const lesson = page.locator('#lesson');
    await expect.poll(() => lesson.locator('h2').textContent()).toMatch(RegExp(`^${i + 1}\\. `));
    for (const part of ['#answer', '#verdict'])
      expect(await page.locator(part).isVisible()).toBe(false);
    // Every other guess is wrong.
    const isRight = i % 2 === 0;
    await press('button', (own === 'allowed') === isRight ? /^Yes/ : /^No/);
    const outcome = `${isRight ? 'You are right' : 'Not so'}: it ${own === 'allowed' ? 'can' : 'cannot'} happen.`;
    await expect.poll(() => lesson.locator('.outcome').textContent()).toBe(outcome);
    await shows(own);
    await press('button', 'change the program so');
    await shows(changed);
    await page.waitForSelector('[data-part=explanation] .picture svg');
    const next = lesson.locator('p', { hasText: /^Next/ }).getByRole('link');
    if (i + 1 < LESSONS.length) await next.press('Enter');
  }
  // What was guessed is known later.
  await page.goto('about:blank');
  await page.goto(`${play.address}#learn/01-put`);
  await page.waitForSelector('.outcome');
  expect(await page.locator('#lesson summary').textContent()).toBe('Lesson 1 of 10 (10 done)');
  expect(play.complaints).toEqual([]);
}, 120_000);

test('the list of examples is searched by words of their questions', async () => {
  const { page } = play;
  await page.goto(play.address);
  await page.locator('#examples > summary').press('Enter');
  await page.locator('#search').fill('signal seen before data');
  await expect.poll(() => page.locator('#found li:visible').count()).toBeGreaterThan(0);
  const shown = await page.locator('#found li:visible').allTextContents();
  expect(shown.join('\n')).toContain('two-queue-pairs');
  expect(shown.join('\n')).not.toContain('GFG');
});

test('a run is gone through step by step: what memory holds, and what is still in a buffer', async () => {
  const { page } = play;
  await page.goto('about:blank');
  await page.goto(`${play.address}#field/libfabric-completion`);
  await page.locator('summary', { hasText: 'step by step' }).press('Enter');
  const slider = page.getByRole('slider', { name: 'step' });
  await slider.focus();
  const row = (node: string) =>
    page.locator('tr', { has: page.locator(`th:text-is("${node}")`) }).locator('td');
  for (let step = 0; step < 9; step += 1) await page.keyboard.press('ArrowRight');
  expect(await slider.getAttribute('aria-valuetext')).toContain('owner reads data = 0');
  expect(await row('target').allTextContents()).toEqual(['data = 0, told = 1', 'data = 1 (NIC)']);
  expect(await page.locator('[data-part=explanation] svg [style*=opacity]').count()).toBe(1);
  await page.getByRole('button', { name: 'on', exact: true }).press('Enter');
  expect(await row('target').allTextContents()).toEqual(['data = 1, told = 1', '–']);
});

test('what an instruction does is said where one points, and where the cursor is', async () => {
  const { page } = play;
  await page.goto('about:blank');
  await page.goto(`${play.address}#learn/02-placed`);
  await page.getByText('data^2', { exact: false }).first().waitFor();
  await page.locator('#litmus .cm-content').focus();
  await page.keyboard.press('Control+Home');
  for (let line = 0; line < 5; line += 1) await page.keyboard.press('ArrowDown');
  for (let letter = 0; letter < 20; letter += 1) await page.keyboard.press('ArrowRight');
  const about = page.locator('#about');
  await expect.poll(() => about.textContent()).toContain('an RDMA WRITE');
  await page.locator('#litmus .tok-builtin', { hasText: 'poll' }).first().hover();
  await page.waitForSelector('.cm-tooltip:has-text("waits for the oldest completion")');
});

test('in a page of somebody else, the program and its answer alone are shown', async () => {
  const { page } = play;
  await page.goto('about:blank');
  await page.goto(`${play.address}?embed#field/two-queue-pairs`);
  await play.status('done');
  expect(await page.locator('#verdict').textContent()).toBe('Yes, this can happen');
  for (const part of ['nav', '#lead', '#examples', '#asked', '#views'])
    expect(await page.locator(part).isVisible()).toBe(false);
  for (const part of ['#litmus', '.said', '[data-part=explanation] svg', '#stop'])
    expect(await page.locator(part).first().isVisible()).toBe(true);
});

test('what would change a verdict is written into the program, also into columns', async () => {
  const { page } = play;
  await page.goto('about:blank');
  await page.goto(`${play.address}#field/libfabric-completion`);
  await page.getByRole('button', { name: 'what would change it?' }).press('Enter');
  const difference = page.locator('[data-part=fix] .difference');
  await difference.waitFor();
  // By signs, not by colours alone.
  expect(await difference.locator('.removed, .added').allTextContents()).toEqual([
    '−node target { data = 0 }',
    '+node target { data = 0; flushtarget = 0 }',
    '+flushedtarget := flushtarget^target |                     ;',
    '+poll(target)     |                     ;',
  ]);
  await page.getByRole('button', { name: 'apply it' }).press('Enter');
  await expect.poll(async () => (await play.shown()).verdicts).toEqual([['forbidden']]);
  expect(await page.locator('#litmus .cm-content').innerText()).toMatch(/poll\(target\) +\|/);
});
