import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { deflateSync, strToU8 } from 'fflate';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromLink, toLink } from '../../playground/link.js';
import type { Question } from '../../playground/question.js';
import { serve } from '../../scripts/site.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import { ROOT, remora } from '../support/run.js';
import { launch } from './browser.js';

/** The built playground in Chromium, against the command line. `npm run site` has built it. */

const SITE = join(ROOT, 'site');
const MODELS = ['rdma-tso', 'rdma-sc'];

let browser: Browser;
let page: Page;
let address: string;
let close: () => void;
const complaints: string[] = [];
let requests: string[] = [];

beforeAll(async () => {
  const served = await serve(SITE);
  close = () => served.server.close();
  address = `${served.address}play/`;
  browser = await launch();
  page = await browser.newPage();
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(address);
  await status('done');
}, 60_000);

afterAll(async () => {
  await browser?.close();
  close?.();
});

const status = (text: string) => page.waitForSelector(`#status:text-is("${text}")`);

/** Asks by a link, and waits for one part of the answer. */
async function ask(question: Question, part: string): Promise<void> {
  await page.evaluate(
    ([link, part]) =>
      new Promise<void>((done) => {
        const { dataset } = document.body;
        const before = Number(dataset[part] ?? 0);
        const look = () => {
          const now = Math.max(
            ...[part, 'mistakes', 'trouble'].map((p) => Number(dataset[p] ?? 0)),
          );
          if (now > before) done();
          else setTimeout(look, 4);
        };
        location.hash = link;
        // The same question again is no question.
        setTimeout(look, 4);
      }),
    [toLink(question), part] as const,
  );
}

/** The verdicts on the page, query by query, and its final states. */
const shown = () =>
  page.evaluate(() => ({
    models: [...document.querySelectorAll('[data-part=verdicts] thead th')]
      .slice(1)
      .map((head) => head.textContent),
    verdicts: [...document.querySelectorAll('[data-part=verdicts] tbody tr')].map((row) =>
      [...row.querySelectorAll('.verdict')].map((button) => button.textContent),
    ),
    states: [...document.querySelectorAll('[data-part=states] li')].map((item) => item.textContent),
    wrong: document.querySelector('[data-part=mistakes]') !== null,
  }));

interface Expected {
  /** By query, then by what it was decided by. */
  readonly verdicts: readonly Readonly<Record<string, string>>[];
  readonly states: readonly string[];
}

/** What the command line says of files, by path. */
async function commandLine(folder: string): Promise<ReadonlyMap<string, Expected>> {
  const models = ['-m', MODELS.join(',')];
  const lines = async (...args: string[]) => {
    const { stdout } = await remora([...args, '--json', '--engine', 'search'], { limit: 300_000 });
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line);
  };
  const verdicts = await lines('check', folder, ...models);
  const outcomes = await lines('outcomes', folder, '-m', MODELS[0]);
  const found = new Map<string, { verdicts: Record<string, string>[]; states: string[] }>();
  const of = (file: string) => {
    const made = found.get(file) ?? { verdicts: [], states: [] };
    found.set(file, made);
    return made;
  };
  for (const { file, index, model, verdict } of verdicts) {
    if (index === undefined || verdict === undefined) continue;
    (of(file).verdicts[index] ??= {})[model] = verdict;
  }
  for (const { file, states } of outcomes) {
    // Of a client there is one line for each of its models: the page shows the first.
    const own = of(file);
    if (own.states.length > 0) continue;
    own.states = (states ?? []).map((state) =>
      Object.entries(state)
        .map(([name, value]) => `${name} = ${valueText(value)}`)
        .join(', '),
    );
  }
  return found;
}

interface Line {
  readonly file: string;
  readonly index?: number;
  readonly model: string;
  readonly verdict?: string;
  readonly states?: readonly Readonly<Record<string, unknown>>[];
}

const valueText = (value: unknown): string =>
  value === null ? 'none' : Array.isArray(value) ? `<${value.join(', ')}>` : String(value);

