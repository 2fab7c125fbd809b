import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { playground } from './playground.js';
import { ROOT, remora } from '../support/run.js';

/** C in the playground, in Chromium. */

const play = playground();

const BARE = `#include <infiniband/verbs.h>

struct peer { struct ibv_qp *qp; uint64_t addr; };
static uint64_t out = 1;

void send_out(struct peer *to)
{
    struct ibv_sge sge = { (uintptr_t)&out, sizeof out, 0 };
    struct ibv_send_wr *bad, wr = { .opcode = IBV_WR_RDMA_WRITE, .sg_list = &sge, .num_sge = 1 };

    wr.wr.rdma.remote_addr = to->addr;
    ibv_post_send(to->qp, &wr, &bad);
    trace("sent");
    out = 2;
}
`;

const models = [{ name: 'rdma-tso' }];
const done = () => play.page.evaluate(() => Number(document.body.dataset['done']));
const programOf = () => play.page.locator('#litmus .cm-content').innerText();

/** Does something, and waits until the page has answered. */
async function answered(what: () => Promise<unknown>): Promise<void> {
  const before = await done();
  await what();
  await expect.poll(done, { timeout: 20_000 }).toBeGreaterThan(before);
}

describe('C', () => {
  test('is loaded when a program is C, and no sooner', async () => {
    expect(play.requests.filter((url) => url.includes('/c/'))).toEqual([]);
    const name = 'c/read-then-use';
    await answered(() => play.choose(name));
    const loaded = play.requests.filter((url) => url.includes('/c/'));
    expect(loaded.map((url) => url.slice(url.indexOf('/c/'))).sort()).toEqual([
      '/c/c.js',
      '/c/grammar.wasm.packed',
      '/c/interfaces.json',
      '/c/read-then-use.txt',
      '/c/tree-sitter.wasm.packed',
    ]);
    const { stdout } = await remora(['explain', `corpus/${name}.c`], { cwd: ROOT });
    expect((await play.shown()).verdicts).toEqual([['allowed']]);
    const why = await play.page.locator('[data-part=explanation] pre').textContent();
    // The page has no line of what was computed, so that what follows is one line higher.
    const withoutLines = (text: string): string => text.replaceAll(/line \d+/g, 'line');
    expect(why).toMatch(/line \d+/);
    expect(withoutLines(stdout)).toContain(
      withoutLines(why!).trim().split('\n').slice(-3).join('\n'),
    );
    await play.page.locator('[data-part=offer] button:text("what would change it?")').click();
    const fix = await play.page.locator('[data-part=fix]').textContent();
    expect(fix).toContain('+        while (ibv_poll_cq(qp->send_cq, 1, &wc) == 0)');
    expect(play.complaints).toEqual([]);
  });

  test.each(['put-then-flag', 'update-then-release', 'two-rails'])(
    '%s: what the command line says',
    async (name) => {
      const path = `corpus/c/${name}.c`;
      const { stdout } = await remora(['check', path, '-m', 'rdma-tso', '--json'], { cwd: ROOT });
      const expected = stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { readonly verdict?: string })
        .flatMap(({ verdict }) => (verdict === undefined ? [] : [[verdict]]));
      await play.ask({ litmus: readFileSync(join(ROOT, path), 'utf8'), models }, 'verdicts');
      expect((await play.shown()).verdicts).toEqual(expected);
    },
  );

  test('without a head gets one, and after a click for each gap there is an answer', async () => {
    await play.page.goto('about:blank');
    await play.page.goto(play.address);
    await play.status('done');
    await answered(() => play.page.locator('#litmus .cm-content').fill(BARE));
    expect(await programOf()).toMatch(/^\/\* RDMA program\n/);
    const gaps = play.page.locator('.gaps li');
    // They come with a part of the page that is loaded late.
    await gaps.first().waitFor();
    expect(await gaps.locator('h3').allTextContents()).toEqual([
      'Where does the queue pair to->qp lead?',
      'Where does to->addr lead?',
      'What does trace("sent") do?',
      'What is asked?',
    ]);
    expect(await gaps.first().locator('pre').textContent()).toBe(
      'ibv_post_send(to->qp, &wr, &bad);',
    );
    // A pointer and the question wait for the queue pair.
    expect(await gaps.nth(1).locator('button').count()).toBe(0);
    await answered(() => gaps.getByRole('button', { name: 'node2' }).click());
    await answered(() => gaps.getByRole('button', { name: 'addr new, on node2' }).click());
    // Whoever fills in by keyboard is at the next gap.
    await answered(() => play.page.keyboard.press('Enter'));
    await answered(() => gaps.getByRole('button', { name: 'exists (addr == 2)' }).click());
    expect(await play.page.locator('.gaps').count()).toBe(0);
    expect((await play.shown()).verdicts).toEqual([['allowed']]);
    await answered(() => play.page.getByRole('tab', { name: 'on all fabrics' }).click());
    expect(await play.page.locator('[data-part=fabrics]').textContent()).toContain('rdma-ro');
    expect(play.complaints).toEqual([]);
  });

  test('with mistakes says where they are, and back in a litmus file all is as before', async () => {
    await play.page.goto('about:blank');
    await play.page.goto(play.address);
    await play.status('done');
    const wrong = `/* RDMA t\n   node 1 { x = 0 }\n   thread f on 1\n\n   exists (x == 1)\n*/\nvoid f(void) { x = 1 }\n`;
    await play.ask({ litmus: wrong, models }, 'mistakes');
    expect(await play.page.locator('[data-part=mistakes]').textContent()).toContain(
      'program.c:7:16: this is not understood as C',
    );
    await play.ask(
      { litmus: 'RDMA t\nnode 1 { x = 0 }\nthread f on 1 { x := 1 }\nexists (x = 1)\n', models },
      'verdicts',
    );
    expect((await play.shown()).verdicts).toEqual([['allowed']]);
  });
});
