import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Generated } from '../../src/analyses/refine/generate.js';
import { ClientGenerator, GENERATE_BOUNDS } from '../../src/analyses/refine/generate.js';
import { DISK } from '../../src/node/models.js';
import { Libraries } from '../../src/program/libraries.js';

/** Which clients are generated, and in which order. */

const folder = mkdtempSync(join(tmpdir(), 'remora-generate-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The mailbox of docs/libraries.md. */
function mailbox(bounds = GENERATE_BOUNDS): ClientGenerator {
  const [, text] = /```cat mailbox\.cat\n(.*?)```/s.exec(
    readFileSync('docs/libraries.md', 'utf8'),
  )!;
  const path = join(folder, 'mailbox.cat');
  writeFileSync(path, text);
  const { model } = new Libraries(DISK).compose([path]);
  if (!model.ok) throw new Error(model.errors[0].message);
  return new ClientGenerator(model.value.instructions, ['mailbox'], bounds);
}

const sizeOf = ({ threads }: Generated): number => threads.flat().length;
const writtenBy = ({ threads }: Generated): readonly number[] =>
  threads.flat().flatMap(({ value }) => value ?? []);

test('the client that shows the mistake of mailbox-puts is among the first ten thousand', () => {
  const generator = mailbox();
  const texts: string[] = [];
  for (const client of generator.clients()) {
    if (texts.push(generator.text(client, 'c')) === 10_000) break;
  }
  expect(texts).toContain(`RDMA c
uses mailbox

node 1 {}
node 2 { x1 = 0 }
mailbox o1 (sender T1; receiver T2)

thread T1 on 1 { mailbox.post(o1, 1); x1^2 := 2; mailbox.post(o1, 3) }
thread T2 on 2 { b1 := mailbox.take(o1); b2 := x1 }
`);
});

test('fewer calls come first, and among as many those that write a number of its own each time', () => {
  const clients = [...mailbox({ ...GENERATE_BOUNDS, calls: 2 }).clients()];
  const repeats = (written: readonly number[]): boolean =>
    written.some((value, i) => {
      const before = new Set(written.slice(0, i));
      return before.has(value) && before.size < GENERATE_BOUNDS.values;
    });
  const ranks = clients.map((client) => 2 * sizeOf(client) + Number(repeats(writtenBy(client))));
  expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
  expect(new Set(ranks)).toEqual(new Set([2, 4, 5, 6, 7, 8, 9]));
});

test('with fewer numbers there is nothing that is not there with more', () => {
  const textsWith = (values: number): ReadonlySet<string> => {
    const generator = mailbox({ ...GENERATE_BOUNDS, calls: 2, values });
    return new Set([...generator.clients()].map((client) => generator.text(client, 'c')));
  };
  const [one, two, three] = [1, 2, 3].map(textsWith);
  expect(two.size).toBeGreaterThan(one.size);
  expect(three.size).toBeGreaterThan(two.size);
  for (const text of one) expect(two).toContain(text);
  for (const text of two) expect(three).toContain(text);
});
