import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { whole } from '../../src/parse/diagnostics/index.js';
import type { SourceFile } from '../../src/parse/diagnostics/index.js';
import { MODELS_FOLDER } from '../../src/node/models.js';
import { CAT } from '../../src/parse/cat.js';
import { lexCat } from '../../src/parse/cat-lexer.js';
import { litmusLanguage } from '../../src/parse/litmus-language.js';
import { litmusLexer } from '../../src/parse/litmus-lexer.js';
import { parseItems } from '../../src/parse/nearley.js';
import type { GrammarLanguage } from '../../src/parse/nearley.js';
import { withClientWords } from '../../src/parse/client-words.js';
import { writeOutFamilies } from '../../src/parse/families.js';
import { withWordKeywords } from '../../src/parse/litmus-words.js';
import { readByTables } from '../../src/parse/tables.js';
import { tokenize } from '../../src/parse/tokens.js';
import type { Token } from '../../src/parse/tokens.js';
import { valueOf } from '../support/litmus.js';

/** Files are read quickly by tables, and by a parser that says what is wrong: both give the same. */

const LANGUAGES: readonly (readonly [string, GrammarLanguage, (source: SourceFile) => Token[]])[] =
  [
    ['models', CAT, lexCat],
    [
      'corpus',
      litmusLanguage,
      (s) => {
        const tokens = tokenize(litmusLexer, s, new Set(['blank', 'comment']));
        return [...writeOutFamilies(withWordKeywords(withClientWords(tokens))).tokens];
      },
    ],
  ];

/** A tree in which functions, which otherwise run when all is read, are replaced by their results. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(made(value)));
const made = (value: unknown): unknown => {
  if (typeof value === 'function') return made((value as () => unknown)());
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(made);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, made(part)]));
};

describe.each(LANGUAGES)('%s', (folder, language, tokensOf) => {
  const root = folder === 'models' ? MODELS_FOLDER : folder;
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(cat|litmus)$/.test(file))
    .map((file) => ({ path: file, text: readFileSync(join(root, file), 'utf8') }));

  test('both ways build the same', () => {
    expect(sources.length).toBeGreaterThan(5);
    for (const source of sources) {
      const tokens = tokensOf(source);
      const read = readByTables(language.grammar, tokens);
      expect([source.path, read === undefined]).toEqual([source.path, false]);
      expect(plain(read!.value)).toEqual(
        plain(valueOf(whole(parseItems(language, tokens, source)))),
      );
    }
  });

  test('what the tables read of files that lack a token, the other way reads, too', () => {
    let broken = 0;
    for (const source of sources.filter(({ text }) => text.length < 1500)) {
      const all = tokensOf(source);
      for (const i of all.keys()) {
        const tokens = all.filter((_, k) => k !== i);
        const read = readByTables(language.grammar, tokens);
        const thorough = whole(parseItems(language, tokens, source));
        if (!thorough.ok) broken += 1;
        if (read !== undefined) expect(plain(read.value)).toEqual(plain(valueOf(thorough)));
      }
      if (broken > 2000) break;
    }
    expect(broken).toBeGreaterThan(50);
  });
});

test('what the tables cannot tell apart is read thoroughly', () => {
  const source = { path: 'two.litmus', text: 'T1@1 ;\nx := 1 ;\nT2@1 ;\nx := 2 ;\n' };
  const tokens = tokenize(litmusLexer, source, new Set(['blank', 'comment']));
  expect(readByTables(litmusLanguage.grammar, tokens)).toBeUndefined();
  expect(parseItems(litmusLanguage, tokens, source).errors).toEqual([]);
});
