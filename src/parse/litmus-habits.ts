import { didYouMean, nearest } from './diagnostics/index.js';
import type { Diagnostic } from './diagnostics/index.js';
import { ITEM_STARTS } from './litmus-lexer.js';
import { verbHint } from './litmus-verbs.js';
import type { Explained } from './nearley.js';
import { spanning } from './tokens.js';
import type { Token } from './tokens.js';

/**
 * Explains a token that cannot stand where it does, if it is a habit from another language: says what
 * was probably meant, and how it is written here. Undefined for anything else: then the parser's own
 * message stands.
 */
export function explainLitmus(tokens: readonly Token[], index: number): Explained | undefined {
  const sign = SIGNS.get(tokens[index].type);
  if (sign !== undefined) return { message: sign };
  return (
    aboutCondition(tokens, index) ?? aboutItem(tokens, index) ?? aboutInstruction(tokens, index)
  );
}

const SIGNS = new Map([
  ['eqeq', "'==' is written '=' here"],
  ['slashslash', "a comment begins with '#'"],
]);

/** Tokens after which a condition, or a part of one, begins. */
const BEFORE_CONDITION = [
  ...['kw_exists', 'notExists', 'kw_forall', 'kw_filter', 'lparen'],
  ...['conj', 'disj', 'implies', 'tilde', 'kw_not'],
];

function aboutCondition(tokens: readonly Token[], index: number): Explained | undefined {
  const { type } = tokens[index];
  if (type === 'eq' || type === 'ne') {
    const [before, first] = [tokens[index - 2], tokens[index - 1]];
    if (first?.type !== 'int' || !BEFORE_CONDITION.includes(before?.type)) return undefined;
    return { message: 'a name comes first, and then its value', hint: `a = ${first.value}` };
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

/** Which keywords a misspelt first word of an item may stand for, by the type of the token after it. */
const ITEMS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    lparen: ['exists', 'forall', 'filter'],
    lbracket: ['locations'],
    ident: ['node', 'thread', 'expect', 'computed'],
    int: ['node', 'bound'],
    string: ['source', 'question', 'note'],
  }),
);

/** A misspelt first word of an item, outside of all braces: guesses the keyword. */
function aboutItem(tokens: readonly Token[], index: number): Explained | undefined {
  const words = ITEMS.get(tokens[index].type);
  const word = tokens[index - 1];
  if (words === undefined || word?.type !== 'ident' || tokens[index - 2]?.type === 'bar') {
    return undefined;
  }
  const hint = didYouMean(word.value, words);
  if (hint === undefined || isInBraces(tokens, index - 1)) return undefined;
  return { span: word.span, message: `unknown word '${word.value}'`, hint };
}

/** Does a token stand in braces that its item opened? */
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

const BARE = ['mfence', 'skip'];

/** Which instructions a misspelt word may stand for, by the type of the token after it. */
const FORMS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    lparen: ['poll', 'rfence', 'wait', 'assume', 'if', 'while'],
    lbrace: ['loop', 'choose', 'else'],
    semi: BARE,
    rbrace: BARE,
    bar: BARE,
    ident: [],
    int: [],
  }),
);

const WHERE = 'docs/litmus.md lists the instructions, and docs/verbs.md says how verbs are written';

function aboutInstruction(tokens: readonly Token[], index: number): Explained | undefined {
  const { type } = tokens[index];
  const [before, word] = [tokens[index - 2], tokens[index - 1]];
  const forms = FORMS.get(type);
  if (forms === undefined || word === undefined) return undefined;
  const { value, span } = word;
  if (type === 'lparen' && (word.type === 'kw_mfence' || word.type === 'kw_skip')) {
    return { message: `\`${value}\` has nothing in parentheses`, hint: `write ${value}` };
  }
  if (word.type !== 'ident' || before === undefined) return undefined;
  if (before.type === 'assign' && type === 'lparen') {
    const guess = didYouMean(value, ['CAS']);
    if (guess !== undefined) return { span, message: `unknown function '${value}'`, hint: guess };
    const hint = 'the one function is CAS(x, e1, e2)';
    return { span, ...(verbHint(value) ?? { message: `unknown function '${value}'`, hint }) };
  }
  if (!BEFORE_INSTRUCTION.includes(before.type) || isDeclared(tokens, index)) return undefined;
  const known = verbHint(value);
  if (known !== undefined) return { span, ...known };
  const message = `unknown instruction '${value}'`;
  const guess = nearest(value, forms);
  if (guess !== undefined) return { span, message, hint: `did you mean '${guess}'?` };
  return type === 'lparen' ? { span, message, hint: WHERE } : undefined;
}

/** Is a token inside of `node 1 { … }` or `locations [ … ]`? */
function isDeclared(tokens: readonly Token[], index: number): boolean {
  for (let i = index - 1; i >= 0; i--) {
    const { type } = tokens[i];
    if (type === 'lbracket') return true;
    if (type === 'lbrace') return tokens[i - 2]?.type === 'kw_node';
    // A block ends here, or the head of a table does.
    if (type === 'rbrace' || type === 'at') return false;
  }
  return false;
}

/** The first words of herd7's litmus files: its names for languages. */
const HERD_LANGUAGES = [
  ...['X86', 'X86_64', 'C', 'LISA', 'AArch64', 'ARM', 'PPC', 'MIPS', 'RISCV', 'BPF', 'ASL', 'JAVA'],
  ...['Java', 'Bell', 'GPU_PTX', 'PTX', 'OpenCL', 'CPP11'],
];

/** Says what a file is, if it is a litmus test of herd7 in another language. */
export function foreignTest([head, name]: readonly Token[]): Diagnostic | undefined {
  if (head === undefined || name === undefined || name.type === 'at') return undefined;
  if (!HERD_LANGUAGES.includes(head.value)) return undefined;
  return {
    span: spanning(head, head),
    message: `this is a litmus test for herd7, in its language ${head.value}; Remora reads programs that begin with RDMA`,
    hint: 'docs/litmus.md says how to write it here',
  };
}
