import { ITEM_STARTS } from '../parse/litmus-lexer.js';
import { ITEM_WORDS } from '../parse/keywords.js';
import { CAT } from '../parse/cat.js';
import { beginsTest } from './cat-items.js';
import type { Token } from '../parse/tokens.js';

/** The indentation of each row of a file. Rows are the tokens and comments of a line. */
export function indentation(
  rows: readonly (readonly Token[])[],
  language: 'cat' | 'litmus',
): readonly number[] {
  const own = language === 'cat' ? ofCat(rows) : ofLitmus(rows);
  // A comment is indented like the row below it.
  for (let i = own.length - 1; i >= 0; i--) own[i] ??= own[i + 1] ?? 0;
  return own.map((indent) => indent ?? 0);
}

const OPEN: ReadonlySet<string> = new Set(['lparen', 'lbracket']);
const CLOSE: ReadonlySet<string> = new Set(['rparen', 'rbracket']);

/** Tokens at the start of a row that continue the row before. */
const CONTINUES: ReadonlySet<string> = new Set([
  ...['bar', 'semi', 'backslash', 'amp', 'star', 'colon', 'kw_as', 'equals', 'comma', 'rparen'],
]);

/** Items begin at the left. A row that continues an item begins with an operator, or is indented further. */
function ofCat(rows: readonly (readonly Token[])[]): (number | undefined)[] {
  const tokens = rows.flat().filter(({ type }) => type !== 'comment');
  const signed = tokens.map((token, i) =>
    beginsTest(tokens, i) ? { ...token, type: 'not' } : token,
  );
  let [at, depth, begun] = [0, 0, false];
  return rows.map((row) => {
    const own = row.filter(({ type }) => type !== 'comment');
    if (own.length === 0) return undefined;
    const begins = CAT.beginsItem(signed, at) || own[0].type === 'kw_and' || !begun;
    if (begins) depth = 0;
    const further = CONTINUES.has(own[0].type) ? 2 : 4;
    const indent = begins ? 0 : further + 2 * depth;
    begun ||= CAT.beginsItem(signed, at);
    for (const { type } of own) {
      if (OPEN.has(type) || type === 'lbrace') depth += 1;
      if (CLOSE.has(type) || type === 'rbrace') depth = Math.max(0, depth - 1);
    }
    at += own.length;
    return indent;
  });
}

/** Items of litmus files that begin with words which may be names elsewhere. */
export const BEGINNING_WORDS: ReadonlySet<string> = new Set<string>([
  ...ITEM_WORDS,
  ...['implementation', 'implements', 'parameter', 'threads', 'bound', 'for'],
]);

/** The first tokens of lines below a query. */
const BELOW: ReadonlySet<string> = new Set(['kw_expect', 'kw_computed', 'kw_observed']);

/** Tokens that end instructions and declarations inside of braces. */
const BETWEEN: ReadonlySet<string> = new Set(['semi', 'lbrace', 'rbrace']);

/** Tokens after which an instruction or item must go on. */
const UNFINISHED: ReadonlySet<string> = new Set([
  ...['comma', 'conj', 'disj', 'implies', 'eq', 'ne', 'lparen', 'lbracket', 'assign', 'assignWork'],
  ...['kw_source', 'kw_question', 'kw_note', 'kw_exists', 'notExists', 'kw_forall', 'kw_filter'],
]);

const SIGNS: ReadonlySet<string> = new Set(['conj', 'disj', 'implies', 'rparen', 'rbracket']);

function ofLitmus(rows: readonly (readonly Token[])[]): (number | undefined)[] {
  let [braces, brackets] = [0, 0];
  let previous: Token | undefined;
  let item = '';
  return rows.map((row) => {
    const own = row.filter(({ type }) => type !== 'comment');
    if (own.length === 0) return undefined;
    const [first] = own;
    const isItem = ITEM_STARTS.has(first.type) || BELOW.has(first.type);
    // After a missing bracket, or one too many, the next item starts again at the left.
    if (isItem && !(braces > 0 && first.type === 'kw_node')) [braces, brackets] = [0, 0];
    const indent = braces > 0 ? inBraces(first) : outside(first);
    if (braces === 0 && (isItem || BEGINNING_WORDS.has(first.value))) item = first.type;
    for (const { type } of own) {
      if (type === 'lbrace') braces += 1;
      if (type === 'rbrace') braces = Math.max(0, braces - 1);
      if (OPEN.has(type)) brackets += 1;
      if (CLOSE.has(type)) brackets = Math.max(0, brackets - 1);
    }
    previous = own[own.length - 1];
    return indent;
  });

  function inBraces(first: Token): number {
    if (first.type === 'rbrace') return 2 * (braces - 1);
    const goesOn = brackets > 0 || (previous !== undefined && !BETWEEN.has(previous.type));
    return 2 * braces + (goesOn ? 2 : 0);
  }

  function outside(first: Token): number {
    if (BELOW.has(first.type)) return 2;
    if (ITEM_STARTS.has(first.type)) return 0;
    const below = BELOW.has(item) ? 4 : 2;
    if (first.type === 'string') return previous?.type === 'header' || item === '' ? 0 : below;
    const goesOn = brackets > 0 || SIGNS.has(first.type) || UNFINISHED.has(previous?.type ?? '');
    return goesOn ? below : 0;
  }
}
