import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DOCUMENTS, proseOf, textOf } from '../support/documents.js';
import { ROOT } from '../support/run.js';
import { DEAREST, LONG } from '../support/long.js';

/** What documents say of the sources: folders and files that they name are there. */

const SOURCES = join(ROOT, 'src');

/** The folders of the sources, in the order in which the document about them has them. */
const FOLDERS = [
  ...proseOf('docs/architecture.md')
    .split('Folders in folders')[0]
    .matchAll(/^\| `(\w+)` \|/gm),
].map(([, name]) => name);

/** The texts in single backticks. */
const spansOf = (text: string): readonly string[] =>
  [...text.matchAll(/`([^`\n]+)`/g)].map(([, span]) => span);

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

test('the document about the sources has all of their folders', () => {
  const folders = readdirSync(SOURCES).filter((f) => statSync(join(SOURCES, f)).isDirectory());
  expect([...FOLDERS].sort()).toEqual(folders.sort());
});

/** A module is named with or without its ending, a folder with or without a stroke. */
const isSource = (path: string): boolean =>
  [path, `${path}.ts`].some((name) => existsSync(join(SOURCES, name)));

test.each([...DOCUMENTS, 'CONTRIBUTING.md'])('%s names sources that are there', (file) => {
  const path = new RegExp(`^(?:${FOLDERS.join('|')})/[\\w./-]+$`);
  const named = spansOf(proseOf(file)).filter((span) => path.test(span));
  expect(named.filter((span) => !isSource(span))).toEqual([]);
});

describe('the recipes', () => {
  const lists = [...textOf('CONTRIBUTING.md').matchAll(/^```\n(.*?)^```$/gms)].map(
    ([, list]) => list,
  );
  const paths = lists.flatMap((list) => [
    ...list.matchAll(/^((?:src|test|mutate|docs|corpus|models)\/\S+)/gm),
  ]);

  test('name files that are there', () => {
    const files = paths.map(([, path]) => path).filter((path) => !/[A-Z]{4}/.test(path));
    expect(files.length).toBeGreaterThan(80);
    expect(files.filter((path) => !isFile(join(ROOT, path)))).toEqual([]);
  });
});

const headers = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('README.md'),
);

test('every folder has a header', () => {
  expect(FOLDERS.filter((folder) => !headers.includes(join(folder, 'README.md')))).toEqual([]);
});

describe.each(headers)('src/%s', (header) => {
  const folder = dirname(header);
  const text = readFileSync(join(SOURCES, header), 'utf8');

  test('is short, and says what the folder is, takes, gives, and may import', () => {
    expect(text).toMatch(
      new RegExp(`^# ${folder}\n\n\\S.*\n\n- In: .*\n- Out: .*\n- May import: .*\n`),
    );
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(12);
  });

  test('names files that are there', () => {
    const named = spansOf(text).filter((span) => /^[\w-]+\.ts$|^[\w-]+\/([\w-]+\.ts)?$/.test(span));
    expect(named.filter((span) => !existsSync(join(SOURCES, folder, span)))).toEqual([]);
  });

  test('allows imports of earlier folders only', () => {
    const [, allowed] = /^- May import: (.*)$/m.exec(text)!;
    const own = FOLDERS.indexOf(folder.split('/')[0]);
    const earlier = FOLDERS.slice(0, folder.includes('/') ? own + 1 : own);
    const all = /^(nothing else|all) of `src`/.test(allowed);
    if (all) expect([0, FOLDERS.length - 1]).toContain(own);
    else expect(spansOf(allowed)).toEqual(earlier);
  });
});

describe('the tests', () => {
  const TESTS = join(ROOT, 'test');
  /** Folders of tests of more than one folder of the sources, and folders without tests. */
  const OTHERS = [
    'cards',
    'engines',
    'files',
    'mutate',
    'project',
    'site',
    'support',
    'transcripts',
  ];
  const entries = readdirSync(TESTS, { recursive: true, encoding: 'utf8' });
  const within = entries.filter((entry) => !OTHERS.includes(entry.split(sep)[0]));

  test('lie in folders like those of the sources', () => {
    const loose = entries.filter((entry) => !entry.includes(sep) && isFile(join(TESTS, entry)));
    expect(loose).toEqual([]);
    const folders = within.filter((entry) => entry.endsWith('.ts')).map(dirname);
    expect(folders.filter((folder) => !existsSync(join(SOURCES, folder)))).toEqual([]);
    const top = within.filter((entry) => !entry.includes(sep));
    expect(top.filter((folder) => !FOLDERS.includes(folder))).toEqual([]);
  });

  test('that take long are there', () => {
    expect([...LONG, ...DEAREST].filter((file) => !existsSync(file))).toEqual([]);
  });

  test('have cases as text in folders of their own, each with the test that runs them', () => {
    const texts = within.filter((entry) => entry.endsWith('.txt'));
    expect(texts.length).toBeGreaterThan(20);
    for (const folder of new Set(texts.map(dirname))) {
      const files = readdirSync(join(TESTS, folder));
      expect([folder, files.filter((file) => !file.endsWith('.txt'))]).toEqual([folder, []]);
      expect([folder, isFile(join(TESTS, `${folder}.test.ts`))]).toEqual([folder, true]);
    }
  });

  test('have the case that CONTRIBUTING.md shows', () => {
    const [shown] = /^# .*?(?=^```$)/ms.exec(
      textOf('CONTRIBUTING.md').split('### Cases as text')[1],
    )!;
    expect(readFileSync(join(TESTS, 'check/verdicts/cas.txt'), 'utf8')).toContain(shown);
  });
});

test('no files of the sources import each other in circles', () => {
  const imports = new Map(
    readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => {
        const text = readFileSync(join(SOURCES, file), 'utf8');
        const named = [...text.matchAll(/(?:from |import\()'(\.[^']+)\.js'/g)];
        return [file, named.map(([, path]) => `${join(dirname(file), path)}.ts`)] as const;
      }),
  );
  expect([...imports.values()].flat().length).toBeGreaterThan(1000);
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, chain: readonly string[]): void => {
    const at = chain.indexOf(file);
    if (at >= 0) circles.push([...chain.slice(at), file].join(' → '));
    if (at >= 0 || done.has(file)) return;
    for (const imported of imports.get(file) ?? []) visit(imported, [...chain, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  expect(circles).toEqual([]);
});
