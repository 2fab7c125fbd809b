import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HANG, MODELS, TESTS, some } from '../support/fuzzing.js';
import { bytes, mutants, soups } from '../support/mutations.js';
import { ALL } from '../support/random.js';
import { STACK_TRACE, remora } from '../support/run.js';

/** The command line on broken files and odd words: always an exit code of the table, and never a stack trace. */

const TEST = 'RDMA t node 1 { x = 0 } thread T on 1 { x := 1 } exists (x = 1)\n';

/** Files of tests are most of the time. */
const many = (all: number): number => (ALL ? all : all * 0.4);

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'remora-fuzz-'));
  mkdirSync(join(folder, 'tests'));
  const write = (name: string, content: string | Uint8Array): void =>
    writeFileSync(join(folder, name), content);
  const texts = [...some(mutants(TESTS), many(120)), ...some(soups(TEST), many(30))];
  [...texts, ...some(bytes(TESTS), many(50))].forEach((t, i) => write(`tests/${i}.litmus`, t));
  [...some(mutants(MODELS), 40), ...some(bytes(MODELS), 20)].forEach((m, i) =>
    write(`m${i}.cat`, m),
  );
  write('good.litmus', TEST);
});

afterAll(() => rmSync(folder, { recursive: true }));

/** What a mistake in a file looks like; the lines with the place and the caret follow. */
const POSITIONED =
  /^\S+(:\d+:\d+: \S|: not UTF-8 text: .* line \d+, column \d+$|: the file is empty$)/;
const EXCERPT = /^ *\d* \| |^ {2}/;

async function run(args: readonly string[]): Promise<{ code: number; lines: readonly string[] }> {
  const { code, stderr, stdout } = await remora(args, { cwd: folder });
  const said = JSON.stringify(args);
  expect(stderr, said).not.toMatch(STACK_TRACE);
  expect(stdout + stderr, said).not.toContain('internal error');
  expect([0, 1, 2, 3], said).toContain(code);
  const lines = stderr.split('\n').filter((line) => line !== '' && !EXCERPT.test(line));
  for (const line of lines) expect(line, said).not.toMatch(/\bundefined\b(?!_)|\bNaN\b|\[object/);
  return { code: code!, lines };
}

test.each([
  ['check', ['--jobs', '1']],
  ['check', ['--json', '--jobs', '2', '--bound', '1']],
  ['outcomes', ['--jobs', '1', '--bound', '1']],
] as const)('%s of a folder of broken files, %s', { timeout: HANG }, async (command, options) => {
  const { code, lines } = await run([command, 'tests', '--time-limit', '1', ...options]);
  expect(code).toBe(2);
  expect(lines.length).toBeGreaterThan(many(100));
  const untranslatable = / cannot be translated for /;
  for (const line of lines) if (!untranslatable.test(line)) expect(line).toMatch(POSITIONED);
});

test('broken models', { timeout: HANG }, async () => {
  const models = Array.from({ length: 60 }, (_, i) => ['-m', `m${i}.cat`]).flat();
  const { code, lines } = await run(['check', 'good.litmus', '--jobs', '1', ...models]);
  expect(code).toBe(2);
  expect(lines.length).toBeGreaterThan(20);
  for (const line of lines) if (!/ has no axioms: /.test(line)) expect(line).toMatch(POSITIONED);
});

test('odd command lines', { timeout: HANG }, async () => {
  const value = fc.constantFrom(
    ...['1', '2', '0', '-1', '1e3', '0x2', '1.5', 'NaN', 'Infinity', '', ' ', '٣', 'sc', 'tests'],
    ...['9'.repeat(30), '9'.repeat(400), 'good.litmus', 'rdma-tso', 'sc,sc', ',', './m0.cat', '/'],
    ...[
      '../../../x',
      '__proto__',
      'constructor',
      '--',
      '-',
      '--json',
      '\u001B[2J',
      'é'.repeat(999),
    ],
  );
  const option = fc.oneof(
    fc.constantFrom('--json', '--herd', '--markdown', '--all', '-h', '-V', '--no-json', '-mm'),
    fc.tuple(fc.constantFrom('--bound', '--time-limit', '-m', '--model'), value),
    fc
      .tuple(fc.constantFrom('--bound=', '--time-limit=', '-m', '--model='), value)
      .map((p) => p.join('')),
  );
  const command = fc.constantFrom(
    'check',
    'test',
    'compare',
    'fabrics',
    'tidy',
    'outcomes',
    'help',
    '',
    'constructor',
  );
  const words = fc
    .tuple(command, fc.array(fc.oneof(option, fc.constant('good.litmus'), value), { maxLength: 5 }))
    .map(([first, rest]) => [first, ...rest.flat()]);
  for (const args of some(words, 24)) {
    // Not the commands that would search the whole disk, or decide the corpus.
    if (args.includes('/') || (args[0] === 'test' && !args.includes('tests'))) continue;
    await run([...args, '--jobs', '1']);
  }
});
