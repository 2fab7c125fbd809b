import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import type { Answer } from '../../src/check/result.js';
import { parseLitmus } from '../../src/index.js';
import type { Test } from '../../src/program/program.js';
import { compareText } from '../../src/report/compare.js';
import { modelTable } from '../../src/report/model-table.js';
import type { VerdictRecord } from '../../src/report/record.js';
import { shortNames } from '../../src/report/short-names.js';
import { testTable } from '../../src/report/test-table.js';
import type { CorpusFile } from '../support/corpus.js';
import { CLIENTS, PLAIN_FILES } from '../support/corpus.js';
import { valueOf } from '../support/litmus.js';
import { remora } from '../support/run.js';

/** Tables on terminals of any width. */

const MODELS = ['sc', 'rdma-sc', 'rdma-tso', 'rdma-tso-nopcie', 'rdma-wait', 'x86-tso'];

const read = ({ file, text }: CorpusFile): Test => valueOf(parseLitmus(text, file));
const CORPUS = PLAIN_FILES.map(read);
const clients = CLIENTS.map(read);

/** Records with answers that take much room. */
const recordsOf = (
  tests: readonly Test[],
  models: readonly string[],
  verdict: Answer['verdict'] = 'forbidden',
): readonly VerdictRecord[] =>
  tests.flatMap((t) =>
    models.map((model) => {
      const answers = t.queries.map((_, query): Answer => ({
        query,
        verdict,
        upTo: 3,
        flags: [],
        milliseconds: 1,
      }));
      return { test: t, source: { path: t.file, text: '' }, model, answers };
    }),
  );

const widest = (text: string): number =>
  Math.max(...text.split('\n').map((line) => stringWidth(line)));

const texts = CORPUS.flatMap((t) =>
  t.queries.map((q) =>
    q.quantifier === 'exists'
      ? q.text
      : q.quantifier === 'deadlock'
        ? 'no deadlock'
        : `${q.quantifier} ${q.text}`,
  ),
);

describe('the table of test', () => {
  const table = (columns: number): string => testTable(recordsOf(CORPUS, MODELS), MODELS, columns);

  test.each([60, 80, 100, 120, 160])('of the corpus fits %i columns', (columns) => {
    expect(CORPUS.length).toBeGreaterThan(150);
    const text = table(columns);
    expect(widest(text)).toBeLessThanOrEqual(columns);
    // Every query is there, with all its models in its first line.
    const rows = text.split('\n').filter((line) => /(○\^.*){5}/.test(line));
    expect(rows).toHaveLength(texts.length);
  });

  test.each([60, 80, 100, 120, 160])('of clients fits %i columns', (columns) => {
    const records = clients.flatMap((client) =>
      recordsOf(
        [client],
        client.models!.map(({ name }) => name),
      ),
    );
    const text = testTable(records, MODELS, columns);
    expect(widest(text)).toBeLessThanOrEqual(columns);
    // Every client is there, and each of its queries has a verdict of each of its models.
    for (const { name } of clients) expect(text).toContain(`\n${name.slice(0, 4)}`);
    const verdicts = clients.reduce((sum, c) => sum + c.queries.length * c.models!.length, 0);
    expect(text.match(/○\^/g)).toHaveLength(verdicts);
  });

  test('has short heads at 80 columns, and says what they mean', () => {
    const lines = table(80).split('\n');
    expect(lines[0]).toMatch(
      /^test +outcome +sc {3,4}rs {2,3}rt {2,3}rtn {1,2}rw {2,3}xt {2,3}seen$/,
    );
    expect(lines).toContain(
      'rs rdma-sc  rt rdma-tso  rtn rdma-tso-nopcie  rw rdma-wait  xt x86-tso',
    );
  });

  test.each([160, Infinity])('breaks no condition and no name at %d columns', (columns) => {
    const lines = table(columns).split('\n');
    for (const [i, text] of texts.entries()) {
      expect(
        lines.some((line) => line.includes(text)),
        `${i}: ${text}`,
      ).toBe(true);
    }
    for (const { name } of CORPUS) expect(lines.some((line) => line.startsWith(name))).toBe(true);
    expect(lines[1]).toMatch(/^ +sc +tso +nopcie +wait +tso$/);
  });

  test.each([59, 40])('is a list on %i columns', (columns) => {
    const text = table(columns);
    expect(widest(text)).toBeLessThanOrEqual(columns);
    expect(text.match(/^ {2}\S+ {2,4}rdma-tso-nopcie$/gm)).toHaveLength(texts.length);
    expect(text).toContain('CPU-SB: a = 0 /\\ b = 0\n  ○^');
    expect(text).toMatch(/^ {2}no {2,3}seen$/m);
  });
});

