import { didYouMean, nearest } from './diagnostics/index.js';
import { ITEM_STARTS } from './litmus-lexer.js';
import { verbHint } from './litmus-verbs.js';
import type { Explained } from './nearley.js';
import { END, spanning } from './tokens.js';
import type { Token } from './tokens.js';

/**
 * Explains a token that must not stand where it does, if it comes from a habit of another language, or a word is
 * misspelt: says what was probably meant, and how it is written here. Undefined for anything else, which the parser
 * reports in its own words.
 */
export function explainLitmus(tokens: readonly Token[], index: number): Explained | undefined {
  const sign = SIGNS.get(tokens[index].type);
  if (sign !== undefined) return { message: sign };
  if (tokens[index].type === 'kw_nodeof' && tokens[index - 1]?.type === 'caret')
    return COMPUTED_NODE;
  return (
    aboutComment(tokens, index) ??
    aboutCondition(tokens, index) ??
    aboutRuns(tokens, index) ??
    aboutItem(tokens, index) ??
    aboutWords(tokens, index) ??
    aboutInstruction(tokens, index)
  );
}

const SIGNS = new Map([
  ['eqeq', "'==' is written '=' here"],
  ['slashslash', "a comment begins with '#'"],
]);

/** For a comment as in C. */
function aboutComment(tokens: readonly Token[], index: number): Explained | undefined {
  // In an expression, the slash is taken as a division, and only the star is unexpected.
  const at = tokens[index].type === 'times' ? index - 1 : index;
  const [slash, star] = [tokens[at], tokens[at + 1]];
  if (slash?.type !== 'div' || star?.type !== 'times') return undefined;
  if (star.span.start !== slash.span.end) return undefined;
  const span = spanning(slash, star);
  return { span, message: "a comment begins with '#', and ends with its line" };
}

/** Signs of conditions in C, and how they are written here. */
const IN_CONDITIONS = new Map([
  ['andand', "'&&' is written '/\\' in conditions"],
  ['oror', "'||' is written '\\/' in conditions"],
  ['bang', "'!' is written 'not' in conditions"],
]);

const COMPARISONS = ['lt', 'le', 'gt', 'ge'];

/** For several words that are not written `[x, y]^2 := [u, v]`. */
function aboutWords(tokens: readonly Token[], index: number): Explained | undefined {
  const { type } = tokens[index];
  const before = tokens.slice(0, index).map((token) => token.type);
  const open = before.lastIndexOf('lbracket');
  const start = before.findLastIndex((one) => ['semi', 'lbrace', 'rbrace'].includes(one));
  if (open < 0 || open < start) return undefined;
  if (type === 'caret' && !before.slice(open).includes('rbracket') && open === start + 1)
    return { message: 'several words are on one node', hint: 'write [x, y]^2 := [u, v]' };
  if (type === 'assignWork' && before[start + 1] === 'lbracket')
    return { message: 'a put or get of several words has no work identifier' };
  const sign = before.lastIndexOf('assign');
  if (before[start + 1] === 'lbracket' && type === 'rbracket' && index === start + 3)
    return { message: 'one word is in no brackets', hint: 'write x^2 := y' };
  if (before[start + 1] !== 'lbracket' || sign < start || before.slice(sign + 1).length > 0)
    return undefined;
  return { message: 'a value is needed for each word', hint: 'write [x, y]^2 := [u, v]' };
}

/** For `c^node(writer)` in an implementation. */
const COMPUTED_NODE: Explained = {
  message: "behind '^' stands the name of a node",
  hint: 'take it from a set: for n in {node(writer)} { c[n]^n := … }',
};

/** Tokens after which a condition, or a part of one, begins. */
const BEFORE_CONDITION = [
  ...['kw_exists', 'notExists', 'kw_forall', 'kw_filter', 'lparen'],
  ...['conj', 'disj', 'implies', 'tilde', 'kw_not'],
];

