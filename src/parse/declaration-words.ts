import type { Token } from './tokens.js';

/**
 * Declarations have words and signs of their own. In the rest of a cat file the words stay names, because other
 * people's models use them as names. So they become keywords only between the first word of a declaration and the next
 * item.
 */

/** Words that begin a declaration where another name follows. */
const FIRST: ReadonlySet<string> = new Set([
  'event',
  'operation',
  'guess',
  'tag',
  'initial',
  'short',
  'replace',
  'drop',
  'instead',
  'library',
  'object',
  'role',
]);

/** Words inside of declarations. */
const INNER = [
  'by',
  'on',
  'qp',
  'work',
  'into',
  'reads',
  'writes',
  'at',
  'when',
  'if',
  'for',
  'with',
  'without',
  'from',
  'facing',
];
const INNER_OF_GUESSES = ['either', 'total', 'kth', 'one', 'each', 'to', 'in', 'unordered'];

export const DECLARATION_WORDS: readonly string[] = [...FIRST, ...INNER, ...INNER_OF_GUESSES];

/** Types of signs that only declarations have. */
export const DECLARATION_SIGNS: readonly string[] = [
  ...['assign', 'colon', 'ne', 'le', 'ge', 'lt', 'gt', 'minus', 'div', 'mod', 'bang', 'int'],
];

/** The same with the signs that have another meaning elsewhere. */
const VALUE_SIGNS: ReadonlySet<string> = new Set([
  ...DECLARATION_SIGNS,
  ...['lbrace', 'rbrace', 'oror', 'andand'],
]);

/** Is this the first word of a declaration? */
export function beginsDeclaration(tokens: readonly Token[], index: number): boolean {
  const { value, type } = tokens[index];
  if (!FIRST.has(value) || (type !== 'name' && !type.startsWith('kw_'))) return false;
  // After `replace` or `drop`, the declaration has begun already. `tag t on operation` and `into object x` have such a word inside.
  if (['replace', 'drop', 'on', 'into'].includes(tokens[index - 1]?.value)) return false;
  const [before, next, second] = [tokens[index - 1], tokens[index + 1], tokens[index + 2]];
  if (next?.type !== 'name' && !DECLARATION_WORDS.includes(next?.value)) return false;
  // After an operator it is a name and an operand, unless only a declaration can go on like this.
  const behind = value === 'operation' ? ['(', '['] : BEHIND_NAMES;
  return !WANT_OPERAND.has(before?.type) || behind.includes(second?.value);
}

/** Types of tokens after which an operand must come, so that no item can begin there. */
const WANT_OPERAND: ReadonlySet<string> = new Set([
  ...['equals', 'bar', 'semi', 'backslash', 'amp', 'times', 'tilde', 'not'],
  ...['comma', 'lparen', 'lbracket'],
  ...['kw_let', 'kw_rec', 'kw_and', 'kw_as', 'kw_show', 'kw_unshow'],
  ...['kw_acyclic', 'kw_irreflexive', 'kw_empty'],
]);

/** What may come after the name in a declaration, and never after an operand. */
const BEHIND_NAMES = ['by', 'on', ':', ':='];

/**
 * The tokens with the words and signs of declarations told from names.
 *
 * @param beginsItem whether an item of cat's own begins at an index
 */
export function withDeclarations(
  tokens: readonly Token[],
  beginsItem: (tokens: readonly Token[], index: number) => boolean,
): Token[] {
  const words = new Set(DECLARATION_WORDS);
  let inside = false;
  return tokens.map((token, i) => {
    const { type, value } = token;
    // In `object x : copied, empty`, the word is a property, and not the test of an axiom.
    if (inside && value === 'empty' && ['comma', 'colon'].includes(tokens[i - 1].type)) {
      return { ...token, type: 'name' };
    }
    if (beginsDeclaration(tokens, i)) inside = true;
    else if (inside && value !== 'if' && value !== 'in' && beginsItem(tokens, i)) inside = false;
    if (!inside) {
      return asOutside(token);
    }
    const isTagged = value === 'operation' && tokens[i - 1]?.value === 'on';
    const isWord = type === 'name' && words.has(value) && !isTagged;
    return isWord ? { ...token, type: `kw_${value}` } : zeroAsNumber(tokens, i, token);
  });
}

/** A sign of declarations that stands outside of them. It means nothing there, and its first character is reported. */
function asOutside(token: Token): Token {
  if (!DECLARATION_SIGNS.includes(token.type)) return token;
  const span = { ...token.span, end: token.span.start + 1 };
  return { ...token, type: 'illegal', value: token.value[0], span };
}

/** `0` is an empty relation in cat, and a number in a value. */
function zeroAsNumber(tokens: readonly Token[], index: number, token: Token): Token {
  if (token.type !== 'zero') return token;
  const before = tokens[index - 1]?.type ?? '';
  const inValue = VALUE_SIGNS.has(before) || ['equals', 'plus', 'times', 'star'].includes(before);
  return inValue || tokens[index - 1]?.value === 'when' || tokens[index - 1]?.value === 'if'
    ? { ...token, type: 'int' }
    : token;
}
