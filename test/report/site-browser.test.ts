import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Z3_REQUIRED as REQUIRED } from '../support/native.js';
import { ROOT, remora } from '../support/run.js';

/**
 * The pages in a real browser, opened as files. Skipped, by a name that says so, where there is no
 * Chromium; with `REMORA_NATIVE=1` there must be one.
 */
const CHROMIUM = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) =>
    ['chromium', 'chromium-browser', 'google-chrome'].map((f) => join(folder, f)),
  )
  .find((file) => existsSync(file));

const SKIP = CHROMIUM === undefined && !REQUIRED;
const NAME = SKIP
  ? 'in Chromium (SKIPPED: there is no chromium on the PATH; Debian: apt-get install chromium)'
  : 'in Chromium';
if (SKIP) process.stderr.write(`reports ${NAME}\n`);

const OTHER = `RDMA two "quick 'n' <dirty>" question "Is data there?"
node 1 { x = 0 }
thread T1 on 1 { x := 1 }
thread T2 on 1 { a := x }
exists (a = 1)
exists (a = 2) computed allowed under sc
forall (x = 1)
`;

/** So many questions that folders begin closed, and one of them that departs. */
const MANY = `RDMA many
node 1 { x = 0 }
thread T on 1 { x := 1 }
${Array.from({ length: 40 }, (_, i) => `exists (x = ${i + 2})\n`).join('')}
`;

