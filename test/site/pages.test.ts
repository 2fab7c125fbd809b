import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve } from '../../scripts/site.js';
import { ROOT } from '../support/run.js';
import { launch } from './browser.js';

/** Each kind of page, on screens of two widths and in both themes. `npm run site` has built them. */

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

let browser: Browser;
let address: string;
let close: () => void;

beforeAll(async () => {
  const served = await serve(join(ROOT, 'site'));
  close = () => served.server.close();
  ({ address } = served);
  browser = await launch();
}, 60_000);

afterAll(async () => {
  await browser?.close();
  close?.();
});

const report = join(ROOT, 'site/report');
const testPage = readdirSync(report, { recursive: true })
  .map(String)
  .find((file) => file.endsWith('MP3bis.html'))!;

const PAGES: readonly (readonly [name: string, path: string, ready: string])[] = [
  ['the first page', '', '.VPDoc'],
  ['a document', 'docs/libraries.html', '.VPDoc'],
  ['the playground', 'play/', '[data-part=fix]'],
  ['the index of the report', 'report/index.html', 'h1'],
  ['a test of the report', `report/${testPage}`, 'h1'],
];

describe.each(PAGES)('%s', (_, path, ready) => {
  test.each([
    [390, 'light'],
    [390, 'dark'],
    [1400, 'light'],
    [1400, 'dark'],
  ] as const)('%i pixels, %s', async (width, colorScheme) => {
    const page = await browser.newPage({
      viewport: { width, height: 844 },
      colorScheme,
      bypassCSP: true,
    });
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    const response = await page.goto(`${address}${path}`);
    expect(response?.status()).toBe(200);
    await page.waitForSelector(ready, { state: 'attached' });
    // Nothing is cut off, and nothing but what says so scrolls sideways.
    const [content, screen] = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return [scrollWidth, clientWidth];
    });
    expect(content).toBeLessThanOrEqual(screen);
    await page.addScriptTag({ path: AXE });
    const found = (await page.evaluate(
      `axe.run(document, { resultTypes: ['violations'] })`,
    )) as AxeResults;
    const serious = found.violations.filter(
      ({ impact }) => impact === 'serious' || impact === 'critical',
    );
    expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 160)}`)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
