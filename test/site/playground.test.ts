import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromLink, toLink } from '../../playground/link.js';
import { SITE, playground } from './playground.js';
import { ROOT } from '../support/run.js';

/** Links to the playground and its page, in Chromium. What it says is in `playground-agrees`, Z3 in `playground-z3`. */

const play = playground();

describe('links', () => {
  test('hold the whole question, and nothing is sent anywhere', async () => {
    const litmus = readFileSync(join(ROOT, 'corpus/tso/MP3bis.litmus'), 'utf8');
    const text = readFileSync(join(ROOT, 'models/rdma-tso.cat'), 'utf8');
    const own = { name: 'rdma-tso', text: text.replace('(*', '(* mine *) (*') };
    await play.ask({ litmus, models: [{ name: 'sc' }, own] }, 'done');
    await play.page.getByRole('button', { name: 'copy link' }).click();
    const link = await play.page.evaluate('location.href');
    const other = await play.browser.newPage();
    await other.goto(String(link));
    await other.waitForSelector('#status:text-is("done")');
    expect(await other.locator('#model-name').textContent()).toBe('rdma-tso (changed)');
    const heads = await other.locator('thead th').allTextContents();
    expect(heads).toEqual(['query', 'sc', 'rdma-tso (changed)']);
    expect(await other.locator('[data-part=verdicts] h2').textContent()).toBe('MP3bis');
    await other.close();
  });

  test('are short: a test with a model of its own takes about 1,300 letters', async () => {
    const litmus = readFileSync(join(ROOT, 'corpus/tso/MP3bis.litmus'), 'utf8');
    const text = readFileSync(join(ROOT, 'models/rdma-tso.cat'), 'utf8');
    const link = await toLink({ litmus, models: [{ name: 'mine', text }] });
    expect(link.length).toBeLessThan(2000);
  });

  test('come back as they went', async () => {
    const model = fc
      .record({ name: fc.string() })
      .chain(({ name }) =>
        fc
          .option(fc.string({ unit: 'binary' }), { nil: undefined })
          .map((text) => (text === undefined ? { name } : { name, text })),
      );
    const questions = fc.record(
      {
        litmus: fc.string({ unit: 'binary' }),
        models: fc.array(model, { maxLength: 4 }),
        onFabrics: fc.constant(true),
      },
      { requiredKeys: ['litmus', 'models'] },
    );
    await fc.assert(
      fc.asyncProperty(questions, async (question) => {
        expect(await fromLink(await toLink(question))).toEqual(question);
      }),
    );
  });

  const bomb = (): string => {
    const packed = deflateRawSync(JSON.stringify([1, 'a'.repeat(50_000_000)]), { level: 9 });
    return packed.toString('base64url');
  };

  test.each([
    [
      'that is cut off',
      async () =>
        (await toLink({ litmus: 'RDMA something\nnode 1 {}\n', models: [] })).slice(0, 20),
      /broken/,
    ],
    ['with letters that are none', () => '<script>', /broken/],
    ['that holds something else', () => deflateRawSync('{"a":1}').toString('base64url'), /broken/],
    ['that unpacks to 50 MB', bomb, /more than a program/],
    ['of 1 MB', () => 'A'.repeat(1_000_000), /too long/],
  ])('%s: a message and nothing else', async (_, link, message) => {
    play.complaints.length = 0;
    await play.page.goto('about:blank');
    const made = await link();
    await play.page.goto(play.address);
    await play.status('done');
    await play.page.evaluate((hash) => {
      location.hash = hash;
    }, made);
    await play.page.waitForSelector('[data-part=trouble]');
    expect(await play.page.locator('[data-part=trouble]').textContent()).toMatch(message);
    expect(await play.page.locator('#results > section').count()).toBe(1);
    expect(play.complaints).toEqual([]);
  });

  test('with markup in names show it as text', async () => {
    play.complaints.length = 0;
    await play.page.goto(play.address);
    await play.status('done');
    const name = '<img src=x onerror=alert(1)>';
    const litmus = `RDMA t "${name}"\nnode 1 { x = 0 }\nthread T on 1 { x := 1 }\nexists (x = 1) "${name}"\n`;
    await play.ask({ litmus, models: [{ name: 'rdma-tso' }, { name, text: 'let "' }] }, 'mistakes');
    expect(await play.page.locator('[data-part=mistakes]').textContent()).toContain('onerror');
    await play.ask({ litmus, models: [{ name: 'rdma-tso' }] }, 'done');
    expect(await play.page.locator('#results img, #asked img').count()).toBe(0);
    expect(play.complaints).toEqual([]);
  });
});

