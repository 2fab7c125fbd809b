import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { deflateSync, strToU8 } from 'fflate';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAMILIES } from '../../bench/families.js';
import { pigeonholes } from '../../bench/pigeonholes.js';
import { fromLink, toLink } from '../../playground/link.js';
import type { Part, Question, Texts } from '../../playground/question.js';
import type { FromWorker, ToWorker } from '../../playground/worker.js';
import { serve } from '../../scripts/site.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import { ROOT, remora } from '../support/run.js';
import { launch } from '../../scripts/browser.js';

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
  // A worker's script that the page has kept is no request.
  page.on('request', (request) => {
    if (!request.url().startsWith('blob:')) requests.push(request.url());
  });
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
    trouble: document.querySelector('[data-part=trouble]')?.textContent,
  }));

interface Expected {
  /** By query, then by what it was decided by. */
  readonly verdicts: readonly Readonly<Record<string, string>>[];
  /** By model; none where the page lists none, as all queries are about runs. */
  readonly states: Readonly<Record<string, readonly string[]>> | undefined;
}

const ABOUT_RUNS = /^(?:exclusive|progress|deadlock|never|assertions)\b/;

/** What the command line says of files, by path. */
async function commandLine(folder: string): Promise<ReadonlyMap<string, Expected>> {
  const models = ['-m', MODELS.join(',')];
  const lines = async (...args: string[]) => {
    const { stdout } = await remora([...args, '--json'], { limit: 300_000 });
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line);
  };
  const verdicts = await lines('check', folder, ...models);
  const files = new Map<string, { verdicts: Record<string, string>[]; ends: boolean }>();
  for (const { file, index, model, verdict, query } of verdicts) {
    if (index === undefined || verdict === undefined) continue;
    const own = files.get(file) ?? { verdicts: [], ends: false };
    files.set(file, own);
    (own.verdicts[index] ??= {})[model] = verdict;
    own.ends ||= !ABOUT_RUNS.test(query!);
  }
  const ending = [...files].flatMap(([file, { ends }]) => (ends ? [file] : []));
  const outcomes = await lines('outcomes', ...ending, '-m', MODELS[0]);
  return new Map(
    [...files].map(([file, { verdicts, ends }]) => {
      const own = outcomes.filter((line) => line.file === file);
      const states = own.map(({ model, states = [] }) => [model, states.map(stateText)] as const);
      return [file, { verdicts, states: ends ? Object.fromEntries(states) : undefined }];
    }),
  );
}

const stateText = (state: Readonly<Record<string, unknown>>): string =>
  Object.entries(state)
    .map(([name, value]) => `${name} = ${valueText(value)}`)
    .join(', ');

interface Line {
  readonly file: string;
  readonly query?: string;
  readonly index?: number;
  readonly model: string;
  readonly verdict?: string;
  readonly states?: readonly Readonly<Record<string, unknown>>[];
}

const valueText = (value: unknown): string =>
  value === null ? 'none' : Array.isArray(value) ? `<${value.join(', ')}>` : String(value);

/** Where the page departs from the command line, and what it left open, by its limits. */
async function compare(files: ReadonlyMap<string, Expected>) {
  const departures: string[] = [];
  const open: string[] = [];
  for (const [file, expected] of files) {
    const litmus = readFileSync(resolve(ROOT, file), 'utf8');
    const part = expected.states === undefined ? 'verdicts' : 'states';
    await ask({ litmus, models: MODELS.map((name) => ({ name })) }, part);
    const { models, verdicts, states, wrong, trouble } = await shown();
    if (trouble !== undefined) open.push(`${file}: ${trouble}`);
    // The page has no verdicts with implementations, and lists the states under its first model.
    const asked = expected.verdicts.map((row) => models.map((model) => row[model]));
    const own = verdicts.map((row, i) => row.map((v, k) => (v === 'unknown' ? asked[i][k] : v)));
    const listed = states.length === 0 && trouble !== undefined ? undefined : states;
    const shownHere = JSON.stringify([own, part === 'states' ? listed : undefined]);
    // Of a program that a model cannot be asked about there are none.
    const none = expected.verdicts[0]?.[models[0]] === 'untranslatable' ? [] : undefined;
    const theirs = JSON.stringify([asked, listed && (expected.states?.[models[0]] ?? none)]);
    if (wrong || shownHere !== theirs) departures.push(`${file}: ${shownHere} is not ${theirs}`);
  }
  return { departures, open };
}