async function agrees(files: ReadonlyMap<string, Expected>): Promise<readonly string[]> {
  const departures: string[] = [];
  for (const [file, expected] of files) {
    const litmus = readFileSync(resolve(ROOT, file), 'utf8');
    await ask({ litmus, models: MODELS.map((name) => ({ name })) }, 'states');
    const { models, verdicts, states, wrong } = await shown();
    const own = JSON.stringify([verdicts, states]);
    // The page has no verdicts with implementations.
    const asked = expected.verdicts.map((row) => models.map((model) => row[model]));
    const theirs = JSON.stringify([asked, expected.states]);
    if (wrong || own !== theirs) departures.push(`${file}: ${own} is not ${theirs}`);
  }
  return departures;
}

describe('says what the command line says', () => {
  const folders = readdirSync(join(ROOT, 'corpus'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['broken', 'locks'].includes(entry.name))
    .map(({ name }) => `corpus/${name}`);

  test.each(folders)('%s', { timeout: 300_000 }, async (folder) => {
    const expected = await commandLine(folder);
    expect(expected.size).toBeGreaterThan(0);
    expect(await agrees(expected)).toEqual([]);
  });

  test('200 random programs', { timeout: 300_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'remora-random-'));
    const texts = fc
      .sample(programs({ atomics: true }), { seed: 19, numRuns: 200 })
      .map((program) => `${inBlocks(program)}\nexists (x = 1 /\\ y = 0)\n`);
    texts.forEach((text, i) =>
      writeFileSync(join(folder, `p${String(i).padStart(3, '0')}.litmus`), text),
    );
    const expected = await commandLine(folder);
    expect(expected.size).toBe(200);
    expect(await agrees(expected)).toEqual([]);
    rmSync(folder, { recursive: true });
  });
});

