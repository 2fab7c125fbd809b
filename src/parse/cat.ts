import type { Parsed, SourceFile } from './diagnostics/index.js';
import type { CatFile, CatItem } from './cat-ast.js';
import grammar, { tables } from './cat.grammar.js';
import { beginsCatItem, lexCat } from './cat-lexer.js';
import { TOO_DEEP } from './depth.js';
import { CAT_KEYWORDS } from './keywords.js';
import { withDocWords, wordsOf } from './cat-words.js';
import { DECLARATION_SIGNS, DECLARATION_WORDS, beginsDeclaration } from './declaration-words.js';
import type { SnocList } from './snoc-list.js';
import { toArray } from './snoc-list.js';
import { parseTokens } from './recover.js';
import type { GrammarLanguage } from './nearley.js';
import type { Token } from './tokens.js';

const EXPRESSION = 'an expression';
const OPERATOR = 'an operator';

const beginsItem = (tokens: readonly Token[], index: number): boolean =>
  beginsCatItem(tokens, index) || beginsDeclaration(tokens, index);

/** The language of model files, for the parser and its messages. */
export const CAT: GrammarLanguage = {
  grammar: { ...grammar, tables },
  beginsItem,
  names: new Map([
    ['primary', EXPRESSION],
    ['complement', EXPRESSION],
    ['argument', 'an argument'],
    ['whole', EXPRESSION],
    ['item', 'an item'],
    ['name', 'a name'],
    ['binding', 'a name'],
    ['slot', 'a name'],
    ['string', 'a string'],
    ...[
      'bar',
      'plusplus',
      'semi',
      'backslash',
      'amp',
      'times',
      'plus',
      'star',
      'question',
      'inverse',
    ].map((type) => [type, OPERATOR] as const),
    ...CAT_KEYWORDS.map((word) => [`kw_${word}`, `'${word}'`] as const),
    ...DECLARATION_WORDS.map((word) => [`kw_${word}`, `'${word}'`] as const),
    ['value', 'a value'],
    ['int', 'a number'],
    ['step', 'an event'],
    ['choosing', 'a way to guess'],
    ['body', 'an event'],
    ['assign', "':='"],
    ['colon', "':'"],
    ['lbrace', "'{'"],
    ['rbrace', "'}'"],
    ...[...DECLARATION_SIGNS, 'oror', 'andand']
      .filter((type) => /^(oror|andand|ne|[lg][et]|minus|div|mod|bang)$/.test(type))
      .map((type) => [type, OPERATOR] as const),
    ['equals', "'='"],
    ['comma', "','"],
    ['not', "'~'"],
    ['lparen', "'('"],
    ['rparen', "')'"],
    ['lbracket', "'['"],
    ['rbracket', "']'"],
  ]),
  rare: new Set(['closing kw_in', 'item kw_when', 'file$ebnf$1 kw_catdep']),
};

/** What the grammar's start rule builds. */
type Draft = Omit<CatFile, 'items'> & { readonly items: SnocList<() => CatItem> };

/**
 * Parses a model file; includes are not followed.
 *
 * @returns the tree of its good items, and one diagnostic for each item that cannot be read
 */
export function parseCat(source: SourceFile): Parsed<CatFile> {
  const tokens = lexCat(source);
  const { value, errors } = parseTokens<Draft>(CAT, tokens, source);
  if (value === undefined) return { value, errors };
  const words = wordsOf(tokens);
  try {
    const items = toArray(value.items).map((make) => withDocWords(make(), words));
    return { value: { title: value.title, items }, errors };
  } catch (error) {
    // Items are made from the outside in, and there is no end to how many can be in one another.
    if (!(error instanceof RangeError)) throw error;
    const end = tokens.findIndex(({ type }) => type === 'kw_end');
    const { span } = tokens[Math.max(end, 0)];
    return { value: undefined, errors: [...errors, { span, message: TOO_DEEP }] };
  }
}
