// A process that opens the playground in Chromium, again and again: when the first verdict is there, what the page has loaded by
// then, and what asking Z3 adds.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { register } from 'tsx/esm/api';
import { pigeonholes } from './pigeonholes.js';
import { spread } from './process.js';

register();
const { launch } = await import('../scripts/browser.js');
const { buildPlayground } = await import('../scripts/playground.js');
const { serve } = await import('../scripts/serve.js');

const { runs } = JSON.parse(process.argv[2]);
const question = JSON.stringify([1, pigeonholes(8), 'rdma-tso']);
/** As `playground/link.ts` packs it. */
const link = deflateRawSync(question).toString('base64url');

const folder = mkdtempSync(join(tmpdir(), 'remora-site-'));
await buildPlayground(folder);
const { server, address } = await serve(folder);
const browser = await launch();

/** The bytes of files as hosts send them: each compressed. */
const weight = (urls) =>
  [...new Set(urls)]
    .map((url) => new URL(url).pathname.slice(1) || 'index.html')
    .map((path) => gzipSync(readFileSync(join(folder, path)), { level: 9 }).length)
    .reduce((sum, bytes) => sum + bytes, 0);

/** Loads the page as somebody does who was never there. */
async function open() {
  const page = await browser.newPage();
  const requests = [];
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

const times = [];
let bytes;
for (let i = 0; i < runs; i++) {
  const { page, requests, first } = await open();
  times.push(first);
  bytes = weight(requests);
  await page.close();
}

const starts = [];
let withZ3;
for (let i = 0; i < Math.min(runs, 3); i++) {
  const { page, requests } = await open();
  await page.evaluate((hash) => (location.hash = hash), link);
  const button = page.getByRole('button', { name: 'ask Z3' });
  await button.waitFor();
  const begun = performance.now();
  await button.click();
  await page.waitForSelector('#status:text-is("asking Z3 …")', { timeout: 120_000 });
  starts.push(performance.now() - begun);
  withZ3 = weight(requests);
  await page.close();
}
await browser.close();
server.close();
rmSync(folder, { recursive: true });

console.log(
  JSON.stringify({ first: spread(times), bytes, startZ3: spread(starts), bytesWithZ3: withZ3 }),
);
