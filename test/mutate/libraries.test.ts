import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EQUIVALENT, sectionOf } from '../../mutate/libraries/equivalent.js';
import { IMPLEMENTATIONS, implementationChanges } from '../../mutate/libraries/implementations.js';
import { LIBRARY_FILES, libraryChanges } from '../../mutate/libraries/library-files.js';
import { reductions, withoutComments } from '../../mutate/libraries/cat-text.js';
import { parseImplementation } from '../../src/parse/implementation.js';

/** The mutants of libraries and implementations as data. `npm run mutate` judges them. */

const ofImplementations = IMPLEMENTATIONS.flatMap(implementationChanges);
const ofLibraries = LIBRARY_FILES.flatMap(libraryChanges);
const all = [...ofImplementations, ...ofLibraries];

test('names are unique', () => {
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
});

test('each is another text', () => {
  const shipped = new Map<string, string>();
  for (const { name, path, text } of all) {
    if (!shipped.has(path)) shipped.set(path, readFileSync(path, 'utf8'));
    expect([name, text === shipped.get(path)]).toEqual([name, false]);
  }
});

test('changed implementations are implementations', () => {
  for (const change of ofImplementations) {
    expect([change.name, parseImplementation(change).errors]).toEqual([change.name, []]);
  }
});

test('every implementation and every library file is changed', () => {
  const changed = new Set(all.map(({ name }) => name.split('/')[0]));
  expect([...IMPLEMENTATIONS, ...LIBRARY_FILES].filter((name) => !changed.has(name))).toEqual([]);
});

test.each([
  ['loco-sv', 'loco-sv/gf/drop wait(fence)'],
  ['loco-sv', 'loco-sv/bcast/one node less in for n in N'],
  ['loco-bal', 'loco-bal/bar/drop sv.gf(nodes(party))'],
  ['loco-bal', 'loco-bal/bar/one node less in sv.bcast(count[me], _, nodes(party) \\ {here})'],
  ['loco-rbl', 'loco-rbl/receive/swap for i in 1 .. n | sv.write(tail[me], h + n + 1)'],
])('%s: a wait, a fence, a target and an order are among them', (name, change) => {
  expect(implementationChanges(name).map((one) => one.name)).toContain(change);
});

test('what is left out of expressions', () => {
  const text = 'a | b & c | [d] ; (e | f) \\ g';
  const found = reductions(text, { start: 0, end: text.length });
  expect(
    found.map((one) => `${text.slice(0, one.start)}${one.text}${text.slice(one.end)}`),
  ).toEqual([
    'b & c | [d] ; (e | f) \\ g',
    'a | [d] ; (e | f) \\ g',
    'a | b & c',
    'a | c | [d] ; (e | f) \\ g',
    'a | b | [d] ; (e | f) \\ g',
    'a | b & c | (e | f) \\ g',
    'a | b & c | [d] ; (e | f)',
    'a | b & c | [d] ; (f) \\ g',
    'a | b & c | [d] ; (e) \\ g',
  ]);
});

test('comments leave their place empty', () => {
  expect(withoutComments('a (* b\nc *) d')).toBe('a     \n     d');
});

test('each that is listed is a mutant, once, and the argument is written down', () => {
  const names = new Set(all.map(({ name }) => name));
  const listed = EQUIVALENT.flatMap(({ where, changes }) =>
    changes.map((one) => `${where}/${one}`),
  );
  expect(listed.filter((name) => !names.has(name))).toEqual([]);
  expect(new Set(listed).size).toBe(listed.length);
  const text = readFileSync('mutate/equivalent.md', 'utf8');
  for (const name of listed) expect(text).toContain(`## ${sectionOf(name)}\n`);
});