describe('a table with models of one’s own', () => {
  const [sb] = CORPUS.filter((t) => t.name === 'CPU-SB');
  const many = Array.from({ length: 30 }, (_, i) => `variant-${i}-of-mine`);

  test('has no room for thirty: it is a list', () => {
    const text = testTable(recordsOf([sb], many), many, 100);
    expect(text).toMatch(/^CPU-SB: a = 0/m);
    expect(text.match(/^ {2}○\^ {2}variant-\d+-of-mine$/gm)).toHaveLength(30);
  });

  test('has short heads that differ', () => {
    const text = testTable(recordsOf([sb], many), many, 210);
    expect(widest(text)).toBeLessThanOrEqual(210);
    const [head] = text.split('\n');
    const heads = head.split(/ +/).slice(2, -1);
    expect(new Set(heads).size).toBe(30);
    heads.forEach((short, i) => expect(text).toContain(`${short} ${many[i]}`));
  });

  test('of compare fits, too', () => {
    const models = ['weak-puts-with-a-name-that-is-long', 'weak-puts-with-another-one'] as const;
    const records = [
      ...recordsOf(CORPUS, [models[0]]),
      ...recordsOf(CORPUS, [models[1]], 'allowed'),
    ];
    for (const columns of [50, 80]) {
      const table = compareText(records, [...models], columns)
        .split('\n')
        .slice(0, -2)
        .join('\n');
      expect(widest(table)).toBeLessThanOrEqual(columns);
    }
    expect(compareText(records, [...models], 80)).toMatch(
      /^CPU-SB +exists \(.*forbidden +allowed$/m,
    );
    expect(compareText(records, [...models], Infinity)).toContain(
      `${texts.length} of ${texts.length} verdicts differ`,
    );
  });
});

test('wide letters take two columns, and a word without breaks is cut', () => {
  const rows = [['網路-測試-程式-讀寫-順序-問題', 'x'.repeat(90), '●', '○', '']];
  const models = ['模型-甲', '模型-乙'];
  const text = modelTable({ models, heads: models, rest: ['seen'], rows }, 60);
  expect(widest(text)).toBeLessThanOrEqual(60);
  expect(text.replace(/[^x]/g, '')).toHaveLength(90);
  expect(text).toContain('模甲 模型-甲  模乙 模型-乙');
});

test.each([
  [MODELS, ['sc', 'rs', 'rt', 'rtn', 'rw', 'xt']],
  [
    ['rdma-sc', 'rdma-seq', 'rdma-secret'],
    ['rs', 'rse', 'rsec'],
  ],
  [
    ['long-name', 'long_name', 'long.name', 'ln'],
    ['lna', 'lnam', 'lname', 'ln'],
  ],
  [
    ['a-b-c', 'abcde', 'a.b_c'],
    ['abc', 'a', '1'],
  ],
  [
    ['-----', '_____', '1'],
    ['2', '3', '1'],
  ],
])('short names of %j', (names, expected) => {
  expect(shortNames(names)).toEqual(expected);
});

test('COLUMNS tells the command how wide it may be', async () => {
  const args = ['test', 'test/files/tests', '--jobs', '1'];
  const narrow = await remora(args, { env: { COLUMNS: '64' } });
  expect(widest(narrow.stdout.split('\n\n')[0])).toBeLessThanOrEqual(64);
  expect(narrow.stdout).toContain('rtn rdma-tso-nopcie');
  const list = await remora(args, { env: { COLUMNS: '30' } });
  expect(list.stdout).toContain('SB: a = 0 /\\ b = 0\n  ○   sc\n');
  const odd = await remora(args, { env: { COLUMNS: '0' } });
  expect(odd.stdout).toContain('rdma-  rdma-  rdma-tso-');
});
