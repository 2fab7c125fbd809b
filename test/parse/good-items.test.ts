import { describe, expect, test } from 'vitest';
import type { CatItem } from '../../src/parse/cat-ast.js';
import { parseCat } from '../../src/parse/cat.js';
import { parseLitmusFile } from '../../src/parse/litmus.js';
import { MODELS, TESTS, always } from '../support/fuzzing.js';
import { mutants } from '../support/mutations.js';

/** Items that are good in a broken file are read. Of litmus files: litmus/good-items.txt. */

const slice = (text: string, { span }: Pick<CatItem, 'span'>): string =>
  text.slice(span.start, span.end);

describe('models', () => {
  const items = (text: string): readonly string[] =>
    parseCat({ path: 'm.cat', text }).value!.items.map((item) => slice(text, item));

  test.each([
    ['let a = po | let b = rf acyclic b', ['let b = rf', 'acyclic b']],
    ['let a = po let b = acyclic b as c', ['let a = po', 'acyclic b as c']],
    ['let a = po and b = (rf let c = mo', ['let c = mo']],
    ['"title let a = po\nshow a', ['show a']],
    ['include "a.cat" acyclic a | as b include "c.cat"', ['include "a.cat"', 'include "c.cat"']],
    ['let a = po procedure p(r) = acyclic r empty a', ['let a = po']],
    ['let a = po acyclic', ['let a = po']],
    ['| let a = po', ['let a = po']],
    ['let = po', []],
  ])('%s', (text, good) => {
    expect(parseCat({ path: 'm.cat', text }).errors).toHaveLength(1);
    expect(items(text)).toEqual(good);
  });

  test('doc comments stay with their definitions', () => {
    const { value } = parseCat({
      path: 'm.cat',
      text: 'let a = po | (** one *) let b = po (** two *) let c = rf',
    });
    expect(value?.items).toMatchObject([
      { bindings: [{ words: 'one' }] },
      { bindings: [{ words: 'two' }] },
    ]);
  });
});

test('whatever is broken, there is a tree', () => {
  always(mutants(MODELS), 300, (text) => {
    expect(parseCat({ path: 'm.cat', text }).value).toBeDefined();
  });
  always(mutants(TESTS), 300, (text) => {
    const { value, errors } = parseLitmusFile({ path: 't.litmus', text });
    if (value === undefined) expect(errors[0].message).toMatch(/^nested more|for herd7|^this is C/);
  });
});
