import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { headToFill } from '../../src/c/fill.js';
import { loadC } from '../../src/node/c.js';

/** What corpus/c/functions/README.md says of the heads that are printed. */

await loadC();

const FOLDER = 'corpus/c/functions';
const ROW = /^\| \[([\w-]+)\]\(\S+\) \|[^|]*\| \d+ \| (\d+)(\*?) \| (\d+) \|/gm;
const rows = [...readFileSync(`${FOLDER}/README.md`, 'utf8').matchAll(ROW)];

/** Without the comment that is its head. */
const bare = (text: string): string => text.replace(/\/\* RDMA [^]*?\*\/\n/, '');

test.each(rows.map(([, name, gaps, star, lines]) => [name, gaps, star, lines]))(
  '%s: %s gaps%s, %s lines filled in',
  (name, gaps, star, lines) => {
    const path = `${FOLDER}/${name}.c`;
    const text = readFileSync(path, 'utf8');
    const { value, errors } = headToFill({ path, text: bare(text) });
    if (value === undefined) throw new Error(errors[0].message);
    // The question is one more.
    expect(value.gaps).toBe(Number(gaps) + 1);
    expect(value.refused.length > 0).toBe(star === '*');
    expect(Number(lines)).toBeLessThanOrEqual(15);
  },
);

test('all files have a row', () => {
  expect(rows).toHaveLength(12);
});
