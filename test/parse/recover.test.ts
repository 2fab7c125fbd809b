import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MODELS_FOLDER } from '../../src/node/models.js';
import { CAT } from '../../src/parse/cat.js';
import { lexCat } from '../../src/parse/cat-lexer.js';
import { withClientWords } from '../../src/parse/client-words.js';
import type { SourceFile } from '../../src/parse/diagnostics/index.js';
import { writeOutFamilies } from '../../src/parse/families.js';
import { litmusLanguage } from '../../src/parse/litmus-language.js';
import { litmusLexer } from '../../src/parse/litmus-lexer.js';
import { withWordKeywords } from '../../src/parse/litmus-words.js';
import { parseItems } from '../../src/parse/nearley.js';
import type { GrammarLanguage } from '../../src/parse/nearley.js';
import { parseTokens } from '../../src/parse/recover.js';
import { tokenize } from '../../src/parse/tokens.js';
import type { Token } from '../../src/parse/tokens.js';
import { ALL } from '../support/random.js';

/** Files with mistakes are read by tables, and only their broken items thoroughly: the result is that of reading all of them thoroughly. */

type Lex = (source: SourceFile) => readonly Token[];

const lexLitmus: Lex = (source) => {
  const tokens = tokenize(litmusLexer, source, new Set(['blank', 'comment']));
  return writeOutFamilies(withWordKeywords(withClientWords(tokens))).tokens;
};

/** A tree in which functions, which otherwise run when all is read, are replaced by their results. */
const plain = (value: unknown): unknown => {
  if (typeof value === 'function') return plain((value as () => unknown)());
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plain(part)]));
};

/** Random numbers that a seed fixes (mulberry32). */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** A file in which tokens are left out, doubled, or in each other's places, or which ends too early. */
function broken(tokens: readonly Token[], random: (below: number) => number): readonly Token[] {
  const made = [...tokens];
  for (let n = random(3); n >= 0; n--) {
    const [at, other] = [random(made.length), random(made.length)];
    switch (random(4)) {
      case 0:
        made.splice(at, 1 + random(3));
        break;
      case 1:
        made.splice(at, 0, made[other]);
        break;
      case 2:
        [made[at], made[other]] = [made[other], made[at]];
        break;
      default:
        if (random(3) === 0) made.length = at;
    }
    if (made.length === 0) return made;
  }
  return made;
}

const SEED = Number(process.env['REMORA_SEED'] ?? 1);

test.each<readonly [string, GrammarLanguage, Lex]>([
  ['models', CAT, lexCat],
  ['corpus', litmusLanguage, lexLitmus],
])('of files of %s', (folder, language, lex) => {
  const root = folder === 'models' ? MODELS_FOLDER : folder;
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(cat|litmus)$/.test(file))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    .filter(({ text }) => text.length < 2000);
  expect(sources.length).toBeGreaterThan(10);
  const random = randomOf(SEED);
  let mistakes = 0;
  for (let i = 0; i < (ALL ? 3000 : 60); i++) {
    const source = sources[random(sources.length)];
    const tokens = broken(lex(source), random);
    const thorough = parseItems(language, tokens, source);
    const read = parseTokens(language, tokens, source);
    expect(read.errors, source.path).toEqual(thorough.errors);
    expect(plain(read.value), source.path).toEqual(plain(thorough.value));
    mistakes += thorough.errors.length;
  }
  expect(mistakes).toBeGreaterThan(20);
});

test('of a long file with a mistake: the good items, and what is wrong', () => {
  const lines = Array.from({ length: 3000 }, (_, i) => `let r${i + 1} = r${i} | po & (nlR * nlW)`);
  const read = (text: string) => {
    const source = { path: 'long.cat', text };
    return parseTokens<{ items: unknown }>(CAT, lexCat(source), source);
  };
  const { errors } = read(`let r0 = po\n${lines.join('\n')}\nlet a = |\nlet b = po\n`);
  expect(errors.map(({ message }) => message)).toEqual(["unexpected '|'; expected an expression"]);
});