function aboutCondition(tokens: readonly Token[], index: number): Explained | undefined {
  const { type, value } = tokens[index];
  const sign = IN_CONDITIONS.get(type);
  if (sign !== undefined && !isInBraces(tokens, index)) return { message: sign };
  const before = tokens[index - 1];
  if (COMPARISONS.includes(type) && before?.type === 'ident' && !isInBraces(tokens, index)) {
    const name = before.value;
    return {
      message: `a condition has '=' and '!=', and no '${value}'`,
      hint: `name the values: (${name} = … \\/ ${name} = …)`,
    };
  }
  if (type === 'eq' || type === 'ne') {
    const first = tokens[index - 2]?.type;
    if (before?.type !== 'int' || !BEFORE_CONDITION.includes(first)) return undefined;
    return { message: 'a name comes first, and then its value', hint: `a = ${before.value}` };
  }
  if (type !== 'implies' && type !== 'conj' && type !== 'disj') return undefined;
  for (let i = index - 1; i >= 0; i--) {
    const other = tokens[i].type;
    if (ITEM_STARTS.has(other) || other === 'lbrace' || other === 'semi') return undefined;
    if (type === 'implies' ? other !== 'conj' && other !== 'disj' : other !== 'implies') continue;
    return {
      message: "'=>' next to '/\\' or '\\/' needs parentheses",
      hint: 'in herd7, a /\\ b => c is a /\\ (b => c); elsewhere it is (a /\\ b) => c',
    };
  }
  return undefined;
}

/** For a question about runs that is not whole, and for its marks. */
function aboutRuns(tokens: readonly Token[], index: number): Explained | undefined {
  const [word, before, first] = [tokens[index], tokens[index - 1], tokens[index - 2]];
  if (before?.type === 'kw_critical' && word.type === 'lbrace') {
    const message = 'a critical block has a name, so that a question can be about it';
    return { span: before.span, message, hint: 'critical c { … }' };
  }
  if (word.value === 'no' && tokens[index + 1]?.type === 'kw_deadlock') {
    const message = '`no deadlock` is an answer: the question is `deadlock`';
    return { span: spanning(word, tokens[index + 1]), message };
  }
  // What follows makes keywords of these two.
  if (word.type === END && before?.value === 'progress') return aboutProgress(before);
  const isStart = (one: Token | undefined): boolean =>
    one?.type === 'kw_exclusive' || (word.type === END && one?.value === 'exclusive');
  const start = [before, first].find(isStart);
  if (start === undefined || word.type === 'kw_of') return undefined;
  const message = '`exclusive` is about the blocks with a name, in some threads';
  return { span: start.span, message, hint: 'exclusive c of T1, T2' };
}

/** Which keywords a misspelt first word of an item may stand for, by the type of the token after it. */
const ITEMS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    lparen: ['exists', 'forall', 'filter', 'never'],
    lbracket: ['locations'],
    ident: [
      ...['node', 'thread', 'expect', 'computed'],
      ...['ghost', 'symmetric', 'exclusive', 'progress'],
    ],
    int: ['node', 'bound'],
    string: ['source', 'question', 'note'],
  }),
);

/** For a misspelt first word of an item: guesses the keyword. Inside of braces, no item begins. */
function aboutItem(tokens: readonly Token[], index: number): Explained | undefined {
  const of = tokens[index].type === 'kw_of' ? index : index - 1;
  if (tokens[of]?.type === 'kw_of' && ['ident', 'object'].includes(tokens[of - 2]?.type ?? '')) {
    const [word, section] = [tokens[of - 2], tokens[of - 1].value];
    const hint = `exclusive ${section} of T1, T2 asks whether at most one thread is in there`;
    return { span: word.span, message: `unknown word '${word.value}'`, hint };
  }
  const words = ITEMS.get(tokens[index].type);
  const word = tokens[index - 1];
  if (words === undefined || word?.type !== 'ident' || tokens[index - 2]?.type === 'bar') {
    return undefined;
  }
  if (word.value === 'progress' && !isInBraces(tokens, index - 1)) return aboutProgress(word);
  const hint = didYouMean(word.value, words);
  if (hint === undefined || isInBraces(tokens, index - 1)) return undefined;
  return { span: word.span, message: `unknown word '${word.value}'`, hint };
}

const aboutProgress = ({ span }: Token): Explained => ({
  span,
  message: '`progress` goes from a point of a thread to one',
  hint: 'progress T:enter -> T:c, with `at enter` or `critical c { … }` in T; also: progress any enter -> any c, progress always -> T:c',
});

