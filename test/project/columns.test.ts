import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fewest } from '../../scripts/columns/choose.js';
import { FABRIC_MODELS } from '../../src/model/fabrics.js';
import { remora } from '../support/run.js';

/** docs/columns.md: the fewest questions that tell all fabrics apart. */

const page = readFileSync('docs/columns.md', 'utf8');
const [head, , ...rows] = page.split('\n').filter((line) => line.startsWith('| '));
const files = [...head.matchAll(/\(\.\.\/([^)]+)\)/g)].map(([, file]) => file);
const marks = new Map(
  rows.map((row) => {
    const [, name, ...cells] = row.split('|').map((cell) => cell.trim());
    return [name.replaceAll('`', ''), cells.slice(0, files.length)] as const;
  }),
);

test('its table is what is computed', async () => {
  expect([...marks.keys()]).toEqual(FABRIC_MODELS);
  const { stdout } = await remora(['check', ...files, '-m', FABRIC_MODELS.join(), '--json']);
  const lines = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  const queries = [...page.matchAll(/^exists .*$/gm)].map(([query]) => query);
  for (const [name, cells] of marks) {
    const found = files.map((file, i) => {
      const verdict = lines.find(
        (line) => line.file === file && line.model === name && line.query === queries[i],
      )?.verdict;
      return verdict === 'allowed' ? '●' : verdict === 'forbidden' ? '○' : '–';
    });
    expect(cells, name).toEqual(found);
  }
});

test('for each two fabrics there is one that one of them allows, and the other forbids', () => {
  for (const a of FABRIC_MODELS) {
    for (const b of FABRIC_MODELS) {
      if (a === b) continue;
      const told = files.some((_, i) => ['●○', '○●'].includes(marks.get(a)![i] + marks.get(b)![i]));
      expect(told, `${a} and ${b}`).toBe(true);
    }
  }
});

test('the fewest are chosen, and of as few the smallest', () => {
  const column = (name: string, size: number, verdicts: readonly boolean[]) => ({
    ...{ file: name, test: name, query: 'exists', size, verdicts },
  });
  const [T, F] = [true, false];
  const all = [
    column('one', 1, [T, F, F, F]),
    column('two', 1, [F, T, F, F]),
    column('three', 1, [F, F, T, F]),
    column('half', 5, [T, T, F, F]),
    column('other half', 4, [T, F, T, F]),
    column('same half', 9, [F, F, T, T]),
  ];
  expect(
    fewest(all)
      .map(({ test: name }) => name)
      .sort(),
  ).toEqual(['half', 'other half']);
});