describe.skipIf(SKIP)(NAME, () => {
  let folder: string;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    if (CHROMIUM === undefined) throw new Error('there is no chromium: apt-get install chromium');
    folder = mkdtempSync(join(tmpdir(), 'remora-browser-'));
    mkdirSync(join(folder, 'corpus/other_tests_in_a_folder_with_quite_a_long_name'), {
      recursive: true,
    });
    writeFileSync(
      join(folder, 'corpus/other_tests_in_a_folder_with_quite_a_long_name/two.litmus'),
      OTHER,
    );
    for (const [name, claim] of [
      ['first', ''],
      ['second', '~exists (x = 1)\n'],
    ]) {
      mkdirSync(join(folder, 'many', name), { recursive: true });
      writeFileSync(join(folder, `many/${name}/${name}.litmus`), MANY + claim);
    }
    const paths = ['MP3bis', 'GFP1'].map((name) => join(ROOT, `corpus/tso/${name}.litmus`));
    const models = 'sc,rdma-sc,rdma-tso,rdma-tso-nopcie,rdma-wait,x86-tso';
    const site = ['report', ...paths, 'corpus', '--out', 'site', '-m', models];
    const { code } = await remora(site, { cwd: folder });
    await remora(['report', 'many', '--out', 'site-many', '-m', 'sc'], { cwd: folder });
    // Not meanwhile: who starts a browser listens for signals, as a command must not in the end.
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    expect(code).toBe(1);
    page = await browser.newPage();
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (!/^(file|data):/.test(request.url())) complaints.push(request.url());
    });
  });

  afterAll(async () => {
    await browser?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  const address = (path: string): string => {
    const [file, hash] = path.split(/(?=#)/);
    return pathToFileURL(resolve(folder, 'site', file)).href + (hash ?? '');
  };
  const open = (path: string) => page.goto(address(path));
  /** The page of a test, as the index links it. */
  const openTest = async (name: string): Promise<void> => {
    await open('index.html');
    await page.getByRole('link', { name, exact: true }).first().click();
    await page.waitForSelector(`h1:text-is("${name}")`);
  };
  /** Unfolds all, and waits for the pictures. */
  const openAll = async (): Promise<void> => {
    await page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))");
    await expect.poll(() => page.locator('figure:not(:has(svg))').count()).toBe(0);
  };
  const rows = () => page.locator('tr.row:visible').count();

  test('filters, what they find, and what is in the address', async () => {
    await open('index.html');
    expect(await rows()).toBe(5);
    const shown = page.locator('#shown');
    expect(await shown.textContent()).toBe('all 5 questions');
    await page.getByLabel('Text').fill('OVERTAKES');
    expect([await rows(), await shown.textContent()]).toEqual([1, '1 of 5 questions']);
    expect(await page.evaluate('location.hash')).toBe('#?text=OVERTAKES');
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(rows).toBe(5);
    expect(await page.evaluate('location.hash')).toBe('');
    await page.getByLabel('Model', { exact: true }).selectOption('rdma-tso-nopcie');
    await page.getByLabel('Verdict', { exact: true }).selectOption('allowed');
    expect(await rows()).toBe(3);
    await page.getByLabel('models differ').check();
    expect(await rows()).toBe(2);
    await page.reload();
    expect(await rows()).toBe(2);
    expect(await page.getByLabel('Model', { exact: true }).inputValue()).toBe('rdma-tso-nopcie');

    await open('index.html#?only=departs');
    expect(await rows()).toBe(1);
    expect(await page.locator('tr.row:visible').textContent()).toContain('! departs');
    await page.evaluate("location.hash = '#?verdict=holds&model=sc'");
    await expect.poll(rows).toBe(1);
    // A fragment that names a place in the page is no filter.
    await page.evaluate("location.hash = '#folder-2'");
    expect(await rows()).toBe(1);
    await page.evaluate("location.hash = '#?model=nosuch&text=%3Cb%3E'");
    await expect.poll(rows).toBe(0);
    expect(await page.getByLabel('Model', { exact: true }).inputValue()).toBe('');
    expect(complaints).toEqual([]);
  });

  test('a verdict of the index leads to its explanation, and the way back keeps the filter', async () => {
    await open('index.html#?text=MP3bis&sort=test');
    const cell = page.locator('tr.row:visible td[data-model=sc] a');
    await cell.click();
    await page.waitForSelector('h1:text-is("MP3bis")');
    expect(await page.evaluate('location.hash')).toBe('#q1-sc');
    const why = page.locator('details.explanation', { has: page.locator('#q1-sc') });
    await expect.poll(() => why.getAttribute('open')).toBe('');
    await page.keyboard.press(']');
    await page.waitForSelector('h1:text-is("GFP1")');
    await page.keyboard.press('[');
    await page.waitForSelector('h1:text-is("MP3bis")');
    await page.getByRole('link', { name: 'All tests' }).first().click();
    await page.waitForSelector('.outcomes');
    expect(await page.getByLabel('Text').inputValue()).toBe('MP3bis');
    expect(await rows()).toBe(1);
    expect(await page.locator('th[aria-sort=ascending]').textContent()).toBe('test');
    expect(complaints).toEqual([]);
  });

  test('what finds nothing says so; / goes to the filter', async () => {
    await open('index.html');
    const none = page.getByText('No match:');
    expect(await none.isVisible()).toBe(false);
    await page.keyboard.press('/');
    await page.keyboard.type('no/such');
    expect(await page.getByLabel('Text').inputValue()).toBe('no/such');
    expect([await rows(), await none.isVisible()]).toEqual([0, true]);
    expect(await page.locator('#shown').textContent()).toBe('no match');
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(rows).toBe(5);
    expect(await none.isVisible()).toBe(false);
  });

  test('columns sort all rows across folders: up, down, and as they were', async () => {
    await open('index.html');
    const names = async () =>
      (await page.locator('tr.row th').allTextContents()).map((name) => name.trim().toLowerCase());
    const folders = page.locator('tr.folder:visible');
    const before = await names();
    const [sorted, headings] = [[...before].sort(), await folders.count()];
    expect(headings).toBeGreaterThan(1);
    expect(sorted).not.toEqual(before);
    const head = page.getByRole('button', { name: 'test', exact: true });
    await head.click();
    expect(await names()).toEqual(sorted);
    expect(await folders.count()).toBe(0);
    expect(await page.locator('ul.folders:visible').count()).toBe(0);
    const first = page.locator('tr.row th').first();
    const below = "getComputedStyle(document.querySelector('tr.row th'), '::after').content";
    expect(await page.evaluate(below)).toBe(`"${await first.getAttribute('data-folder')}"`);
    expect(await page.evaluate('location.hash')).toBe('#?sort=test');
    await head.click();
    expect(await names()).toEqual([...sorted].reverse());
    await head.click();
    expect([await names(), await folders.count()]).toEqual([before, headings]);
    expect(await page.evaluate('location.hash')).toBe('');
    await page.getByRole('button', { name: 'sc', exact: true }).click();
    const verdicts = page.locator('td[data-model=sc]');
    const outcomes = await verdicts.evaluateAll((all) => all.map((e) => e.dataset['outcome']));
    expect(outcomes).toEqual([...outcomes].sort());
  });

  test('many rows are folded by folder: what matches and what an address names is there', async () => {
    await open('../site-many/index.html');
    expect([await rows(), await page.locator('tr.folder:visible').count()]).toEqual([0, 2]);
    expect(await page.locator('tr.folder').last().textContent()).toContain('! 1 departing');
    const head = page.getByRole('button', { name: 'many/first/' });
    expect(await head.getAttribute('aria-expanded')).toBe('false');
    await head.click();
    expect([await rows(), await head.getAttribute('aria-expanded')]).toEqual([40, 'true']);
    expect(await page.evaluate('location.hash')).toBe('#?open=folder-1');
    await page.reload();
    expect(await rows()).toBe(40);
    // To a test and back: the folder is open still.
    await page.locator('tr.row:visible a').first().click();
    await page.getByRole('link', { name: 'All tests' }).first().click();
    await expect.poll(rows).toBe(40);
    await head.click();
    expect(await rows()).toBe(0);
    await page.getByLabel('Text').fill('x = 17');
    expect(await rows()).toBe(2);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(rows).toBe(0);
    await page.getByRole('link', { name: 'many/second/' }).click();
    await expect.poll(rows).toBe(41);
    await page.emulateMedia({ media: 'print' });
    expect(await rows()).toBe(81);
    await page.emulateMedia({ media: null });
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const still = await plain.newPage();
    await still.goto(address('../site-many/index.html'));
    expect(await still.locator('tr.row:visible').count()).toBe(81);
    await plain.close();
    expect(complaints).toEqual([]);
  });

  test('pictures are drawn when they are opened, each with ids of its own', async () => {
    await openTest('MP3bis');
    const drawn = page.locator('figure svg');
    await expect.poll(() => drawn.count()).toBeGreaterThan(0);
    expect(await drawn.count()).toBeLessThan(await page.locator('figure').count());
    const [closed, figure] = [
      page.locator('details.graph').first(),
      page.locator('details.graph figure').first(),
    ];
    expect(await figure.locator('svg').count()).toBe(0);
    await closed.locator('summary').click();
    await expect.poll(() => figure.locator('svg').count()).toBe(1);
    // Its place was as large before: nothing below it moves.
    const [room, picture] = await Promise.all(
      ['.room', 'svg'].map((part) => figure.locator(part).boundingBox()),
    );
    expect(Math.abs(room!.height - picture!.height)).toBeLessThan(1);
    const name = await figure.locator('svg > title').textContent();
    expect(name).toBe(await figure.getAttribute('data-title'));
    await openAll();
    const ids = await page.locator('[id]').evaluateAll((all) => all.map((e) => e.id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(complaints).toEqual([]);
  });

  test('a picture can be kept as a file that stands by itself', async () => {
    await openTest('MP3bis');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as SVG' }).first().click(),
    ]);
    expect(download.suggestedFilename()).toBe('MP3bis-q1-why-1-t.svg');
    const text = readFileSync(await download.path(), 'utf8');
    expect(text).toMatch(/^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    expect(complaints).toEqual([]);
  });

  test('without scripts everything is there', async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const still = await plain.newPage();
    await still.goto(address('index.html'));
    expect(await still.locator('tr.row:visible').count()).toBe(5);
    expect(await still.locator('#filters').isVisible()).toBe(false);
    expect(await still.getByText('No match:').isVisible()).toBe(false);
    await still.locator('td[data-model=sc] a').first().click();
    await still.waitForSelector('.anchor:target,tr:target', { state: 'attached' });
    expect(await still.locator('figure:visible').count()).toBe(0);
    expect(await still.getByText('A script draws the pictures').isVisible()).toBe(true);
    expect(await still.getByText('A run of the machine of').first().isVisible()).toBe(true);
    await plain.close();
  });

  test('the keyboard reaches links and what is folded away', async () => {
    await open('index.html');
    const focused = () => page.evaluate<{ text: string; outline: string }>(FOCUSED);
    await page.keyboard.press('Tab');
    expect(await focused()).toEqual({ text: 'Skip to the content', outline: 'solid 3px' });
    await page.keyboard.press('Enter');
    for (let i = 0; i < 80 && (await focused()).text !== 'MP3bis'; i++) {
      await page.keyboard.press('Tab');
    }
    expect(await focused()).toEqual({ text: 'MP3bis', outline: 'solid 3px' });
    await page.keyboard.press('Enter');
    await page.waitForSelector('h1:text-is("MP3bis")');
    const closed = page.locator('details.explanation:not([open]) > summary').first();
    await closed.focus();
    const { text } = await focused();
    expect(text).toMatch(/^sc:/);
    await page.keyboard.press('Enter');
    expect(await page.locator('details.explanation:not([open])').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('a verdict leads to why it is so', async () => {
    await openTest('GFP1');
    const why = page.locator('details.explanation', { hasText: 'rdma-tso-nopcie:' });
    expect(await why.getAttribute('open')).toBe(null);
    await page.getByRole('row', { name: 'rdma-tso-nopcie' }).getByRole('link').click();
    await expect.poll(() => why.getAttribute('open')).toBe('');
    await page.getByRole('link', { name: 'previous' }).first().click();
    await page.waitForSelector('h1:text-is("MP3bis")');
    await page.goBack();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('GFP1');
    expect(complaints).toEqual([]);
  });

  test('tables, links and pictures have names; headings are in order', async () => {
    for (const name of ['', 'MP3bis', 'two']) {
      await (name === '' ? open('index.html') : openTest(name));
      expect(await page.evaluate(NAMELESS)).toEqual([]);
      const levels = await page.evaluate<number[]>(LEVELS);
      expect(levels.filter((level, i) => level > (levels[i - 1] ?? 0) + 1)).toEqual([]);
      expect(levels.filter((level) => level === 1)).toHaveLength(1);
      expect(await page.getByRole('main').count()).toBe(1);
    }
    const pictures = page.getByRole('img', { name: 'An execution that' });
    expect(await pictures.count()).toBeGreaterThan(0);
    await open('index.html');
    await expect.poll(() => page.getByRole('table', { name: /^Outcomes/ }).count()).toBe(1);
  });

  test.each([360, 1280])('%i wide: nothing sticks out, and all can be read', async (width) => {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const name of ['', 'GFP1', 'two']) {
        await (name === '' ? open('index.html') : openTest(name));
        await openAll();
        expect(await page.evaluate<number>(BEYOND), name).toBeLessThanOrEqual(0);
        expect(await page.evaluate(FAINT), `${name} ${colorScheme}`).toEqual([]);
        const picture = join(folder, `${width}-${colorScheme}-${name}.png`);
        await page.screenshot({ path: picture });
        expect(statSync(picture).size).toBeGreaterThan(5000);
      }
    }
    await page.emulateMedia({ colorScheme: null });
  });

  test('heads stay in sight: of columns on a wide screen, of the folder on a narrow one', async () => {
    for (const [width, head] of [
      [360, 'tr.folder'],
      [1280, '.outcomes thead th'],
    ] as const) {
      await page.setViewportSize({ width, height: 300 });
      await open('index.html');
      await page.locator('tr.row').last().scrollIntoViewIfNeeded();
      const box = (await page.locator(head).last().boundingBox())!;
      expect(Math.abs(box.y), head).toBeLessThan(2);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test.each([390, 1280])(
    '%i wide: nothing scrolls both ways, and drawings that scroll say so',
    async (width) => {
      await page.setViewportSize({ width, height: 800 });
      await open('index.html');
      expect(await page.evaluate(SCROLLING)).toEqual([]);
      await openTest('GFP1');
      await openAll();
      const pictures = await page.evaluate<{ said: boolean; scrolls: boolean }[]>(PICTURES);
      expect(pictures.length).toBeGreaterThan(4);
      expect(pictures.some(({ scrolls }) => scrolls)).toBe(width === 390);
      for (const { said, scrolls } of pictures) expect(said).toBe(scrolls);
      expect(await page.evaluate(BOTH_WAYS)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 800 });
    },
  );

  test('on paper all is unfolded, black on white, even without scripts', async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false, colorScheme: 'dark' });
    const paper = await plain.newPage();
    await openTest('MP3bis');
    await paper.goto(page.url());
    const closed = paper.locator('details.explanation:not([open]) .body').first();
    expect(await closed.isVisible()).toBe(false);
    await paper.emulateMedia({ media: 'print' });
    expect(await closed.isVisible()).toBe(true);
    expect(await paper.getByRole('navigation').first().isVisible()).toBe(false);
    const ground = await paper.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(ground).toBe('rgb(255, 255, 255)');
    expect((await paper.pdf()).length).toBeGreaterThan(20_000);
    await plain.close();
    expect(complaints).toEqual([]);
  });
});

