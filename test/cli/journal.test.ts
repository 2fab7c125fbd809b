import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { STACK_TRACE, remora } from '../support/run.js';
import { redigested } from '../support/results.js';

/** What `merge` makes of the file of a campaign of `agree` that somebody, or something, changed. */

const folder = mkdtempSync(join(tmpdir(), 'remora-journal-'));
afterAll(() => rmSync(folder, { recursive: true }));

const HEADER = { remora: 'x', format: 2, command: 'agree', random: 200, leftOut: [] };
const WAYS = [
  { engine: 'search', model: 'sc' },
  { engine: 'enumerate', model: 'sc' },
];
const line = (from: number, to: number) => ({
  job: `${from}`,
  from,
  to,
  programs: to - from,
  events: [[3, to - from]],
  comparisons: [
    { models: ['sc'], ways: WAYS, agreed: to - from, states: 7, undecided: [], skipped: [] },
  ],
  disagreements: [],
  milliseconds: 1,
});
const textOf = (...lines: readonly object[]): string =>
  redigested(`${lines.map((one) => JSON.stringify(one)).join('\n')}\n`);

async function merged(text: string) {
  writeFileSync(join(folder, 'j.jsonl'), text);
  const done = await remora(['merge', 'j.jsonl'], { cwd: folder });
  expect(done.stderr).not.toMatch(STACK_TRACE);
  return done;
}

describe('the results of a campaign', () => {
  test('are reported where all is there', async () => {
    const { code, stdout } = await merged(textOf(HEADER, line(0, 100), line(100, 200)));
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^200 programs [^]*no disagreement/)]);
  });

  const more = { ...line(100, 200), job: 'b' };
  test.each<[string, readonly object[], RegExp]>([
    [
      'a range twice',
      [line(0, 100), { ...line(0, 100), job: 'b' }],
      /^j: the ranges 0 to 100 and 0 to 100 overlap$/,
    ],
    [
      'ranges that overlap',
      [line(0, 100), line(50, 150)],
      /^j: the ranges 0 to 100 and 50 to 150 overlap$/,
    ],
    ['a job twice', [line(0, 100), { ...more, job: '0' }], /^j:3: its job is there twice$/],
    ['more than the run', [line(100, 300)], /^j:2: it is about more than the run$/],
    [
      'fewer programs than the range',
      [{ ...line(0, 100), programs: 50 }],
      /^j:2: not all programs of its range were compared$/,
    ],
    [
      'a count that is too high',
      [{ ...line(0, 100), events: [[3, 1000]] }],
      /^j:2: it counts more than its programs$/,
    ],
    ['other ways', [line(0, 100), { ...more, comparisons: [] }], /^j:3: it compares other ways$/],
    [
      'a field that is missing',
      [{ ...line(0, 100), comparisons: [{}] }],
      /^j:2: not what agree found out about a range$/,
    ],
    ['no job', [{}], /^j:2: not a line about a job$/],
  ])('%s is an error', async (_, lines, message) => {
    const { code, stdout, stderr } = await merged(textOf(HEADER, ...lines));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.trim().replace('j.jsonl', 'j')).toMatch(message);
  });

  test('a line that was changed is an error', async () => {
    const text = textOf(HEADER, line(0, 100), line(100, 200));
    const { code, stdout, stderr } = await merged(text.replace('"states":7', '"states":8'));
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      'j.jsonl:2: this line was changed, or stood elsewhere: its digest is another one\n',
    ]);
  });
});
