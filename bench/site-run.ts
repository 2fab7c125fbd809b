// A process that opens the playground in Chromium, again and again: when the first verdict is there, what the page has loaded by
// then, and what asking Z3 adds.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { launch } from '../scripts/browser.js';
import { buildPlayground } from '../scripts/playground.js';
import { serve } from '../scripts/serve.js';
import { pigeonholes } from './pigeonholes.js';
import type { Spread } from './process.js';
import { given, spread } from './process.js';

export interface SiteGiven {
  readonly runs: number;
}

export interface SiteFound {
  readonly first: Spread;
  readonly bytes: number;
  readonly startZ3: Spread;
  readonly bytesWithZ3: number;
}

interface Opened {
  readonly page: Page;
  readonly requests: readonly string[];
  readonly first: number;
}

const { runs } = given<SiteGiven>();
const question = JSON.stringify([1, pigeonholes(8), 'rdma-tso']);
/** As `playground/link.ts` packs it. */
const link = deflateRawSync(question).toString('base64url');

const folder = mkdtempSync(join(tmpdir(), 'remora-site-'));
await buildPlayground(folder);
const { server, address } = await serve(folder);
const browser = await launch();

/** The bytes of files as hosts send them: each compressed. */
const weight = (urls: readonly string[]): number =>
  [...new Set(urls)]
    .map((url) => new URL(url).pathname.slice(1) || 'index.html')
    .map((path) => gzipSync(readFileSync(join(folder, path)), { level: 9 }).length)
    .reduce((sum, bytes) => sum + bytes, 0);

/** Loads the page as somebody does who was never there. */
async function open(): Promise<Opened> {
  const page = await browser.newPage();
  const requests: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith('blob:')) requests.push(request.url());
  });
  const begun = performance.now();
  await page.goto(address);
  await page.waitForSelector('.verdict');
  const first = performance.now() - begun;
  await page.waitForSelector('#status:text-is("done")');
  await page.waitForLoadState('networkidle');
  return { page, requests, first };
}

const times: number[] = [];
let bytes = 0;
for (let i = 0; i < runs; i++) {
  const { page, requests, first } = await open();
  times.push(first);
  bytes = weight(requests);
  await page.close();
}

const starts: number[] = [];
let bytesWithZ3 = 0;
for (let i = 0; i < Math.min(runs, 3); i++) {
  const { page, requests } = await open();
  await page.goto(`${address}#${link}`);
  const button = page.getByRole('button', { name: 'ask Z3' });
  await button.waitFor();
  const begun = performance.now();
  await button.click();
  await page.waitForSelector('#status:text-is("asking Z3 …")', { timeout: 120_000 });
  starts.push(performance.now() - begun);
  bytesWithZ3 = weight(requests);
  await page.close();
}
await browser.close();
server.close();
rmSync(folder, { recursive: true });

const found: SiteFound = { first: spread(times), bytes, startZ3: spread(starts), bytesWithZ3 };
console.log(JSON.stringify(found));