const FOCUSED = `(() => {
  const { activeElement: at } = document;
  const { outlineStyle, outlineWidth } = getComputedStyle(at);
  return { text: at.textContent.trim(), outline: outlineStyle + ' ' + outlineWidth };
})()`;

const LEVELS = `[...document.querySelectorAll('h1,h2,h3,h4')].map((h) => Number(h.tagName[1]))`;

/** By how much the page is wider than the window. */
const BEYOND = 'document.documentElement.scrollWidth - innerWidth';

/** Boxes that hold more than they show from left to right, but for what is folded away. */
const SCROLLING = `[...document.querySelectorAll('main *')]
  .filter((e) => getComputedStyle(e).overflowX !== 'visible' && !e.closest('.unseen,details') && e.scrollWidth > e.clientWidth)
  .map((e) => e.outerHTML.slice(0, 100))`;

/** Boxes that scroll from left to right and from top to bottom. */
const BOTH_WAYS = `[...document.querySelectorAll('main *')]
  .filter((e) => {
    const { overflowX, overflowY } = getComputedStyle(e);
    const scrolls = (way) => way === 'auto' || way === 'scroll';
    return scrolls(overflowX) && e.scrollWidth > e.clientWidth && scrolls(overflowY) && e.scrollHeight > e.clientHeight + 1;
  })
  .map((e) => e.outerHTML.slice(0, 100))`;

