import type { GrammarLanguage } from './nearley.js';
import type { Token } from './tokens.js';
import grammar, { tables } from './litmus.grammar.js';
import { explainLitmus } from './litmus-habits.js';
import { ITEM_WORDS, LITMUS_KEYWORDS } from './keywords.js';
import { ITEM_STARTS } from './litmus-lexer.js';

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
  ['implies', '=>'],
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
  ['lbracket', '['],
  ['rbracket', ']'],
  ['lbrace', '{'],
  ['rbrace', '}'],
  ['semi', ';'],
  ['comma', ','],
  ['caret', '^'],
  ['colon', ':'],
  ['arrow', '->'],
  ['dot', '.'],
  ['at', '@'],
  ['bar', '|'],
  ['setminus', '\\'],
  ['lindex', '['],
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
  ...LITMUS_KEYWORDS.map((k) => [`kw_${k}`, `'${k}'`] as const),
  ...SIGNS.map(([type, sign]) => [type, `'${sign}'`] as const),
  ...OPERATORS.map((type) => [type, 'an operator'] as const),
  ...[
    ...ITEM_WORDS,
    ...['critical', 'at', 'assert', 'of', 'any', 'always', 'words', 'none', 'nodes'],
    ...['implements', 'over', 'parameter', 'object', 'into', 'work', 'for', 'in', 'return', 'as'],
  ].map((word) => [`kw_${word}`, `'${word}'`] as const),
  ['kw_ghosts', "'ghost'"],
  ['object', 'an object'],
  ['set', 'a set of nodes'],
  ['implementation', "'implementation' and a name"],
  ['kw_each', "'for'"],
  ['kw_place', "'node'"],
  ['kw_nodeof', "'node'"],
  ['applied', 'an expression'],
  ['member', "'.'"],
  ['lower', 'an object'],
  ['domain', 'a set of nodes, a role or a range'],
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
  ['sum', 'an expression'],
  ['made', 'a call'],
  ['condition', 'a condition'],
  ['negation', 'a condition'],
]);

/** Does a table of threads begin here? It does with the first head, `T1@`, and not with those after a `|`. */
function beginsTable(tokens: readonly Token[], index: number): boolean {
  const [previous, name, at] = [tokens[index - 1], tokens[index], tokens[index + 1]];
  return name.type === 'ident' && at?.type === 'at' && previous?.type !== 'bar';
}

/** The language of litmus files and of implementations, for the parser and its messages. */
/** The language of litmus files and of implementations, for the parser and its messages. */
export const litmusLanguage: GrammarLanguage = {
  grammar: { ...grammar, tables },
  beginsItem: (tokens, index) => ITEM_STARTS.has(tokens[index].type) || beginsTable(tokens, index),
  names: NAMES,
  // Tags, names of queue pairs, and what only clients of libraries have: allowed in many places, and used in few of them.
  rare: new Set([
    ...['simple kw_as', 'part lindex', 'part member', 'atom lindex', 'among kw_nodeof'],
    ...['marks lbracket', 'ref dot', 'called dot', 'observable lindex'],
    ...[
      'operand lt',
      'operand kw_none',
      'truth$subexpression$1 kw_true',
      'truth$subexpression$1 kw_false',
    ],
  ]),
  explain: explainLitmus,
};
