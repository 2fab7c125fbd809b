import { nearest } from './diagnostics/index.js';
import { ITEM_WORDS_BEFORE_NAMES } from './keywords.js';
import { ITEM_STARTS } from './litmus-lexer.js';
import type { Token } from './tokens.js';

/**
 * Gives the words of clients of libraries the types of keywords: `uses`, and the name of a library before its objects.
 * In a file that has one of these, `none`, `nodes` and `of 2 words` are keywords, too. In all other files they stay
 * names, so that a program without libraries may use them as it likes.
 */
export function withClientWords(given: readonly Token[]): readonly Token[] {
  const tokens = joined(given);
  const types = declarations(tokens);
  if (types.size === 0) return tokens;
  return tokens.map((token, i) => {
    const type = types.get(i) ?? wordOf(tokens, i);
    return type === undefined ? token : { ...token, type };
  });
}

/** The names after `uses` are names of files, and may have hyphens: makes one token of each, such as `rbl-weak`. */
function joined(tokens: readonly Token[]): readonly Token[] {
  const all: Token[] = [];
  let inside = false;
  for (const [i, token] of tokens.entries()) {
    const last = all[all.length - 1];
    const goesOn = last?.span.end === token.span.start && /^[A-Za-z0-9_-]+$/.test(token.value);
    if (inside && goesOn && last.type === 'ident' && last.value !== 'uses') {
      all[all.length - 1] = {
        ...last,
        value: last.value + token.value,
        span: { ...last.span, end: token.span.end },
      };
      continue;
    }
    if (token.type === 'ident' && isUses(tokens, i)) inside = true;
    else if (token.type !== 'ident' && token.type !== 'comma') inside = false;
    all.push(token);
  }
  return all;
}

/** Where `uses` and declarations of objects begin: the types of their first tokens, by the indices of these. */
function declarations(tokens: readonly Token[]): ReadonlyMap<number, string> {
  const used = usedLibraries(tokens);
  const types = new Map<number, string>();
  let depth = 0;
  let isBoundary = false;
  for (let i = 0; i < tokens.length; i++) {
    const { type } = tokens[i];
    if (ITEM_STARTS.has(type)) depth = 0;
    if (type === 'lbrace') depth++;
    if (type === 'rbrace') depth--;
    const isOf = tokens[i].value === 'of' && tokens[i - 1]?.type === 'ident';
    const outside = depth <= 0 && type === 'ident' && !isOf;
    const named = tokens[i + 1]?.type === 'ident';
    if (outside && isUses(tokens, i)) types.set(i, 'kw_uses');
    else if (outside && named && isObject(tokens, i, used, isBoundary)) types.set(i, 'object');
    else {
      isBoundary = ENDS_ITEM.has(type);
      continue;
    }
    // Skips the names that are declared here. After them, either this declaration goes on, or an item begins.
    if (named) i++;
    while (tokens[i + 1]?.type === 'comma' && tokens[i + 2]?.type === 'ident') i += 2;
    isBoundary = true;
  }
  return types;
}

/** Types of tokens that an item may end with. No instruction in a table of threads ends with one. */
const ENDS_ITEM = new Set(['header', 'string', 'under', 'rbrace', 'rparen', 'rbracket']);

/** Is this the keyword `uses`? Otherwise it is a name: even a thread above a table may be called so. */
const isUses = (tokens: readonly Token[], i: number): boolean => {
  const after = tokens[i + 1]?.type;
  return (
    tokens[i].value === 'uses' &&
    (after === 'ident' || after === undefined || ITEM_STARTS.has(after)) &&
    (i === 0 || ENDS_ITEM.has(tokens[i - 1].type) || tokens[i - 1].type === 'ident')
  );
};

function usedLibraries(tokens: readonly Token[]): ReadonlySet<string> {
  const used = new Set<string>();
  tokens.forEach((token, i) => {
    if (token.type !== 'ident' || !isUses(tokens, i)) return;
    for (let k = i + 1; tokens[k]?.type === 'ident'; k += 2) {
      // The library in `rbl-weak.cat` is most likely called rbl. The parser cannot look into that file.
      used.add(tokens[k].value).add(tokens[k].value.split('-')[0]);
      if (tokens[k + 1]?.type !== 'comma') break;
    }
  });
  return used;
}

/**
 * Words that items begin with. A word that resembles one of them is a typing mistake, and not a library missing from
 * `uses`.
 */
const NO_LIBRARIES = [
  ...['node', 'thread', 'threads', 'expect', 'computed', 'observed', 'deadlock', 'assertions'],
  ...ITEM_WORDS_BEFORE_NAMES,
];

/** What may follow the first name in a declaration of objects. */
const BEHIND_NAME = ['comma', 'lparen', 'kw_on', 'lbracket'];

/**
 * Does the declaration of an object begin here? It begins with a library that `uses` names; or, where an item may
 * begin, with a word that looks like a library which `uses` should name, so that this is reported later.
 */
function isObject(
  tokens: readonly Token[],
  i: number,
  used: ReadonlySet<string>,
  isBoundary: boolean,
): boolean {
  const { value } = tokens[i];
  if (used.has(value)) return !['comma', 'bar'].includes(tokens[i - 1]?.type);
  const [behind, next] = [tokens[i + 2], tokens[i + 3]];
  return (
    isBoundary &&
    nearest(value, NO_LIBRARIES) === undefined &&
    (behind === undefined ||
      BEHIND_NAME.includes(behind.type) ||
      ITEM_STARTS.has(behind.type) ||
      // Another declaration of this form follows.
      (behind.type === 'ident' && next?.type === 'ident'))
  );
}

/** The type of a word that only clients have, and that never begins an item. */
function wordOf(tokens: readonly Token[], i: number): string | undefined {
  const { type, value } = tokens[i];
  if (type !== 'ident') return undefined;
  const [before, after] = [tokens[i - 1]?.type, tokens[i + 1]?.type];
  switch (value) {
    case 'none':
      return 'kw_none';
    case 'nodes':
      return BEFORE_SET.includes(before) && BEHIND_SET.includes(after) ? 'kw_nodes' : undefined;
    case 'of':
      return after === 'int' ? 'kw_of' : undefined;
    case 'words':
    case 'word':
      return before === 'int' && tokens[i - 2]?.value === 'of' ? 'kw_words' : undefined;
    default:
      return undefined;
  }
}

/** Signs before and behind a set of nodes. */
const BEFORE_SET = ['lparen', 'comma', 'setminus'];
const BEHIND_SET = ['comma', 'rparen', 'setminus'];
