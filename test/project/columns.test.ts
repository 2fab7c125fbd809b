import { readFileSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { fewest } from '../../scripts/columns/choose.js';
import { FOLDER, columnFile } from '../../scripts/columns/file.js';
import { FABRIC_MODELS } from '../../src/model/fabrics.js';
import { remora } from '../support/run.js';

/** docs/columns.md and corpus/columns: the fewest questions that tell all fabrics apart. */

const page = readFileSync('docs/columns.md', 'utf8');
const [table] = page.split('\n## ');
const [head, , ...rows] = table.split('\n').filter((line) => line.startsWith('| '));
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

test('the folder has its questions, each as it stands in the file that it is from', () => {
  expect(readdirSync(FOLDER).sort()).toEqual(files.map((file) => basename(file)).sort());
  for (const [i, path] of files.entries()) {
    const text = readFileSync(path, 'utf8');
    const file = /^# The question is one of (\S+);/m.exec(text)![1];
    const own = readFileSync(file, 'utf8');
    const query = /^exists .*$/m.exec(text)![0];
    expect(own.split('\n')).toContain(query);
    const verdicts = FABRIC_MODELS.map((name) => {
      const mark = marks.get(name)![i];
      return mark === '–' ? undefined : mark === '●';
    });
    expect(text).toBe(
      columnFile({ ...{ file, query, verdicts, size: 0 }, test: basename(path, '.litmus') }),
    );
  }
});

test('a fabric that is seen as far as possible leaves those that allow as much', () => {
  const [, section] = /## What can be learned([^]*?)\n## /.exec(page)!;
  for (const [name, own] of marks) {
    const left = [...marks].flatMap(([other, cells]) =>
      other !== name && own.every((cell, i) => cell !== '●' || cells[i] !== '○') ? [other] : [],
    );
    const row = section.split('\n').find((line) => line.startsWith(`| \`${name}\` |`))!;
    const said = row.split('|')[3].trim();
    const others = left.length === 0 ? 'none' : left.map((one) => `\`${one}\``).join(', ');
    expect(said, name).toBe(left.length === FABRIC_MODELS.length - 1 ? 'all' : others);
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
