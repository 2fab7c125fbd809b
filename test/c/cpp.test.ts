import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseCFile } from '../../src/c/read.js';
import { loadC } from '../../src/node/c.js';
import { meaning } from '../support/c-meaning.js';
import { testCases } from '../support/cases.js';

await loadC();

/** The grammar is no dependency: to run these, `npm install --no-save --ignore-scripts tree-sitter-cpp`. */
const isInstalled = existsSync('node_modules/tree-sitter-cpp/tree-sitter-cpp.wasm');

describe.skipIf(!isInstalled)('C++', () => {
  testCases('test/c/cpp', (input) => meaning(input, 't.cc'));
});

test.skipIf(isInstalled)('without its grammar, a file of C++ says which package reads it', () => {
  const { value, errors } = parseCFile({ path: 't.cc', text: 'void f() {}\n' });
  expect(value).toBeUndefined();
  expect(errors.map(({ hint }) => hint)).toEqual(['npm install tree-sitter-cpp']);
});
