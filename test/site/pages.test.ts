import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pigeonholes } from '../../bench/pigeonholes.js';
import { toLink } from '../../playground/link.js';
import { serve } from '../../scripts/serve.js';
import { ALL } from '../support/random.js';
import { ROOT } from '../support/run.js';
import { launch } from '../../scripts/browser.js';

/** Each kind of page, on screens of three widths and in both themes. `npm run site` has built them. */

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

let browser: Browser;
let address: string;
let close: () => void;

beforeAll(async () => {
  const served = await serve(join(ROOT, 'site'));
  close = () => served.server.close();
  ({ address } = served);
  browser = await launch();
});

afterAll(async () => {
  await browser?.close();
  close?.();
});

const report = join(ROOT, 'site/report');
const testPage = readdirSync(report, { recursive: true })
  .map(String)
  .find((file) => file.endsWith('MP3bis.html'))!;

const asking = async (litmus: string, onFabrics = false): Promise<string> => {
  const models = [{ name: 'rdma-tso' }];
  return `play/#${await toLink({ litmus, models, ...(onFabrics && { onFabrics }) })}`;
};
const FIELD = readFileSync(join(ROOT, 'corpus/field/put-signal-same-node.litmus'), 'utf8');
const OFFER = '[data-part=trouble] button';

/** A page, what it is ready by, and what is clicked then and what comes of it. */
const PAGES: readonly (readonly [
  name: string,
  path: string,
  ready: string,
  click?: readonly [button: string, ready: string],
])[] = [
  ['the first page', '', '.VPDoc'],
  ['the first steps', 'start.html', '.VPDoc'],
  ['a document', 'docs/libraries.html', '.VPDoc'],
  [
    'the playground',
    'play/',
    '[data-part=states]',
    ['[data-part=offer] button:text("what would change it?")', '[data-part=fix]'],
  ],
  [
    'other executions',
    'play/#field/two-queue-pairs',
    '[data-part=states]',
    ['button:text("the same with a read changed")', '[data-part=reads] select'],
  ],
  [
    'two answers beside each other',
    'play/#field/two-queue-pairs',
    '[data-part=states]',
    ['button:text("beside another …")', '[data-part="beside form"] select'],
  ],
  ['a lesson', 'play/#learn/02-placed', '#lesson h2', ['#lesson button:text("Yes")', '.outcome']],
  [
    'a run step by step',
    'play/#field/libfabric-completion',
    '[data-part=states]',
    ['summary:text("step by step")', 'input[type=range]'],
  ],
  [
    'the examples',
    'play/',
    '[data-part=states]',
    ['#examples > summary', '#found li:not([hidden])'],
  ],
  ['the playground on all fabrics', await asking(FIELD, true), '[data-part=fixes]'],
  ['the playground with a mistake', await asking('RDMA t\nnod 1 { }'), '[data-part=mistakes]'],
  [
    'the playground where the search gives up, and while it asks Z3',
    await asking(pigeonholes(8)),
    OFFER,
    [OFFER, `${OFFER}:text-is("stop")`],
  ],
  ['the index of the report', 'report/index.html', 'h1'],
  ['the page of the report about fabrics', 'report/fabrics.html', 'h1'],
  ['a test of the report', `report/${testPage}`, 'h1'],
];

/** What axe looks for. A theme changes colours alone: where not all cases are tried, the second is about these. */
const ALL_RULES = {};
const OF_COLOURS = ALL
  ? ALL_RULES
  : { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

const [PHONE, TABLET, DESK] = [390, 768, 1440].map((width) => ({ width, height: 844 }));

describe.each(PAGES.map((page) => ({ page, name: page[0] })))(
  '$name',
  ({ page: [, path, ready, click] }) => {
    // In each theme on both screens, and on each screen from the beginning. Between both, a tablet may be too narrow, but has nothing else: axe looks there, too, where all cases are tried.
    test.each([
      ['light', PHONE, DESK, ALL_RULES],
      ['dark', DESK, PHONE, OF_COLOURS],
    ] as const)('%s', async (colorScheme, viewport, other, rules) => {
      // While a sidebar fades in, its letters are too pale: nothing moves here.
      const still = { reducedMotion: 'reduce', bypassCSP: true } as const;
      const page = await browser.newPage({ viewport, colorScheme, ...still });
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      // It never comes, so that the page asks Z3 for as long as it is looked at.
      await page.route(/z3-built/, () => {});
      const response = await page.goto(`${address}${path}`);
      expect(response?.status()).toBe(200);
      await page.waitForSelector(ready, { state: 'attached' });
      await page.addScriptTag({ path: AXE });
      await checkLook(page, rules);
      await page.setViewportSize(TABLET);
      await (ALL ? checkLook(page, rules) : checkWidth(page));
      await page.setViewportSize(other);
      await checkLook(page, rules);
      if (click !== undefined) {
        await page.locator(click[0]).click();
        await page.waitForSelector(click[1]);
        await checkLook(page, rules);
        await page.setViewportSize(viewport);
        await checkLook(page, rules);
      }
      expect(complaints).toEqual([]);
      await page.close();
    });
  },
);

/** Nothing is cut off, and nothing but what says so scrolls sideways. */
async function checkWidth(page: Page): Promise<void> {
  // A page hears of its new width when the next frame is drawn.
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
  const [content, screen] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return [scrollWidth, clientWidth];
  });
  expect(content).toBeLessThanOrEqual(screen);
}

/** The same, and everybody can read it. */
async function checkLook(page: Page, rules: object): Promise<void> {
  await checkWidth(page);
  const options = JSON.stringify({ resultTypes: ['violations'], ...rules });
  const found = (await page.evaluate(`axe.run(document, ${options})`)) as AxeResults;
  const shown = found.violations.map(
    ({ id, nodes: [{ html, failureSummary }] }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`,
  );
  expect(shown).toEqual([]);
}

const documents = readdirSync(join(ROOT, 'site'), { recursive: true })
  .map(String)
  .filter((path) =>
    /^(?:index|start|CHANGELOG|CONTRIBUTING|(?:docs|docs\/learn|bench|corpus)\/[^/]+)\.html$/.test(
      path,
    ),
  );

test('documents can be read on a phone: no paragraph is squeezed to a few letters a line', async () => {
  expect(documents.length).toBeGreaterThan(30);
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  const squeezed: string[] = [];
  for (const path of documents) {
    await page.goto(`${address}${path}`);
    await page.waitForSelector('.VPDoc', { state: 'attached' });
    const found = await page.evaluate(() =>
      [...document.querySelectorAll('.vp-doc p')].flatMap((paragraph) => {
        const line = parseFloat(getComputedStyle(paragraph).lineHeight);
        const lines = Math.round(paragraph.getBoundingClientRect().height / line);
        const { length } = paragraph.textContent;
        const isPicture = paragraph.querySelector('img') !== null;
        return !isPicture && lines > 3 && length / lines < 12 ? [paragraph.textContent] : [];
      }),
    );
    squeezed.push(...found.map((text) => `${path}: ${text.slice(0, 80)}`));
  }
  await page.close();
  expect(squeezed).toEqual([]);
});
