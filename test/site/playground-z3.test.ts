import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { FAMILIES } from '../../bench/families.js';
import { pigeonholes } from '../../bench/pigeonholes.js';
import { toLink } from '../../playground/link.js';
import type { Asked, Part, Question, Texts } from '../../playground/question.js';
import type { FromWorker, ToWorker } from '../../playground/worker.js';
import { SITE, playground } from './playground.js';
import { ROOT, remora } from '../support/run.js';

/** Z3 in the playground, in Chromium. */

const play = playground();

/** What the search gives up. */
const PIGEONHOLES = pigeonholes(8);
const TSO = [{ name: 'rdma-tso' }];

/** How the files of Z3 can fail: the network, the host, what it sends; and what the page says. */
const FAILING = [
  [/z3-built/, undefined, /Failed to fetch/],
  [/z3-built\.js/, { contentType: 'text/javascript', body: 'no Z3' }, /Unexpected identifier/],
  [/z3-built\.js/, { contentType: 'text/javascript', body: '' }, /z3-built\.js: another script/],
  [/packed$/, { status: 404 }, /wasm\.packed: 404/],
  [/packed$/, { body: 'no Z3' }, /wasm\.packed: cut off, or not packed/],
  [/packed$/, { body: gzipSync('no Z3').subarray(0, 12) }, /wasm\.packed: cut off/],
  [/packed$/, { body: gzipSync('no Z3') }, /magic word/],
] as const;

/**
 * What was asked of hosts, but whether the script of a worker is as it was, which is asked for each worker, and parts of scripts, which
 * come when they are needed.
 */
const asked = (): readonly string[] =>
  play.requests.filter((url) => !/\/worker\.js$|\/parts\//.test(url));

describe('Z3', () => {
  const trouble = '[data-part=trouble]';

  test('decides what the search gives up, when it is asked; stop ends it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'remora-z3-'));
    const file = join(folder, 'pigeonholes.litmus');
    writeFileSync(file, PIGEONHOLES);
    const { stdout } = await remora(['check', file, '-m', 'rdma-tso', '--json']);
    rmSync(folder, { recursive: true });
    const { verdict } = JSON.parse(stdout) as { readonly verdict: string };

    play.complaints.length = 0;
    await play.page.goto(play.address);
    await play.status('done');
    // What reads links is loaded with the first one.
    await play.ask({ litmus: FAMILIES['sbring'](2), models: TSO }, 'done');
    play.requests.length = 0;
    await play.ask({ litmus: PIGEONHOLES, models: TSO }, 'verdicts');
    expect((await play.shown()).verdicts).toEqual([['unknown']]);
    const offer = play.page.locator(trouble).getByRole('button');
    expect(await offer.textContent()).toBe('ask Z3 (loads 8 MB)');
    expect(await play.page.locator(trouble).textContent()).toContain('remora check');
    expect(asked()).toEqual([]);
    // To stop ends the worker; the next one needs no network either.
    await play.page.locator('#stop').click();
    await play.status('stopped');
    await play.ask({ litmus: FAMILIES['sbring'](2), models: TSO }, 'verdicts');
    await play.ask({ litmus: PIGEONHOLES, models: TSO }, 'verdicts');
    expect(asked()).toEqual([]);
    await offer.click();
    await play.status('asking Z3 …');
    await play.page.waitForSelector('.verdict:not(.unknown)', { timeout: 90_000 });
    expect((await play.shown()).verdicts).toEqual([[verdict]]);
    // The final states are many.
    await play.page.locator('#stop').click();
    await play.status('stopped');
    // Be it the explanation that was stopped, or the final states.
    expect(await play.page.locator('#results').textContent()).toContain('unknown: stopped');
    expect((await play.shown()).verdicts).toEqual([[verdict]]);
    const files = ['z3/z3-built.js', 'z3/z3-built.wasm.packed'];
    expect([...asked()].sort()).toEqual(files.map((file) => `${play.address}${file}`));
    expect(play.complaints).toEqual([]);
  });

  test('is ended by the button beside what it says, and can be asked again', async () => {
    await play.page.goto(play.address);
    await play.status('done');
    await play.ask({ litmus: PIGEONHOLES, models: TSO }, 'verdicts');
    await play.page.getByRole('button', { name: 'ask Z3' }).click();
    await play.page.locator(trouble).getByRole('button', { name: 'stop' }).click();
    await play.status('stopped');
    expect((await play.shown()).verdicts).toEqual([['unknown']]);
    await play.page.getByRole('button', { name: 'ask Z3' }).waitFor();
  });

  test('says why it could not be loaded, and can be asked again', async () => {
    const other = await play.browser.newPage();
    await other.goto(`${play.address}#${await toLink({ litmus: PIGEONHOLES, models: TSO })}`);
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
    const other = await play.browser.newPage();
    await other.route('**/*', async (route) => {
      const response = await route.fetch();
      const headers = Object.entries(response.headers());
      await route.fulfill({
        response,
        headers: Object.fromEntries(headers.filter(([name]) => !name.startsWith('cross-origin'))),
      });
    });
    await other.goto(`${play.address}#${await toLink({ litmus: PIGEONHOLES, models: TSO })}`);
    await other.waitForSelector(trouble);
    expect(await other.evaluate('crossOriginIsolated')).toBe(false);
    const told = await other.locator(trouble).textContent();
    expect(told).toContain('Cross-Origin-Embedder-Policy: require-corp');
    expect(told).toContain('remora check program.litmus -m rdma-tso');
    expect(await other.locator(trouble).getByRole('button').count()).toBe(0);
    await other.close();
  });

  test('says the same as the search', async () => {
    await play.page.goto(play.address);
    await play.status('done');
    const files = ['tso/SB-flush', 'tso/MP3bis', 'loco/Fig23', 'rmw/CAS-CAS', 'field/buffer-reuse'];
    const asked = files
      .map((name) => join(ROOT, 'corpus', `${name}.litmus`))
      .map((file) => ({ litmus: readFileSync(file, 'utf8'), models: TSO }));
    const texts = JSON.parse(readFileSync(join(SITE, 'play/data.json'), 'utf8')) as {
      models: Texts;
    };
    // The worker is asked as the page does it, but without a search that gives up before.
    const answers = await play.page.evaluate(
      async ([questions, texts]) => {
        const worker = new Worker('worker.js', { type: 'module' });
        const post = (message: ToWorker) => worker.postMessage(message);
        post({ kind: 'start', texts });
        let id = 0;
        const askOnce = (asked: Asked) =>
          new Promise<readonly Part[]>((resolve, reject) => {
            id += 1;
            const parts: Part[] = [];
            let isLoaded = false;
            worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
              if ('part' in data) parts.push(data.part);
              if ('loaded' in data) isLoaded = true;
              if ('done' in data && isLoaded !== asked.asksZ3)
                reject(new Error('Z3 was not asked'));
              else if ('done' in data) resolve(parts);
              if ('failed' in data) reject(new Error(data.failed));
            };
            post({ kind: 'ask', id, asked });
          });
        const askFor = async (question: Question, asksZ3: boolean): Promise<readonly Part[]> => {
          const asked = { question, focus: { model: 0, query: 0 }, asksZ3 };
          const parts = [...(await askOnce(asked))];
          for (const kind of ['fix', 'states'] as const)
            parts.push(...(await askOnce({ ...asked, longer: { kind } })));
          return parts;
        };
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