/** Is a token inside of braces that its item has opened, and not closed? */
function isInBraces(tokens: readonly Token[], index: number): boolean {
  let closed = 0;
  for (let i = index - 1; i >= 0 && !ITEM_STARTS.has(tokens[i].type); i--) {
    const { type } = tokens[i];
    if (type === 'rbrace') closed++;
    if (type === 'lbrace' && closed-- === 0) return true;
  }
  return false;
}

/** Tokens after which an instruction begins. */
const BEFORE_INSTRUCTION = ['lbrace', 'semi', 'rbrace', 'bar'];

/** Which keywords a misspelt first word of an instruction may stand for, by the type of the token after it. */
const FORMS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({ lbrace: ['loop', 'choose', 'else'], ident: [], int: [] }),
);

const WHERE = 'docs/litmus.md lists the instructions, and docs/verbs.md says how verbs are written';

/**
 * For a misspelt first word of an instruction. The unexpected token comes right after it, or in its parentheses, or
 * after them. The parser does not know which operations a model has, so a word that may be a call is never reported.
 */
function aboutInstruction(tokens: readonly Token[], index: number): Explained | undefined {
  const { type } = tokens[index];
  const word = tokens[index - 1];
  if (word === undefined) return undefined;
  if (type === 'lparen' && word.type === 'kw_skip') {
    return { message: '`skip` has nothing in parentheses', hint: 'write skip' };
  }
  if (word.type === 'rparen' && type === 'lbrace') {
    const name = openedBehind(tokens, index - 2);
    return name === undefined ? undefined : unknownWord(tokens, name, ['if', 'while'], true);
  }
  if (type === 'semi' || type === 'assign') {
    const name = openedBehind(tokens, index - 1);
    if (name !== undefined) return unknownWord(tokens, name, [], false);
  }
  const forms = FORMS.get(type);
  const unknown = forms && unknownWord(tokens, index - 1, forms, false);
  if (unknown !== undefined) return unknown;
  if (!beginsInstruction(tokens, index - 1) || !['eq', 'int', 'ident'].includes(type)) {
    return undefined;
  }
  if (type === 'eq') return { message: "an assignment is written ':='" };
  return { message: `unexpected '${tokens[index].value}'; expected '(', ':=', ':=^' or '^'` };
}

/** The index of the name before the parenthesis that is still open at an index, within the same instruction. */
function openedBehind(tokens: readonly Token[], start: number): number | undefined {
  let closed = 0;
  for (let i = start; i > 0; i--) {
    const { type } = tokens[i];
    if (BEFORE_INSTRUCTION.includes(type) || ITEM_STARTS.has(type)) return undefined;
    if (type === 'rparen') closed++;
    if (type === 'lparen' && closed-- === 0) return i - 1;
  }
  return undefined;
}

/** Is a token a name, the first of an instruction? */
function beginsInstruction(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1];
  return (
    tokens[index].type === 'ident' &&
    before !== undefined &&
    BEFORE_INSTRUCTION.includes(before.type) &&
    // After the brace that closes an item comes an item, and no instruction.
    (before.type !== 'rbrace' || isInBraces(tokens, index)) &&
    !isDeclared(tokens, index + 1)
  );
}

/**
 * For an unknown first word of an instruction: the verb that it is from, or a guess among `forms`. Without any,
 * undefined; or, if `always`, a message that says where instructions are listed.
 */
function unknownWord(
  tokens: readonly Token[],
  index: number,
  forms: readonly string[],
  always: boolean,
): Explained | undefined {
  if (!beginsInstruction(tokens, index)) return undefined;
  const { value, span } = tokens[index];
  const known = verbHint(value);
  if (known !== undefined) return { span, ...known };
  const message = `unknown instruction '${value}'`;
  const guess = nearest(value, forms);
  if (guess !== undefined) return { span, message, hint: `did you mean '${guess}'?` };
  return always ? { span, message, hint: WHERE } : undefined;
}

/** Is a token inside of `node 1 { … }` or `locations [ … ]`? */
function isDeclared(tokens: readonly Token[], index: number): boolean {
  for (let i = index - 1; i >= 0; i--) {
    const { type } = tokens[i];
    if (type === 'lbracket') return true;
    if (type === 'lbrace') return tokens[i - 2]?.type === 'kw_node';
    // Here a block ends, or a thread in the head of a table: what follows is no declaration.
    if (type === 'rbrace' || type === 'at') return false;
  }
  return false;
}
