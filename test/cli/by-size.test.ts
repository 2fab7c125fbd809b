import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { MAIN, remora, shell, withoutTimes } from '../support/run.js';
import { QUICK } from '../support/random.js';
import { redigested } from '../support/results.js';

/** `--resume` of commands that go through all programs by size. */

const folder = mkdtempSync(join(tmpdir(), 'remora-by-size-'));
afterAll(() => rmSync(folder, { recursive: true }));

const pathOf = (name: string): string => join(folder, name);
const linesOf = (name: string): readonly string[] =>
  readFileSync(pathOf(name), 'utf8').split('\n').slice(0, -1);

async function run(...words: readonly string[]) {
  const { code, stdout, stderr } = await remora(words, { cwd: folder });
  return { code, stderr, stdout: withoutTimes(stdout) };
}

const MINIMAL = ['synthesise', 'rdma-tso', '--calls', '2', '--operations', 'put,get'];

const RUNS: readonly (readonly [string, readonly string[], number])[] = [
  ['synthesise', MINIMAL, 0],
  ['distinguish', ['distinguish', 'rdma-tso', 'rdma-ro', '--operations', 'put'], 1],
  ['all', ['distinguish', 'rdma-ro', 'rdma-tso', '--all', '--operations', 'put', '--json'], 1],
  [
    'both',
    [
      'distinguish',
      'rdma-ro',
      'rdma-ooo-rw',
      '--both',
      '--operations',
      'put,get',
      '--calls',
      '2',
      '--no-tags',
    ],
    1,
  ],
  ['equal', ['distinguish', 'rdma-tso', 'rdma-tso-rec', '--calls', '2', '--operations', 'put'], 0],
  ['table', ['distinguish', 'rdma-tso', 'rdma-ro', 'rdma-manpage', '--operations', 'put'], 1],
];

describe.each(QUICK ? RUNS.slice(0, 2) : RUNS)('%s', (name, words, code) => {
  const file = `${name}.jsonl`;

  test('a run that ends at any moment goes on, and reports the same', async () => {
    const whole = await run(...words);
    expect(whole.code).toBe(code);
    expect(await run(...words, '--resume', file)).toEqual(whole);
    const text = readFileSync(pathOf(file), 'utf8');
    for (const part of QUICK ? [0.6] : [0, 0.3, 0.6, 0.95, 1]) {
      writeFileSync(pathOf(file), text.slice(0, Math.floor(part * text.length)));
      const kept = linesOf(file);
      expect(await run(...words, '--resume', file)).toEqual(whole);
      // What the file has is not computed again, and nothing is there twice.
      expect(linesOf(file).slice(0, kept.length)).toEqual(kept);
      const jobs = linesOf(file).map((line) => (JSON.parse(line) as { from?: number }).from);
      expect(new Set(jobs).size).toBe(jobs.length);
    }
  });
});

test('what a file has is not computed again', async () => {
  const text = readFileSync(pathOf('synthesise.jsonl'), 'utf8');
  const more = redigested(text.replace(/"programs":([1-9])/, '"programs":10$1'));
  writeFileSync(pathOf('more.jsonl'), more);
  const { stdout } = await run(...MINIMAL, '--resume', 'more.jsonl');
  expect(stdout).toMatch(/ of 143 programs of 2 calls/);
  expect(readFileSync(pathOf('more.jsonl'), 'utf8')).toBe(more);
});

