import type { Parsed, SourceFile } from './diagnostics/index.js';
import type { CatFile, CatItem } from './cat-ast.js';
import grammar, { tables } from './cat.grammar.js';
import { beginsCatItem, lexCat } from './cat-lexer.js';
import { withDocWords, wordsOf } from './cat-words.js';
import { DECLARATION_SIGNS, DECLARATION_WORDS, beginsDeclaration } from './declaration-words.js';
import type { SnocList } from './snoc-list.js';
import { toArray } from './snoc-list.js';
import { parseTokens } from './nearley.js';
import type { GrammarLanguage } from './nearley.js';
import type { Token } from './tokens.js';

const EXPRESSION = 'an expression';
const OPERATOR = 'an operator';

/** For keywords that only herd7 has: what to write instead. */
const INSTEAD = new Map([
  ['with', 'co is a base relation: include "cos.cat" names what herd7 makes of it'],
  ['procedure', 'a function, `let f(r, s) = …`, can be used in several axioms'],
  ['call', 'write the axioms themselves'],
  ['in', 'define the name before, with a `let` of its own'],
  ['fun', 'define the function before: `let f(r) = …`'],
  ['assert', 'write it as an axiom, or as a flag'],
]);

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
    ['item', 'an item'],
    ['name', 'a name'],
    ['binding', 'a name'],
    ['slot', 'a name'],
    ['string', 'a string'],
    ...['bar', 'semi', 'backslash', 'amp', 'times', 'plus', 'star', 'question', 'inverse'].map(
      (type) => [type, OPERATOR] as const,
    ),
    ...['rec', 'and', 'as', 'acyclic', 'irreflexive', 'empty'].map(
      (word) => [`kw_${word}`, `'${word}'`] as const,
    ),
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
    ...[...DECLARATION_SIGNS.keys()]
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
  explain: (tokens, index) => {
    const { type, value } = tokens[index];
    if (type !== 'unsupported') return undefined;
    return { message: `herd7's \`${value}\` is not supported`, hint: INSTEAD.get(value) };
  },
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
  const items = toArray(value.items).map((make) => withDocWords(make(), words));
  return { value: { title: value.title, items }, errors };
}
