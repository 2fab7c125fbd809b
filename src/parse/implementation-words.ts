import { spanning } from './tokens.js';
import type { Token } from './tokens.js';

/**
 * Gives the words of implementations of libraries the types of keywords. Implementations share the grammar and the
 * lexer of litmus files, in which these words are names.
 */
export function withImplementationWords(all: readonly Token[]): readonly Token[] {
  const tokens = withHead(all);
  let [depth, parentheses] = [0, 0];
  /** Whether the braces around a token are those of a method. */
  let inMethod = false;
  let before = '';
  return tokens.map((token, i) => {
    if (token.type === 'lbrace') depth++;
    if (token.type === 'rbrace') depth--;
    if (token.type === 'lparen') parentheses++;
    if (token.type === 'rparen') parentheses--;
    const isDeclared = parentheses <= 0 && (depth <= 0 || !inMethod);
    const type =
      token.type === 'ident' && BEFORE_NAME.includes(before)
        ? undefined
        : (signType(tokens, i) ??
          wordType(tokens, i) ??
          (depth <= 0 ? outsideType(tokens, i) : undefined) ??
          (isDeclared ? declarationType(tokens, i) : undefined));
    before = type ?? token.type;
    if (depth <= 0 && type !== undefined) {
      if (type === 'method') inMethod = true;
      else if (type === 'kw_each' || type === 'kw_for' || type === 'kw_place') inMethod = false;
    }
    return type === undefined ? token : { ...token, type };
  });
}

/** `implementation loco-bal` as one token: names of implementations have hyphens. */
function withHead(tokens: readonly Token[]): readonly Token[] {
  const [keyword, first] = tokens;
  if (keyword?.value !== 'implementation' || first === undefined || first.type === 'string') {
    return tokens;
  }
  let end = 2;
  while (tokens[end]?.span.start === tokens[end - 1].span.end && tokens[end].type !== 'string') {
    end++;
  }
  const name = tokens.slice(1, end).map(({ value }) => value);
  const span = spanning(keyword, tokens[end - 1]);
  const head = { type: 'implementation', value: `implementation ${name.join('')}`, span };
  return [head, ...tokens.slice(end)];
}

/** The type of `[` before an index, and of the dot in `x.head`. The dot of a call, `sv.read(x)`, keeps its own. */
function signType(tokens: readonly Token[], i: number): string | undefined {
  const { type } = tokens[i];
  const before = tokens[i - 1]?.type;
  if (before !== 'ident') return undefined;
  if (type === 'lbracket') return 'lindex';
  if (type !== 'dot') return undefined;
  return tokens[i + 1]?.type === 'ident' && tokens[i + 2]?.type !== 'lparen' ? 'member' : undefined;
}

/** Words that are the same everywhere in the file. */
function wordType(tokens: readonly Token[], i: number): string | undefined {
  const { type, value } = tokens[i];
  const after = tokens[i + 1]?.type;
  if (type === 'kw_node') return after === 'lparen' ? 'kw_nodeof' : 'kw_place';
  if (type !== 'ident') return undefined;
  switch (value) {
    case 'for':
      return after !== 'ident' ? undefined : isObjects(tokens, i) ? 'kw_each' : 'kw_for';
    case 'object':
      return tokens[i - 1]?.value === 'for' && after === 'ident' ? 'kw_object' : undefined;
    case 'in':
      return tokens[i - 2]?.value === 'for' ? 'kw_in' : undefined;
    case 'return':
      return 'kw_return';
    case 'as':
      return ENDS_ACCESS.has(tokens[i - 1]?.type) && after === 'ident' ? 'kw_as' : undefined;
    case 'none':
      return 'kw_none';
    case 'nodes':
      return 'kw_nodes';
    case 'len':
    case 'size':
    case 'hash':
      return after === 'lparen' ? 'applied' : undefined;
    default:
      return undefined;
  }
}

/** Does `for object x` begin here? In `for object in …`, the word is a name. */
const isObjects = (tokens: readonly Token[], i: number): boolean =>
  tokens[i + 1].value === 'object' && tokens[i + 2]?.value !== 'in';

/** Words outside of all braces. */
function outsideType(tokens: readonly Token[], i: number): string | undefined {
  const { type, value } = tokens[i];
  if (type !== 'ident') return undefined;
  const [before, after] = [tokens[i - 1]?.type, tokens[i + 1]?.type];
  if (after === 'lparen' && before !== 'comma') return 'method';
  switch (value) {
    case 'implements':
    case 'over':
    case 'parameter':
      return `kw_${value}`;
    case 'into':
    case 'work':
      return before === 'rparen' || before === 'ident' ? `kw_${value}` : undefined;
    default:
      return undefined;
  }
}

/** Words of declarations of objects: the library that begins one, and those of `of 2 words`. */
function declarationType(tokens: readonly Token[], i: number): string | undefined {
  const { type, value } = tokens[i];
  if (type !== 'ident') return undefined;
  const [before, after] = [tokens[i - 1], tokens[i + 1]];
  if (value === 'of' && after?.type === 'int') return 'kw_of';
  if ((value === 'words' || value === 'word') && before?.type === 'int') return 'kw_words';
  return before?.type !== 'comma' && after?.type === 'ident' ? 'lower' : undefined;
}

/** After these, a word is a name. */
const BEFORE_NAME = [
  ...['kw_implements', 'kw_over', 'kw_parameter', 'kw_object', 'kw_for', 'kw_into', 'kw_work'],
  'lower',
];

/** Types of tokens that a call or an assignment may end with. */
const ENDS_ACCESS: ReadonlySet<string | undefined> = new Set([
  'ident',
  'int',
  'rparen',
  'rbracket',
  'gt',
]);
