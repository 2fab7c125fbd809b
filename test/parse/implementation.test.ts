import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { renderDiagnostic, whole } from '../../src/parse/diagnostics/index.js';
import { withImplementationWords } from '../../src/parse/implementation-words.js';
import { parseImplementation } from '../../src/parse/implementation.js';
import { litmusLanguage } from '../../src/parse/litmus-language.js';
import { litmusLexer } from '../../src/parse/litmus-lexer.js';
import { withWordKeywords } from '../../src/parse/litmus-words.js';
import { readByTables } from '../../src/parse/tables.js';
import { tokenize } from '../../src/parse/tokens.js';
import { testCases } from '../support/cases.js';
import { printImplementation } from '../support/litmus-text.js';

/** The tree of an implementation, or what is wrong with it. */
function printed(text: string): string {
  const source = { path: 'case.impl', text };
  const parsed = whole(parseImplementation(source));
  if (parsed.ok) return printImplementation(parsed.value);
  const sources = new Map([[source.path, source]]);
  return parsed.errors.map((error) => renderDiagnostic(error, sources)).join('\n');
}

testCases(join(import.meta.dirname, 'implementation'), printed);

describe('the implementations that come with Remora', () => {
  const folder = 'models/lib/impl';
  test.each(readdirSync(folder))('%s is read, by tables alone', (name) => {
    const source = { path: name, text: readFileSync(join(folder, name), 'utf8') };
    const parsed = parseImplementation(source);
    expect(parsed.errors).toEqual([]);
    expect(`${parsed.value?.name.text}.impl`).toBe(name);
    const tokens = tokenize(litmusLexer, source, new Set(['blank', 'comment']));
    const read = readByTables(
      litmusLanguage.grammar,
      withWordKeywords(withImplementationWords(tokens)),
    );
    expect(read).toBeDefined();
  });
});