describe('a model of a link that is not the one that comes with Remora', () => {
  const litmus = readFileSync(join(ROOT, 'corpus/tso/MP3bis.litmus'), 'utf8');
  const text = readFileSync(join(ROOT, 'models/sc.cat'), 'utf8');
  const textOf = (selector: string) =>
    play.page.locator(selector).evaluateAll((found) => found.map((e) => e.textContent).join('\n'));

  test.each([
    ['rdma-tso', 'rdma-tso (changed)'],
    // Shown, this cannot be told from the other one.
    ['rdma\u2010tso', 'rdma\u2010tso (not of Remora)'],
  ])('is marked wherever it stands: %j', async (name, marked) => {
    await play.page.goto(play.address);
    await play.status('done');
    await play.ask({ litmus, models: [{ name, text }] }, 'done');
    expect(await play.page.locator('thead th').allTextContents()).toEqual(['query', marked]);
    const ticked = play.page.locator('#asked label:has(input:checked)');
    expect((await ticked.allTextContents()).map((label) => label.trim())).toEqual([marked]);
    expect(await play.page.locator('#model-name').textContent()).toBe(marked);
    for (const part of ['[data-part=states] h2', '[data-part=explanation]', '#model-name']) {
      const told = await textOf(part);
      expect(told).toContain(marked);
      expect(told.replaceAll(marked, '')).not.toContain(name);
    }
  });

  test.each(['rdma-tso', 'models/rdma-tso'])('has the machine of its text: %s', async (name) => {
    const lock = readFileSync(join(ROOT, 'corpus/locks/tas.litmus'), 'utf8');
    await play.ask({ litmus: lock, models: [{ name, text }] }, 'verdicts');
    const { verdicts, models } = await play.shown();
    expect(models[0]).toMatch(/^rdma-tso \((changed|not of Remora)\)$/);
    // Under SC, the lock is right, but for fairness.
    expect(new Set(verdicts.flat())).toEqual(new Set(['holds', 'fails']));
  });

  test('is no other one if its text is the same', async () => {
    const same = readFileSync(join(ROOT, 'models/rdma-tso.cat'), 'utf8');
    await play.ask({ litmus, models: [{ name: 'rdma-tso', text: same }] }, 'verdicts');
    expect((await play.shown()).models).toEqual(['rdma-tso']);
  });
});

describe('edits', () => {
  const litmus = () => play.page.locator('#litmus .cm-content');
  const type = async (editor: string, text: string) => {
    await play.page.locator(`#${editor} .cm-content`).focus();
    await play.page.keyboard.press('Control+Home');
    await play.page.keyboard.type(text);
  };
  const begin = async () => {
    await play.page.goto('about:blank');
    await play.page.goto(play.address);
    await play.status('done');
  };
  const choose = async (name: string) => {
    await play.choose(name);
    await play.status('done');
  };
  const FIRST = 'field/libfabric-completion';
  const LINKED = 'RDMA linked\nnode 1 { x = 0 }\nthread T on 1 { x := 1 }\nexists (x = 1)\n';

  test('of a program are there after another one was chosen, and can be taken back', async () => {
    await begin();
    await type('litmus', '# mine\n');
    await choose('tso/GFG');
    expect(await litmus().innerText()).not.toContain('# mine');
    await choose(FIRST);
    expect(await litmus().innerText()).toContain('# mine');
    const chosen = play.page.locator('#program-name');
    expect(await chosen.textContent()).toBe('field/libfabric-completion (changed)');
    await play.page.locator('#reset-program').click();
    expect(await litmus().innerText()).not.toContain('# mine');
    expect(await chosen.textContent()).toBe('field/libfabric-completion');
  });

  test('are there after a reload: of programs and of models, asked or not', async () => {
    await begin();
    await choose('tso/GFG');
    await type('litmus', '# mine\n');
    await choose(FIRST);
    await play.page.locator('summary:has(#model-name)').click();
    await type('cat', '(* mine *)\n');
    await play.page.locator('#asked input[value=sc]').check();
    await play.page.locator('#asked input[value=rdma-tso]').uncheck();
    await play.page.reload();
    await play.status('done');
    expect((await play.shown()).models).toEqual(['sc']);
    await play.page.locator('#asked input[value=rdma-tso]').check();
    await play.page.waitForSelector('thead th:text-is("rdma-tso (changed)")');
    await choose('tso/GFG');
    expect(await litmus().innerText()).toContain('# mine');
  });

  test('of the program of a link, too, and the link itself brings what it brought', async () => {
    await begin();
    const link = await toLink({ litmus: LINKED, models: [] });
    await play.page.goto(`${play.address}#${link}`);
    await type('litmus', '# mine\n');
    await play.page.reload();
    await play.status('done');
    expect(await litmus().innerText()).toContain('# mine');
    await choose(FIRST);
    await choose('');
    expect(await litmus().innerText()).toContain('# mine');
    const other = await play.browser.newPage();
    await other.goto(`${play.address}#${link}`);
    await other.waitForSelector('#status:text-is("done")');
    expect(await other.locator('#litmus .cm-content').innerText()).not.toContain('# mine');
    await other.close();
  });

  test('of before a link are there on the way back', async () => {
    await begin();
    await type('litmus', '# mine\n');
    await play.ask({ litmus: LINKED, models: [] }, 'verdicts');
    expect(await litmus().innerText()).toContain('linked');
    await play.page.goBack();
    await expect.poll(() => litmus().innerText()).toContain('# mine');
  });
});

