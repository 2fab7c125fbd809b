import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ALL } from '../support/random.js';

const page = readFileSync('docs/locks.md', 'utf8');

/** The tables of the page, by name. */
const written = new Map(
  [...page.matchAll(/<!-- table: (\w+) -->\n\n([^]*?)\n\n<!-- end of table -->/g)].map(
    ([, name, text]) => [name, text],
  ),
);

/** Those that only `npm run golden` has the time for. */
const SLOW = ['large', 'twice'];
const COSTS = ['costs'];
const ENTRIES = ['entries'];

/** The tables of a group (scripts/locks.ts) are those of the page with some names. */
function expectTables(group: string, names: readonly string[]): void {
  const args = ['--import', 'tsx', 'scripts/locks.ts', '--print', group];
  const printed = execFileSync(process.execPath, args, { encoding: 'utf8' });
  expect(names.map((name) => written.get(name)).join('\n\n')).toBe(printed.trim());
}

// What is in them stands in the files, too, and the corpus is tested for that: the tables are compared by hand, like those of costs and entries.
test.runIf(ALL)(
  'the tables of docs/locks.md about corpus/locks are what Remora decides (npm run golden)',
  () => {
    expectTables(
      'small',
      [...written.keys()].filter((name) => ![...SLOW, ...COSTS, ...ENTRIES].includes(name)),
    );
  },
  300_000,
);

test.runIf(ALL)(
  'the table of what locks cost is what Remora decides (npm run golden)',
  () => expectTables('costs', COSTS),
  300_000,
);

test.runIf(ALL)(
  'the table of who gets in is what Remora decides (ALock paper, StarvationFree, DeadAndLivelockFree, ExecsCriticalSectionInfinitelyOften)',
  () => expectTables('entries', ENTRIES),
  300_000,
);

test('a lone remote thread of ALock takes four remote operations (ALock paper, §3.1)', () => {
  const rows = written
    .get('costs')!
    .split('\n')
    .filter((row) => row.includes('ALock'));
  const alone = rows.map((row) => row.split(' | ')[1]);
  expect(rows.map((row) => row.includes('remote'))).toEqual([false, true, true]);
  expect(alone).toEqual(['0', '4', '4']);
});

test('locks do under other hardware what their files expect', () => {
  const files = readdirSync('corpus/locks').filter((_, i) => ALL || i % 8 === 0);
  const paths = files.map((name) => `corpus/locks/${name}`);
  const asked = [...paths, '-m', 'rdma-ro,rdma-manpage,rdma-wait', '--json'];
  const printed = execFileSync(process.execPath, ['dist/cli/main.cjs', 'test', ...asked], {
    encoding: 'utf8',
    stdio: 'pipe',
    // Runs are told step by step.
    maxBuffer: 2 ** 28,
  });
  type Answer = { readonly verdict?: string; readonly expected?: string; readonly model: string };
  const answers = printed.split('\n', printed.match(/\n/g)!.length);
  const expected = answers
    .map((line) => JSON.parse(line) as Answer)
    .filter((answer) => answer.expected !== undefined);
  for (const model of ['rdma-ro', 'rdma-manpage', 'rdma-wait']) {
    expect(expected.filter((answer) => answer.model === model).length).toBeGreaterThan(
      ALL ? 20 : 1,
    );
  }
  for (const answer of expected) expect(answer).toMatchObject({ verdict: answer.expected });
}, 180_000);

test('the table of large locks says what their files expect', () => {
  const rows = written.get('large')!.split('\n').slice(2);
  expect(rows).toHaveLength(18);
  for (const row of rows) {
    const [, file, query, verdict] = /`(.*?)` \| `(?:no )?(.*?)` \| (\w+)/.exec(row)!;
    const source = readFileSync(`bench/locks/${file}.litmus`, 'utf8');
    const below = source.slice(source.indexOf(`\n${query}\n`) + query.length + 2);
    const lines = /^(?: {2}.*\n)*/.exec(below)![0].split('\n');
    const expected = lines.find((line) => /\brdma-tso\b(?!-)/.test(line));
    expect(`${file}: ${query} ${expected}`).toContain(` ${verdict} under `);
  }
});

test('explored without bounds and solved with each thread once, ALock is the same', () => {
  const rows = written.get('twice')!.split('\n').slice(2);
  expect(rows).toHaveLength(4);
  for (const row of rows) expect(row).not.toContain('but once');
});

/** Both engines of the solver, on what ALock does if each thread takes it once. Fails where an answer is not the expected one. */
test.each([
  ['search', 'corpus', /-once-/, 'sc,rdma-sc,rdma-tso,rdma-tso-nopcie'],
  ['smt', 'corpus', /-once-/, 'sc,rdma-sc,rdma-tso,rdma-tso-nopcie'],
  ['search', 'bench', /-once-/, 'sc,rdma-tso,rdma-tso-nopcie'],
  ['smt', 'bench', /-once-2-1/, 'rdma-tso'],
])(
  '%s says of ALock once, in %s/locks, what is expected: %s',
  (engine, folder, wanted, models) => {
    const files = readdirSync(`${folder}/locks`).filter((name) => wanted.test(name));
    const paths = files.map((name) => `${folder}/locks/${name}`);
    const printed = execFileSync(
      process.execPath,
      ['dist/cli/main.cjs', 'check', ...paths, '-m', models, '--engine', engine],
      { encoding: 'utf8', stdio: 'pipe' },
    );
    const answers = printed.match(/^ {4}\w.*/gm)!;
    expect(answers.length).toBeGreaterThan(2);
    for (const answer of answers) expect(answer).toMatch(/^ {4}(allowed|forbidden).*as expected$/);
  },
  180_000,
);
