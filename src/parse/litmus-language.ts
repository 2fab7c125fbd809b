import type { Language } from './nearley.js';
import type { Token } from './tokens.js';
import grammar, { tables } from './litmus.grammar.js';
import { KEYWORDS } from './litmus-lexer.js';

/** Token types with which an item begins and nothing else does. */
const ITEM_STARTS = new Set([
  'header',
  'kw_source',
  'kw_question',
  'kw_note',
  'kw_node',
  'kw_thread',
  'kw_exists',
  'notExists',
  'kw_forall',
  'kw_expect',
  'kw_computed',
  'kw_observed',
]);

const SIGNS: readonly (readonly [string, string])[] = [
  ['assignWork', ':=^'],
  ['assign', ':='],
  ['conj', '/\\'],
  ['disj', '\\/'],
  ['andand', '&&'],
  ['oror', '||'],
  ['ne', '!='],
  ['le', '<='],
  ['ge', '>='],
  ['eq', '='],
  ['lt', '<'],
  ['gt', '>'],
  ['plus', '+'],
  ['minus', '-'],
  ['times', '*'],
  ['div', '/'],
  ['mod', '%'],
  ['bang', '!'],
  ['tilde', '~'],
  ['lparen', '('],
  ['rparen', ')'],
  ['lbrace', '{'],
  ['rbrace', '}'],
  ['semi', ';'],
  ['comma', ','],
  ['caret', '^'],
  ['colon', ':'],
  ['at', '@'],
  ['bar', '|'],
];

const OPERATORS = [
  'oror',
  'andand',
  'lt',
  'le',
  'gt',
  'ge',
  'plus',
  'minus',
  'times',
  'div',
  'mod',
];

const NAMES = new Map<string, string>([
  ...KEYWORDS.map((k) => [`kw_${k}`, `'${k}'`] as const),
  ...SIGNS.map(([type, sign]) => [type, `'${sign}'`] as const),
  ...OPERATORS.map((type) => [type, 'an operator'] as const),
  ['notExists', "'~exists'"],
  ['header', "'RDMA' and a name"],
  ['under', "'under' and a model"],
  ['string', 'a text in quotes'],
  ['int', 'a number'],
  ['ident', 'a name'],
  ['word', 'a node'],
  ['integer', 'a number'],
  ['item', 'a declaration or a query'],
  ['simple', 'an instruction'],
  ['compound', 'an instruction'],
  ['expr', 'an expression'],
  ['disjunction', 'a condition'],
]);

/** What people write by habit of other languages, and what it is called here. */
const HABITS = new Map([
  ['eqeq', "'==' is written '=' here"],
  ['slashslash', "a comment begins with '#'"],
]);

/** A table of threads begins with `T1@`, the first of its line. */
function beginsTable(tokens: readonly Token[], index: number): boolean {
  const [previous, name, at] = [tokens[index - 1], tokens[index], tokens[index + 1]];
  return name.type === 'ident' && at?.type === 'at' && previous?.type !== 'bar';
}

export const litmusLanguage: Language = {
  grammar: { ...grammar, tables },
  beginsItem: (tokens, index) => ITEM_STARTS.has(tokens[index].type) || beginsTable(tokens, index),
  names: NAMES,
  explain: (tokens, index) => {
    const message = HABITS.get(tokens[index].type);
    return message === undefined ? undefined : { message };
  },
};