describe('a file', () => {
  const refused = async (file: string, ...words: readonly string[]): Promise<string> => {
    const before = readFileSync(pathOf(file), 'utf8');
    const { code, stdout, stderr } = await run(...words, '--resume', file);
    expect([code, stdout]).toEqual([2, '']);
    expect(readFileSync(pathOf(file), 'utf8')).toBe(before);
    return stderr;
  };
  const [command, model, ...more] = MINIMAL;

  test.each([
    [[command, 'rdma-ro', ...more], /^models rdma-tso, not rdma-ro$/],
    [[...MINIMAL.slice(0, -1), 'put'], /^operations put, get, not put$/],
    [MINIMAL.slice(0, -2), /^operations put, get, not as usual$/],
    [[command, model, '--calls', '1', '--operations', 'put,get'], /^calls 2, not 1$/],
    [['distinguish', 'rdma-tso', 'rdma-ro'], /^command synthesise, not distinguish$/],
  ])('of another run is left alone: %j', async (words, what) => {
    const message = await refused('synthesise.jsonl', ...words);
    const begin = 'synthesise.jsonl: holds results of another run: ';
    expect(message.startsWith(begin)).toBe(true);
    expect(message.slice(begin.length).trim()).toMatch(what);
  });

  test('of another text of the model is left alone', async () => {
    const [first, ...rest] = linesOf('synthesise.jsonl');
    const other = first.replace(/"content":"\w{4}/, '"content":"0000');
    writeFileSync(pathOf('other.jsonl'), redigested(`${[other, ...rest].join('\n')}\n`));
    expect(await refused('other.jsonl', ...MINIMAL)).toBe(
      'other.jsonl: holds results of another run: another text of models\n',
    );
  });

  test('of something else is left alone', async () => {
    writeFileSync(pathOf('mine.txt'), 'mine\n');
    expect(await refused('mine.txt', ...MINIMAL)).toBe(
      'mine.txt: is no file of results of such a run: name another file\n',
    );
  });

  test.each([
    [
      'a line that was changed',
      (text: string) => text.replace(/"programs":\d/, '"programs":77'),
      /^x:2: this line was changed, or stood elsewhere/,
    ],
    [
      'a line twice',
      (text: string) => `${text}${text.split('\n')[1]}\n`,
      /^x:\d+: its job is there twice$/,
    ],
    [
      'what is no share',
      (text: string) => redigested(text.replace(/"programs":\d/, '"programs":-1')),
      /^x:2: not what synthesise found out about a range$/,
    ],
    [
      'a name that is a path',
      (text: string) => redigested(text.replace('"name":"put-put"', '"name":"../../put"')),
      /^x:\d+: not what synthesise found out about a range$/,
    ],
    [
      'fewer shares than it says',
      (text: string) => redigested(text.replace(/"to":\d+/, '"to":40')),
      /^x:2: not all shares of its range are there$/,
    ],
  ])('with %s is an error', async (_, change, message) => {
    const text = readFileSync(pathOf('synthesise.jsonl'), 'utf8');
    expect(change(text)).not.toBe(text);
    writeFileSync(pathOf('x'), change(text));
    expect((await refused('x', ...MINIMAL)).trim()).toMatch(message);
  });
});

test('tests are written from what a file has', async () => {
  const { code } = await run(...MINIMAL, '--resume', 'synthesise.jsonl', '-o', 'tests');
  expect(code).toBe(0);
  expect(existsSync(pathOf('tests/2-calls/put-get.litmus'))).toBe(true);
});

test.runIf(!QUICK).each([
  ['TERM', 130],
  ['KILL', 137],
])('a run that SIG%s ends goes on', async (signal, code) => {
  const words = 'synthesise rdma-tso --operations put,write';
  const file = `${signal}.jsonl`;
  const cut = await shell(
    `node ${MAIN} ${words} --jobs 2 --resume ${file} & pid=$!
     until [ -e ${file} ] && [ $(wc -l < ${file}) -gt 60 ]; do sleep 0.05; done; kill -${signal} $pid; wait $pid`,
    { cwd: folder },
  );
  expect(cut.code).toBe(code);
  const kept = linesOf(file);
  const whole = await run(...words.split(' '));
  expect(await run(...words.split(' '), '--resume', file)).toEqual(whole);
  expect(linesOf(file).slice(0, kept.length)).toEqual(kept);
});

test('what only one of two models has is said, unless one says what programs are made of', async () => {
  const usual = ['distinguish', 'rdma-tso', 'rdma-wait', '--calls', '1'];
  const { stdout } = await run(...usual);
  expect(stdout).toContain('mfence; poll not with rdma-wait;');
  expect((await run(...usual, '--operations', 'put,get')).stdout).not.toContain('not with');
});
