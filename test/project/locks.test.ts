import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const page = readFileSync('docs/locks.md', 'utf8');

/** The tables of the page, by name. */
const written = new Map(
  [...page.matchAll(/<!-- table: (\w+) -->\n\n([^]*?)\n\n<!-- end of table -->/g)].map(
    ([, name, text]) => [name, text],
  ),
);

test('the tables of docs/locks.md about corpus/locks are what Remora decides (npm run golden)', () => {
  const printed = execFileSync(process.execPath, ['scripts/locks.js', '--print'], {
    encoding: 'utf8',
  });
  const small = [...written].filter(([name]) => name !== 'large').map(([, text]) => text);
  expect(small.join('\n\n')).toBe(printed.trim());
}, 180_000);

test('the table of large locks says what their files expect', () => {
  const rows = written.get('large')!.split('\n').slice(2);
  expect(rows).toHaveLength(18);
  for (const row of rows) {
    const [, file, query, verdict] = /`(.*?)` \| `(.*?)` \| (\w+)/.exec(row)!;
    const source = readFileSync(`bench/locks/${file}.litmus`, 'utf8');
    const below = source.slice(source.indexOf(`\n${query}\n`) + query.length + 2);
    const lines = /^(?: {2}.*\n)*/.exec(below)![0].split('\n');
    const expected = lines.find((line) => /\brdma-tso\b(?!-)/.test(line));
    expect(`${file}: ${query} ${expected}`).toContain(` ${verdict} under `);
  }
});
