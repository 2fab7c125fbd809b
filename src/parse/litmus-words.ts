import { ITEM_STARTS } from './litmus-lexer.js';
import type { Token } from './tokens.js';

/**
 * Gives the type of a keyword to words that are keywords in one place each: in `qp a :`, `cq c {`, `ghost g = 0`, `symmetric T`,
 * `critical c {`, `at enter;`, `ghost g := e`, `assert(e)`, and in queries about runs. Everywhere else they stay names,
 * so that programs may use them.
 */
export function withWordKeywords(tokens: readonly Token[]): readonly Token[] {
  let depth = 0;
  let about = '';
  return tokens.map((token, i) => {
    // An item begins outside of all braces, even if a brace is missing before it, or is one too many.
    if (ITEM_STARTS.has(token.type)) depth = 0;
    if (token.type === 'lbrace') depth++;
    if (token.type === 'rbrace') depth--;
    if (token.type !== 'ident') return token;
    const word = depth > 0 ? inThread(tokens, i) : outside(tokens, i, about);
    if (word === undefined) return token;
    if (depth <= 0) about = word;
    return { ...token, type: `kw_${word}` };
  });
}

/** The keyword that a name stands for inside of braces. */
function inThread(tokens: readonly Token[], i: number): string | undefined {
  const [first, second] = [tokens[i + 1]?.type, tokens[i + 2]?.type];
  switch (tokens[i].value) {
    case 'critical':
      return first === 'ident' || (first === 'lbrace' && begins(tokens, i))
        ? 'critical'
        : undefined;
    case 'at':
      return first === 'ident' && (second === 'semi' || second === 'rbrace') ? 'at' : undefined;
    case 'ghost':
      return first === 'ident' ? 'ghost' : undefined;
    case 'assert':
      return first === 'lparen' && begins(tokens, i) ? 'assert' : undefined;
    default:
      return undefined;
  }
}

/** Tokens after which an instruction begins. */
const BEFORE = ['lbrace', 'semi', 'rbrace'];

const begins = (tokens: readonly Token[], i: number): boolean =>
  BEFORE.includes(tokens[i - 1]?.type ?? '');

const isBehindNames = (tokens: readonly Token[], i: number): boolean =>
  tokens[i - 1]?.type === 'ident' && ['ident', 'object'].includes(tokens[i - 2]?.type ?? '');

/** `T:enter`, `any enter`, `always ->` */
function beginsPlace(tokens: readonly Token[], i: number): boolean {
  const next = tokens[i + 1]?.type;
  const { value } = tokens[i];
  return (
    next === 'colon' ||
    (value === 'any' && next === 'ident') ||
    (value === 'always' && next === 'arrow')
  );
}

/** Does a place of a query about progress begin here? */
const isInProgress = (tokens: readonly Token[], i: number, about: string): boolean =>
  about === 'progress'
    ? tokens[i - 1].value === 'progress' || tokens[i - 1].type === 'arrow'
    : ['any', 'always'].includes(about) && tokens[i - 1].type === 'arrow';

/** The keyword that a name stands for outside of braces; `about` is the keyword before it. */
function outside(tokens: readonly Token[], i: number, about: string): string | undefined {
  const [first, second] = [tokens[i + 1]?.type, tokens[i + 2]?.type];
  switch (tokens[i].value) {
    case 'qp':
      return first === 'ident' && second === 'colon' ? 'qp' : undefined;
    case 'cq':
      return first === 'ident' && second === 'lbrace' ? 'cq' : undefined;
    case 'ghost':
      return first === 'ident' ? 'ghosts' : undefined;
    case 'exclusive':
    case 'symmetric':
      return first === 'ident' ? tokens[i].value : undefined;
    case 'of':
      // After two names, this is a query with an unknown first word, as in `mutex c of T`: the parser reports it, then.
      return first === 'ident' && (about === 'exclusive' || isBehindNames(tokens, i))
        ? 'of'
        : undefined;
    case 'progress':
      return first === 'ident' && beginsPlace(tokens, i + 1) ? 'progress' : undefined;
    case 'any':
      return first === 'ident' && isInProgress(tokens, i, about) ? 'any' : undefined;
    case 'always':
      return first === 'arrow' && isInProgress(tokens, i, about) ? 'always' : undefined;
    case 'never':
      return first === 'lparen' ? 'never' : undefined;
    case 'deadlock':
    case 'assertions':
      return first === 'at' ? undefined : tokens[i].value;
    default:
      return undefined;
  }
}