/** For each picture: is it said that it scrolls, and does it? */
const PICTURES = `(() => {
  return [...document.querySelectorAll('figure')].map((figure) => {
    const box = figure.querySelector('.picture');
    const said = getComputedStyle(figure.querySelector('.sideways')).display !== 'none';
    return { said, scrolls: box.scrollWidth > box.clientWidth };
  });
})()`;

/** Elements without a name for screen readers. */
const NAMELESS = `(() => {
  const textOf = (ids) =>
    (ids ?? '').split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join('');
  const nameOf = (e) =>
    (e.getAttribute('aria-label') ?? '') +
    textOf(e.getAttribute('aria-labelledby')) +
    (e.matches('table') ? (e.querySelector('caption')?.textContent ?? '') : '') +
    (e.matches('a,summary,button') ? e.textContent : '') +
    [...(e.labels ?? [])].map((l) => l.textContent).join('');
  const all = 'a,summary,button,input,select,table,svg,nav,section,form,[role=region]';
  return [
    ...[...document.querySelectorAll(all)].filter((e) => nameOf(e).trim() === ''),
    ...document.querySelectorAll('th:not([scope])'),
  ].map((e) => e.outerHTML.slice(0, 100));
})()`;

/** Texts with a contrast below 4.5 to 1 to what is behind them. */
const FAINT = `(() => {
  const parse = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number);
  const luminance = (color) => {
    const [r, g, b] = color.map((c) => (c <= 10.31475 ? c / 3294.6 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (e) => {
    if (e === null) return [255, 255, 255];
    const color = parse(getComputedStyle(e).backgroundColor);
    return color[3] === 0 ? ground(e.parentElement) : color;
  };
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: e, textContent: text } = walker.currentNode;
    if (!text.trim() || e.closest('script,style,option')) continue;
    const inPicture = e.closest('svg') !== null;
    if (inPicture && !e.closest('text')) continue;
    const { color, fill } = getComputedStyle(e);
    const [a, b] = [luminance(parse(inPicture ? fill : color)), luminance(ground(e))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (!(contrast >= 4.5)) found.add(text.trim().slice(0, 30) + ': ' + contrast);
  }
  return [...found];
})()`;
