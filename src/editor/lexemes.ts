import { catLexemes } from '../parse/cat-lexer.js';
import { litmusLexer } from '../parse/litmus-lexer.js';
import type { SourceFile } from '../parse/diagnostics/index.js';
import { tokenize } from '../parse/tokens.js';
import type { Token } from '../parse/tokens.js';
import { languageOf } from './language.js';

/** An editor asks for them again and again. */
const known = new WeakMap<SourceFile, readonly Token[]>();

const BLANKS: ReadonlySet<string> = new Set(['blank']);

/**
 * Everything in a file but blanks, in order: tokens with the types of the lexer, before types that depend on places are
 * set, and comments, each as a token of type `comment`.
 */
export function lexemesOf(source: SourceFile): readonly Token[] {
  const before = known.get(source);
  if (before !== undefined) return before;
  const isCat = languageOf(source.path) === 'cat';
  const lexemes = isCat ? catLexemes(source) : tokenize(litmusLexer, source, BLANKS);
  known.set(source, lexemes);
  return lexemes;
}