describe('links', () => {
  test('hold the whole question, and nothing is sent anywhere', async () => {
    const litmus = readFileSync(join(ROOT, 'corpus/tso/MP3bis.litmus'), 'utf8');
    const text = readFileSync(join(ROOT, 'models/rdma-tso.cat'), 'utf8');
    const own = { name: 'rdma-tso', text: text.replace(/^\(\*/, '(* mine *) (*') };
    await ask({ litmus, models: [{ name: 'sc' }, own] }, 'fix');
    await page.getByRole('button', { name: 'copy link' }).click();
    const link = await page.evaluate('location.href');
    const other = await browser.newPage();
    await other.goto(String(link));
    await other.waitForSelector('#status:text-is("done")');
    expect(await other.locator('#model-name').textContent()).toBe('rdma-tso, changed');
    expect(await other.locator('thead th').allTextContents()).toEqual(['query', 'sc', 'rdma-tso']);
    expect(await other.locator('[data-part=verdicts] h2').textContent()).toBe('MP3bis');
    await other.close();
  });

  test('are short: a test with a model of its own takes about 1,300 letters', () => {
    const litmus = readFileSync(join(ROOT, 'corpus/tso/MP3bis.litmus'), 'utf8');
    const text = readFileSync(join(ROOT, 'models/rdma-tso.cat'), 'utf8');
    expect(toLink({ litmus, models: [{ name: 'mine', text }] }).length).toBeLessThan(2000);
  });

  test('come back as they went', () => {
    const model = fc
      .record({ name: fc.string() })
      .chain(({ name }) =>
        fc
          .option(fc.string({ unit: 'binary' }), { nil: undefined })
          .map((text) => (text === undefined ? { name } : { name, text })),
      );
    const questions = fc.record({
      litmus: fc.string({ unit: 'binary' }),
      models: fc.array(model, { maxLength: 4 }),
    });
    fc.assert(
      fc.property(questions, (question) => {
        expect(fromLink(toLink(question))).toEqual(question);
      }),
    );
  });

  const bomb = (): string => {
    const packed = deflateSync(strToU8(JSON.stringify([1, 'a'.repeat(50_000_000)])), { level: 9 });
    return Buffer.from(packed).toString('base64url');
  };

  test.each([
    [
      'that is cut off',
      () => toLink({ litmus: 'RDMA something\nnode 1 {}\n', models: [] }).slice(0, 20),
      /broken/,
    ],
    ['with letters that are none', () => '<script>', /broken/],
    [
      'that holds something else',
      () => Buffer.from(deflateSync(strToU8('{"a":1}'))).toString('base64url'),
      /broken/,
    ],
    ['that unpacks to 50 MB', bomb, /more than a program/],
    ['of 1 MB', () => 'A'.repeat(1_000_000), /too long/],
  ])('%s: a message and nothing else', async (_, link, message) => {
    complaints.length = 0;
    await page.goto('about:blank');
    const made = link();
    await page.goto(address);
    await status('done');
    await page.evaluate((hash) => {
      location.hash = hash;
    }, made);
    await page.waitForSelector('[data-part=trouble]');
    expect(await page.locator('[data-part=trouble]').textContent()).toMatch(message);
    expect(await page.locator('#results > section').count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('with markup in names show it as text', async () => {
    complaints.length = 0;
    await page.goto(address);
    await status('done');
    const name = '<img src=x onerror=alert(1)>';
    const litmus = `RDMA t "${name}"\nnode 1 { x = 0 }\nthread T on 1 { x := 1 }\nexists (x = 1) "${name}"\n`;
    await ask({ litmus, models: [{ name: 'rdma-tso' }, { name, text: 'let "' }] }, 'mistakes');
    expect(await page.locator('[data-part=mistakes]').textContent()).toContain('onerror');
    await ask({ litmus, models: [{ name: 'rdma-tso' }] }, 'fix');
    expect(await page.locator('#results img, #asked img').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});

describe('the page', () => {
  test('asks nothing of the network once it is there', async () => {
    await page.goto(address);
    await status('done');
    await page.waitForLoadState('networkidle');
    requests = [];
    // A test, a client of libraries, atomics, and a query about runs.
    for (const name of ['tso/GFG', 'loco/Fig23', 'rmw/CAS-CAS', 'locks/tas-elsewhere-flushed']) {
      await page.locator('#programs').selectOption(name);
      await status('thinking …');
      await status('done');
    }
    expect(requests).toEqual([]);
  });

  test('weighs less than 400 kB as hosts send it', async () => {
    requests = [];
    await page.goto('about:blank');
    await page.goto(address);
    await status('done');
    await page.waitForLoadState('networkidle');
    const files = new Set(requests.filter((url) => url.startsWith(address)));
    expect(files.size).toBeGreaterThan(3);
    let bytes = 0;
    for (const url of files) {
      const path = url.slice(address.length) || 'index.html';
      bytes += gzipSync(readFileSync(join(SITE, 'play', path)), { level: 9 }).length;
    }
    expect(bytes).toBeLessThan(400_000);
  });

  test('works by keyboard: a verdict is chosen and explained', async () => {
    await page.goto(address);
    await status('done');
    await page.locator('#asked input[value=sc]').focus();
    await page.keyboard.press('Space');
    await page.waitForSelector('thead th:text-is("sc")');
    await status('done');
    const other = page.locator('.verdict[aria-pressed=false]').first();
    await other.focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('[data-part=explanation] pre:has-text("under sc")', {
      state: 'attached',
    });
  });

  test('says what is wrong where it is', async () => {
    await page.goto(address);
    await status('done');
    await ask({ litmus: 'RDMA t\nnod 1 { }', models: [{ name: 'rdma-tso' }] }, 'mistakes');
    expect(await page.locator('[data-part=mistakes]').textContent()).toContain(
      'program.litmus:2:1',
    );
    await page.waitForSelector('.cm-lint-marker-error');
  });

  test('stops, and says what to run', async () => {
    const threads = Array.from(
      { length: 9 },
      (_, i) => `thread T${i} on 1 { ${'x := 1; a := x; '.repeat(20)} x := ${i} }`,
    );
    const litmus = `RDMA large\nnode 1 { x = 0 }\n${threads.join('\n')}\nexists (x = 1)\n`;
    await page.goto(`${address}#${toLink({ litmus, models: [{ name: 'rdma-tso' }] })}`);
    await page.reload();
    await status('thinking …');
    await page.getByRole('button', { name: 'stop' }).click();
    const told = await page.locator('[data-part=trouble]').textContent();
    expect(told).toContain('unknown: stopped');
    expect(told).toContain('npx remora check');
  });
});