describe('the page', () => {
  test('shows the run that breaks a lock in space and time', async () => {
    const lock = readFileSync(
      join(ROOT, 'corpus/locks/peterson-local-remote-no-fence.litmus'),
      'utf8',
    );
    await play.ask({ litmus: lock, models: [{ name: 'rdma-tso' }] }, 'explanation');
    const picture = play.page.locator('[data-part=explanation] > .picture svg');
    await picture.waitFor();
    expect(await picture.locator('desc').textContent()).toContain('T1 is in c, too');
  });

  test('asks nobody but its host, and for a file once', async () => {
    await play.page.goto(play.address);
    await play.status('done');
    // A test, a client of libraries, atomics, and a query about runs.
    const names = ['tso/GFG', 'loco/Fig23', 'rmw/CAS-CAS', 'locks/tas-elsewhere-flushed'];
    const choose = async (name: string) => {
      const done = () => play.page.evaluate(() => Number(document.body.dataset['done']));
      const before = await done();
      await play.choose(name);
      await expect.poll(done).toBeGreaterThan(before);
      await play.status('done');
    };
    for (const name of names) await choose(name);
    const elsewhere = play.requests.filter((url) => !url.startsWith(play.address));
    expect(elsewhere).toEqual([]);
    play.requests.length = 0;
    for (const name of names) await choose(name);
    expect(play.requests).toEqual([]);
  });

  test('weighs less than 385 kB as hosts send it, with a whole answer', async () => {
    play.requests.length = 0;
    // A browser of its own has kept nothing.
    const other = await play.browser.newPage();
    await other.goto(play.address);
    await other.waitForSelector('#status:text-is("done")');
    await other.waitForLoadState('networkidle');
    await other.close();
    const files = new Set(play.requests.filter((url) => url.startsWith(play.address)));
    expect(files.size).toBeGreaterThan(3);
    let bytes = 0;
    for (const url of files) {
      const path = url.slice(play.address.length) || 'index.html';
      bytes += gzipSync(readFileSync(join(SITE, 'play', path)), { level: 9 }).length;
    }
    expect(bytes).toBeLessThan(385_000);
  });

  test('works by keyboard: a verdict is chosen and explained', async () => {
    await play.page.goto(play.address);
    await play.status('done');
    await play.page.locator('#asked input[value=sc]').focus();
    await play.page.keyboard.press('Space');
    await play.page.waitForSelector('thead th:text-is("sc")');
    await play.status('done');
    const other = play.page.locator('.verdict[aria-pressed=false]').first();
    await other.focus();
    await play.page.keyboard.press('Enter');
    await play.page.waitForSelector('[data-part=explanation] pre:has-text("under sc")', {
      state: 'attached',
    });
  });

  test('says what is wrong where it is', async () => {
    await play.page.goto(play.address);
    await play.status('done');
    await play.ask({ litmus: 'RDMA t\nnod 1 { }', models: [{ name: 'rdma-tso' }] }, 'mistakes');
    expect(await play.page.locator('[data-part=mistakes]').textContent()).toContain(
      'program.litmus:2:1',
    );
    await play.page.waitForSelector('.wrong-line');
  });

  test('stops, and says what to run', async () => {
    const threads = Array.from(
      { length: 9 },
      (_, i) => `thread T${i} on 1 { ${'x := 1; a := x; '.repeat(20)} x := ${i} }`,
    );
    const litmus = `RDMA large\nnode 1 { x = 0 }\n${threads.join('\n')}\nexists (x = 1)\n`;
    const link = await toLink({ litmus, models: [{ name: 'rdma-tso' }] });
    await play.page.goto(`${play.address}#${link}`);
    await play.page.reload();
    await play.status('thinking …');
    await play.page.getByRole('button', { name: 'stop' }).click();
    const told = () => play.page.locator('[data-part=trouble]').textContent();
    // What to run comes with a part of the page that is loaded late.
    await expect.poll(told).toContain('remora check');
    expect(await told()).toContain('unknown: stopped');
  });
});
