import { withClientWords } from './client-words.js';
import type { Parsed, SourceFile } from './diagnostics/index.js';
import { mistakesInOrder } from './diagnostics/index.js';
import { DEPTH, tooDeep } from './depth.js';
import { writeOutFamilies } from './families.js';
import { assemble } from './litmus-assemble.js';
import type { LitmusFile } from './litmus-ast.js';
import type { LitmusItem } from './litmus-build.js';
import { cInstead, foreignTest } from './litmus-foreign.js';
import { litmusLanguage } from './litmus-language.js';
import { litmusLexer } from './litmus-lexer.js';
import { withWordKeywords } from './litmus-words.js';
import { parseTokens } from './nearley.js';
import type { SnocList } from './snoc-list.js';
import { toArray } from './snoc-list.js';
import { tokenize } from './tokens.js';

const SKIPPED = new Set(['blank', 'comment']);

/**
 * Parses one litmus file, in either layout, to one and the same tree.
 *
 * @returns the tree of the items that could be read and stand where they may, with families written out.
 * Errors: lexical and syntax errors, and those of families; if there are none, items that are missing, repeated
 * or out of place. There is no tree of a file in another language, such as C, nor of one that is nested too deep.
 */
export function parseLitmusFile(source: SourceFile): Parsed<LitmusFile> {
  const lexed = withWordKeywords(withClientWords(tokenize(litmusLexer, source, SKIPPED)));
  const foreign = foreignTest(lexed);
  if (foreign !== undefined) return { value: undefined, errors: [foreign] };
  const { tokens, errors: ofFamilies } = writeOutFamilies(lexed);
  const { value, errors: broken } = parseTokens<SnocList<LitmusItem>>(
    litmusLanguage,
    tokens,
    source,
  );
  const first = mistakesInOrder([...ofFamilies, ...broken]);
  const c = first.length > 0 ? cInstead(lexed, source) : undefined;
  if (c !== undefined) return { value: undefined, errors: [c] };
  if (value === undefined) return { value, errors: first };
  const items = toArray(value);
  // Each level of nesting has a token of its own.
  const deep = tokens.length > DEPTH ? tooDeep(items) : undefined;
  if (deep !== undefined) return { value: undefined, errors: first.length > 0 ? first : [deep] };
  const { file, errors } = assemble(source, items, broken);
  // What seems to be missing may be what is broken.
  return { value: file, errors: first.length > 0 ? first : mistakesInOrder(errors) };
}
