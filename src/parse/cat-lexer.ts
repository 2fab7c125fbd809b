import moo from 'moo';
import type { SourceFile } from './diagnostics/index.js';
import { withDeclarations } from './declaration-words.js';
import { CAT_KEYWORDS, CAT_TESTS } from './keywords.js';
import { once } from './once.js';
import { STRAY_RULES, tokenize } from './tokens.js';
import type { Token } from './tokens.js';

/**
 * The tokens of cat, as in herd7. The type of a keyword is `kw_` and the keyword; the type of a sign is its name. The lexer is made at its first
 * use, which most runs never reach: the models that come with Remora were parsed when it was built.
 */
const catLexer = once(() =>
  moo.states({
    main: {
      blank: { match: /[ \t\r\n]+/, lineBreaks: true },
      remark: /(?:\/\/|#)[^\r\n]*/,
      comment: { match: '(*', push: 'comment' },
      string: /"[^"\n]*"/,
      name: {
        match: /_?[A-Za-z][A-Za-z0-9_.-]*'?/,
        type: moo.keywords(Object.fromEntries(CAT_KEYWORDS.map((word) => [`kw_${word}`, word]))),
      },
      tag: /'_?[A-Za-z][A-Za-z0-9_.-]*/,
      plusplus: '++',
      arrow: '->',
      inverse: /\^[ \t]*-1/,
      zero: /0(?![0-9])/,
      // Signs of declarations: see declaration-words.ts.
      int: /[0-9]+/,
      oror: '||',
      andand: '&&',
      assign: ':=',
      colon: ':',
      ne: '!=',
      le: '<=',
      ge: '>=',
      lt: '<',
      gt: '>',
      minus: '-',
      div: '/',
      mod: '%',
      bang: '!',
      lbrace: '{',
      rbrace: '}',
      universe: '_',
      bar: '|',
      semi: ';',
      backslash: '\\',
      amp: '&',
      star: '*',
      plus: '+',
      question: '?',
      tilde: '~',
      equals: '=',
      comma: ',',
      lparen: '(',
      rparen: ')',
      lbracket: '[',
      rbracket: ']',
      ...STRAY_RULES,
    },
    comment: {
      comment: { match: '(*', push: 'comment' },
      commentEnd: { match: '*)', pop: 1 },
      commentText: { match: /[^(*]+|[(*]/, lineBreaks: true },
    },
  }),
);

const SKIPPED: ReadonlySet<string> = new Set(['blank', 'remark', 'commentText']);

/**
 * The tokens of a model file, without comments. The token after a doc comment has the comment's words.
 * Two signs have two meanings each, and the token's type tells which:
 * `~` is `not` before an axiom's test, and `*` is `times` before an expression.
 */
export function lexCat(source: SourceFile): Token[] {
  const tokens = withoutComments(tokenize(catLexer(), source, SKIPPED), source);
  const signed = tokens.map((token, i) => {
    if (token.type === 'tilde' && isTest(tokens[i + 1])) return { ...token, type: 'not' };
    if (token.type === 'star' && beginsExpression(tokens, i + 1))
      return { ...token, type: 'times' };
    return token;
  });
  return withDeclarations(signed, beginsCatItem);
}

const BLANKS: ReadonlySet<string> = new Set(['blank']);

/**
 * The tokens and comments of a model file, each comment as one token of type `comment`. For layout: no grammar knows
 * these.
 */
export function catLexemes(source: SourceFile): Token[] {
  const lexemes: Token[] = [];
  let [depth, start] = [0, 0];
  for (const token of tokenize(catLexer(), source, BLANKS)) {
    if (token.type === 'comment' && depth++ === 0) start = token.span.start;
    if (token.type === 'commentEnd') depth--;
    const inside = depth > 0 || token.type === 'commentEnd';
    if (!inside) lexemes.push(token.type === 'remark' ? { ...token, type: 'comment' } : token);
    else if (depth === 0) lexemes.push(commentFrom(source, start, token.span.end));
  }
  return depth === 0 ? lexemes : [...lexemes, commentFrom(source, start, source.text.length)];
}

function commentFrom({ path, text }: SourceFile, start: number, end: number): Token {
  return { type: 'comment', value: text.slice(start, end), span: { file: path, start, end } };
}

/** Words that begin an item wherever they stand. */
const STARTS: ReadonlySet<string> = new Set([
  ...['include', 'let', 'flag', 'show', 'unshow', 'assert', 'undefined_unless'],
  ...['enum', 'procedure', 'call', 'forall', 'debug', 'instructions', 'default'],
]);

/** Does an item that is no declaration begin at an index? */
export function beginsCatItem(tokens: readonly Token[], index: number): boolean {
  const { type, value } = tokens[index];
  const previous = tokens[index - 1]?.type;
  if (type === 'kw_with') return tokens[index + 2]?.type === 'kw_from';
  if (type.startsWith('kw_') && STARTS.has(value)) return true;
  if (previous === 'not' || isPrefix(previous)) return false;
  return type === 'not' || isTest(tokens[index]);
}

/** What may stand before the test of an axiom. */
const isPrefix = (type: string | undefined): boolean =>
  ['kw_flag', 'kw_assert', 'kw_undefined_unless', 'kw_when'].includes(type ?? '');

/** Whether a token is an axiom's test. */
export function isTest(token: Token | undefined): boolean {
  return CAT_TESTS.some((test) => token?.type === `kw_${test}`);
}

/**
 * Leaves out comments, also nested ones. One that never ends becomes a token that no grammar accepts, and so is
 * reported.
 */
function withoutComments(tokens: readonly Token[], source: SourceFile): Token[] {
  const kept: Token[] = [];
  const open: Token[] = [];
  let doc: { readonly words: string; readonly end: number } | undefined;
  for (const token of tokens) {
    if (token.type === 'comment') open.push(token);
    else if (token.type === 'commentEnd') {
      const start = open.pop();
      if (start !== undefined && open.length === 0) doc = docComment(source, start, token);
    } else {
      const direct =
        doc !== undefined && source.text.slice(doc.end, token.span.start).trim() === '';
      kept.push(direct ? { ...token, words: doc!.words } : token);
      doc = undefined;
    }
  }
  return open.length === 0 ? kept : [...kept, { ...open[0], type: 'unterminated' }];
}

/** What `(** words *)` says, on one line; undefined for any other comment. */
function docComment(
  { text }: SourceFile,
  open: Token,
  close: Token,
): { readonly words: string; readonly end: number } | undefined {
  const [start, end] = [open.span.start, close.span.end];
  const inside = text.slice(start + '(**'.length, close.span.start);
  if (!/^\(\*\*[^*)]/.test(text.slice(start, start + 4))) return undefined;
  // A comment may hold any character, and its words are printed: none of them may move the cursor of a terminal.
  const words = inside
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '\uFFFD');
  return words === '' ? undefined : { words, end };
}

/** Whether an expression begins at an index. In `let a = b* ~empty c`, none begins after `*`. */
function beginsExpression(tokens: readonly Token[], index: number): boolean {
  const starts = ['name', 'zero', 'universe', 'lparen', 'lbracket', 'tag', 'lbrace', 'kw_begin'];
  const type = tokens[index]?.type;
  return starts.includes(type) || (type === 'tilde' && !isTest(tokens[index + 1]));
}
