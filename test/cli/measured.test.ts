import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FABRIC_MODELS } from '../../src/model/fabrics.js';
import { observedSubjects, subjectName } from '../../src/program/subjects.js';
import { litmus, states } from '../support/checker.js';
import { ROOT, remora } from '../support/run.js';

/** `remora measured`: its files, its exit codes, and what follows of cards that show all that a fabric allows. */

const folder = mkdtempSync(join(tmpdir(), 'remora-measured-'));
afterAll(() => rmSync(folder, { recursive: true }));

const COLUMNS = join(ROOT, 'corpus/columns');
const TEXTS = readdirSync(COLUMNS).map((file) => readFileSync(join(COLUMNS, file), 'utf8'));

/** The results of a card that shows each final state that a fabric allows, once. */
function allOf(fabric: string): string {
  const card = {
    ...{ remora: 'results 1', card: 'card', vendor: 0, part: 0, firmware: fabric, driver: 'd' },
    ...{ cpu: 'c', link: 'ethernet', processes: 2, relaxed: false, pinned: true },
    ...{ rounds: 9, seed: 1 },
  };
  const tests = TEXTS.map((program) => {
    const { name, ...read } = litmus(program);
    const names = observedSubjects(read).map((s) => subjectName(read.program, s, true));
    const leftOut = fabric === 'rdma-srd' && /rfaa|send/.test(program) ? 'no such verb' : undefined;
    const all = leftOut === undefined ? states(program, fabric) : [];
    const seen = all.map((state) => {
      const values = [...state.matchAll(/=(-?\d+)/g)].map(([, value]) => Number(value));
      return { seen: Object.fromEntries(names.map((one, i) => [one, values[i]])), times: 1 };
    });
    return [{ test: name, rounds: seen.length, dropped: 0, leftOut, program }, ...seen];
  });
  const lines = [card, ...tests.flat(), { tests: tests.length }];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

const fileOf = (fabric: string): string => join(folder, `${fabric}.jsonl`);

beforeAll(() => {
  for (const fabric of FABRIC_MODELS) writeFileSync(fileOf(fabric), allOf(fabric));
});

test('which column a card can be is what docs/columns.md says', async () => {
  const page = readFileSync(join(ROOT, 'docs/columns.md'), 'utf8');
  const { stdout, code } = await remora(['measured', ...FABRIC_MODELS.map(fileOf)]);
  expect(code).toBe(0);
  const found = [...stdout.matchAll(/it can be ([^.]*)\./g)].map(([, names]) =>
    names.split(/,\s+|\s+and\s+/).filter((name) => FABRIC_MODELS.includes(name)),
  );
  const told = FABRIC_MODELS.map((fabric) => {
    const [, , , left] = page
      .split('\n')
      .filter((line) => line.startsWith(`| \`${fabric}\` |`))[1]
      .split('|');
    const others = [...left.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
    const all = left.trim() === 'all' ? FABRIC_MODELS : [fabric, ...others];
    return FABRIC_MODELS.filter((name) => all.includes(name));
  });
  expect(found).toEqual(told);
}, 60_000);

test('a card that shows what a fabric allows can be that fabric', async () => {
  const { stdout, code } = await remora(['measured', fileOf('rdma-ro'), '-m', 'rdma-ro']);
  expect(code).toBe(0);
  expect(stdout).toContain('Left: rdma-ro. Refuted: none.');
  expect(stdout).not.toContain('FORBIDDEN');
});

test('of what a named model forbids the first eight are explained', async () => {
  const args = ['measured', fileOf('rdma-srd'), '-m', 'rdma-manpage,rdma-tso,rdma-nics'];
  const { stdout, code } = await remora(args);
  expect(code).toBe(1);
  const all = stdout.split(/^FORBIDDEN AND SEEN: /m).slice(1);
  expect(all.length).toBeGreaterThan(8);
  const isExplained = all.map((one) => /^ {2}\S+ under rdma-(?:manpage|tso|nics)$/m.test(one));
  expect(isExplained).toEqual(all.map((_, i) => i < 8));
  expect(stdout.match(/Explained by\s+--json\./g)).toHaveLength(all.length - 8);
});

test('a file that is cut off counts nothing, and the others do', async () => {
  const cut = join(folder, 'cut.jsonl');
  writeFileSync(cut, allOf('rdma-tso').split('\n').slice(0, -3).join('\n'));
  const args = ['measured', cut, fileOf('rdma-manpage'), '-m', 'rdma-manpage'];
  const { stdout, stderr, code } = await remora(args);
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /cut\.jsonl:\d+:\d+: cut off: the last line, with the number of tests, is missing\n/,
  );
  expect(stdout).not.toContain('card 2');
  rmSync(cut);
});

test('a file counts once, whatever its name', async () => {
  const copy = join(folder, 'copy.jsonl');
  writeFileSync(copy, allOf('rdma-tso'));
  const args = ['measured', fileOf('rdma-tso'), copy, '-m', 'rdma-tso'];
  const { stdout, stderr, code } = await remora(args);
  expect([stderr, code]).toEqual([
    `${copy}: has what ${fileOf('rdma-tso')} has, and counts once\n`,
    0,
  ]);
  expect(stdout).toContain('8 tests');
  expect(stdout).toMatch(/ 1\/2$/m);
  rmSync(copy);
});

test('what is no results, too large, or not there', async () => {
  const huge = join(folder, 'huge.jsonl');
  writeFileSync(huge, Buffer.alloc(2 ** 26 + 1, 'a'));
  const { stdout, stderr, code } = await remora(['measured', huge, 'package.json', 'nowhere']);
  expect([stdout, code]).toEqual(['', 2]);
  expect(stderr).toBe(
    `${huge}: larger than 64 MB\n` +
      'package.json:1:1: no results of a card: the first line should begin with {"remora":"results 1", as programs of remora emit write it\n' +
      '1 | {\n  | ^\n' +
      'nowhere: no such file or folder\n',
  );
  rmSync(huge);
});

test('what is not decided in time refutes nothing', async () => {
  const all = Array.from({ length: 12 }, (_, i) => i);
  const program = [
    ...['RDMA many', 'node 1 {}', `node 2 { ${all.map((i) => `x${i} = 0`).join('; ')} }`],
    ...[1, 2].map((t) => `thread T${t} on 1 { ${all.map((i) => `x${i}^2 := ${t}`).join('; ')} }`),
    `thread T3 on 2 { ${all.map((i) => `r${i} := x${i}`).join('; ')} }`,
  ].join('\n');
  const [card] = allOf('rdma-tso').split('\n');
  const names = [...all.map((i) => `x${i}`), ...all.map((i) => `T3:r${i}`)];
  const lines = [
    { test: 'many', rounds: 1, dropped: 0, program },
    { seen: Object.fromEntries(names.map((name) => [name, 9])), times: 1 },
    { tests: 1 },
  ];
  const many = join(folder, 'many.jsonl');
  writeFileSync(many, [card, ...lines.map((line) => JSON.stringify(line))].join('\n'));
  const { stdout, code } = await remora(['measured', many, '-m', 'rdma-tso', '--time-limit', '1']);
  expect(code).toBe(3);
  expect(stdout).toContain('Left: rdma-tso. Refuted: none.');
  expect(stdout).not.toContain('FORBIDDEN');
  rmSync(many);
});