describe('says what the command line says', () => {
  const folders = readdirSync(join(ROOT, 'corpus'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'broken')
    .map(({ name }) => `corpus/${name}`);

  test.each(folders)('%s', { timeout: 300_000 }, async (folder) => {
    const expected = await commandLine(folder);
    expect(expected.size).toBeGreaterThan(0);
    // Nothing of the corpus is beyond what the page can decide.
    expect(await compare(expected)).toEqual({ departures: [], open: [] });
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
    expect(await compare(expected)).toEqual({ departures: [], open: [] });
    rmSync(folder, { recursive: true });
  });
});

/** What the search gives up. */
const PIGEONHOLES = pigeonholes(8);
const TSO = [{ name: 'rdma-tso' }];

/** How the files of Z3 can fail: the network, the host, what it sends; and what the page says. */
const FAILING = [
  [/z3-built/, undefined, /Failed to fetch/],
  [/z3-built\.js/, { contentType: 'text/javascript', body: 'no Z3' }, /Unexpected identifier/],
  [/packed$/, { status: 404 }, /wasm\.packed: 404/],
  [/packed$/, { body: 'no Z3' }, /wasm\.packed: cut off, or not packed/],
  [/packed$/, { body: gzipSync('no Z3').subarray(0, 12) }, /wasm\.packed: cut off/],
  [/packed$/, { body: gzipSync('no Z3') }, /magic word/],
] as const;

describe('Z3', { timeout: 120_000 }, () => {
  const trouble = '[data-part=trouble]';

  test('decides what the search gives up, when it is asked; stop ends it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'remora-z3-'));
    const file = join(folder, 'pigeonholes.litmus');
    writeFileSync(file, PIGEONHOLES);
    const { stdout } = await remora(['check', file, '-m', 'rdma-tso', '--json']);
    rmSync(folder, { recursive: true });
    const { verdict } = JSON.parse(stdout) as Line;

    complaints.length = 0;
    await page.goto(address);
    await status('done');
    requests = [];
    await ask({ litmus: PIGEONHOLES, models: TSO }, 'verdicts');
    expect((await shown()).verdicts).toEqual([['unknown']]);
    const offer = page.locator(trouble).getByRole('button');
    expect(await offer.textContent()).toBe('ask Z3 (loads 8 MB)');
    expect(await page.locator(trouble).textContent()).toContain('npx remora check');
    expect(requests).toEqual([]);
    // To stop ends the worker; the next one needs no network either.
    await page.locator('#stop').click();
    await status('stopped');
    await ask({ litmus: FAMILIES['sbring'](2), models: TSO }, 'verdicts');
    await ask({ litmus: PIGEONHOLES, models: TSO }, 'verdicts');
    expect(requests).toEqual([]);
    await offer.click();
    await status('asking Z3 …');
    await page.waitForSelector('.verdict:not(.unknown)', { timeout: 90_000 });
    expect((await shown()).verdicts).toEqual([[verdict]]);
    // The final states are many.
    await page.locator('#stop').click();
    await status('stopped');
    expect(await page.locator(trouble).textContent()).toContain('unknown: stopped');
    expect((await shown()).verdicts).toEqual([[verdict]]);
    const files = ['z3/z3-built.js', 'z3/z3-built.wasm.packed'];
    expect(requests.sort()).toEqual(files.map((file) => `${address}${file}`));
    expect(complaints).toEqual([]);
  });

  test('is ended by the button beside what it says, and can be asked again', async () => {
    await page.goto(address);
    await status('done');
    await ask({ litmus: PIGEONHOLES, models: TSO }, 'verdicts');
    await page.getByRole('button', { name: 'ask Z3' }).click();
    await page.locator(trouble).getByRole('button', { name: 'stop' }).click();
    await status('stopped');
    expect((await shown()).verdicts).toEqual([['unknown']]);
    await page.getByRole('button', { name: 'ask Z3' }).waitFor();
  });

  test('says why it could not be loaded, and can be asked again', async () => {
    const other = await browser.newPage();
    await other.goto(`${address}#${toLink({ litmus: PIGEONHOLES, models: TSO })}`);
    const button = other.getByRole('button', { name: 'ask Z3' });
    // One route for the whole test: what a worker asks for after a change of routes may pass them by.
    let failing: (typeof FAILING)[number] | undefined;
    await other.route(/z3-built/, (route) => {
      if (failing === undefined || !failing[0].test(route.request().url())) return route.continue();
      return failing[1] === undefined ? route.abort() : route.fulfill(failing[1]);
    });
    for (failing of FAILING) {
      await button.waitFor();
      await button.click();
      const told = other.locator(trouble, { hasText: 'Z3 could not be loaded: ' });
      expect(await told.textContent()).toMatch(failing[2]);
      expect(await other.locator('.verdict').allTextContents()).toEqual(['unknown']);
    }
    failing = undefined;
    await button.click();
    await other.waitForSelector('.verdict:not(.unknown)', { timeout: 90_000 });
    await other.close();
  });

  test('is not offered where the host does not isolate pages', async () => {
    const other = await browser.newPage();
    await other.route('**/*', async (route) => {
      const response = await route.fetch();
      const headers = Object.entries(response.headers());
      await route.fulfill({
        response,
        headers: Object.fromEntries(headers.filter(([name]) => !name.startsWith('cross-origin'))),
      });
    });
    await other.goto(`${address}#${toLink({ litmus: PIGEONHOLES, models: TSO })}`);
    await other.waitForSelector(trouble);
    expect(await other.evaluate('crossOriginIsolated')).toBe(false);
    const told = await other.locator(trouble).textContent();
    expect(told).toContain('Cross-Origin-Embedder-Policy: require-corp');
    expect(told).toContain('npx remora check program.litmus -m rdma-tso');
    expect(await other.locator(trouble).getByRole('button').count()).toBe(0);
    await other.close();
  });

  test('says the same as the search', async () => {
    await page.goto(address);
    await status('done');
    const files = ['tso/SB-flush', 'tso/MP3bis', 'loco/Fig23', 'rmw/CAS-CAS', 'field/buffer-reuse'];
    const asked = files
      .map((name) => join(ROOT, 'corpus', `${name}.litmus`))
      .map((file) => ({ litmus: readFileSync(file, 'utf8'), models: TSO }));
    const texts = JSON.parse(readFileSync(join(SITE, 'play/data.json'), 'utf8')) as {
      models: Texts;
    };
    // The worker is asked as the page does it, but without a search that gives up before.
    const answers = await page.evaluate(
      async ([questions, texts]) => {
        const worker = new Worker('worker.js', { type: 'module' });
        const post = (message: ToWorker) => worker.postMessage(message);
        post({ kind: 'start', texts, place: location.href });
        let id = 0;
        const askFor = (question: Question, asksZ3: boolean) =>
          new Promise<readonly Part[]>((resolve, reject) => {
            id += 1;
            const parts: Part[] = [];
            let isLoaded = false;
            worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
              if ('part' in data) parts.push(data.part);
              if ('loaded' in data) isLoaded = true;
              if ('done' in data && isLoaded !== asksZ3) reject(new Error('Z3 was not asked'));
              else if ('done' in data) resolve(parts);
              if ('failed' in data) reject(new Error(data.failed));
            };
            post({ kind: 'ask', id, question, focus: { model: 0, query: 0 }, asksZ3 });
          });
        const both: (readonly Part[])[][] = [];
        for (const question of questions) {
          both.push([await askFor(question, false), await askFor(question, true)]);
        }
        worker.terminate();
        return both;
      },
      [asked, texts.models] as const,
    );
    // Which execution shows that something is allowed is up to the solver.
    const plain = (parts: readonly Part[]) =>
      parts.flatMap((part) =>
        part.kind === 'verdicts'
          ? part.queries.map(({ verdicts }) => verdicts.map(({ verdict }) => verdict))
          : part.kind === 'states'
            ? [part.states]
            : [part.kind],
      );
    for (const [search, z3] of answers) expect(plain(z3)).toEqual(plain(search));
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
      const done = () => page.evaluate(() => Number(document.body.dataset['done']));
      const before = await done();
      await page.locator('#programs').selectOption(name);
      await expect.poll(done, { timeout: 20_000 }).toBeGreaterThan(before);
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
