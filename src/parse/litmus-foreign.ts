import type { Diagnostic, SourceFile } from './diagnostics/index.js';
import { spanning } from './tokens.js';
import type { Token } from './tokens.js';

/** The words with which litmus files of herd7 begin: its names of languages. */
const HERD_LANGUAGES = [
  ...['X86', 'X86_64', 'C', 'LISA', 'AArch64', 'ARM', 'PPC', 'MIPS', 'RISCV', 'BPF', 'ASL', 'JAVA'],
  ...['Java', 'Bell', 'GPU_PTX', 'PTX', 'OpenCL', 'CPP11'],
];

/** Is a text a litmus test of herd7, in whatever language of it? */
export function isForHerd(text: string): boolean {
  const [, word] = /^\s*(?:\(\*[^]*?\*\)\s*)*(\w+)[ \t]+[^\s@]/.exec(text) ?? [];
  return word !== undefined && HERD_LANGUAGES.includes(word);
}

/** The diagnostic for a litmus test of herd7 in a language that is not read; undefined for any other file. */
export function foreignTest(text: string, [head]: readonly Token[]): Diagnostic | undefined {
  if (!isForHerd(text)) return undefined;
  return {
    span: spanning(head, head),
    message: `this is a litmus test for herd7, in its language ${head.value}, which is not read`,
    hint: 'read are RDMA (docs/litmus.md) and the languages of models/isa (docs/herd.md)',
  };
}

/** Words and types of C that begin a declaration. */
const BEFORE_NAME = ['struct', 'union', 'enum', 'typedef', 'static', 'const', 'unsigned', 'extern'];
const TYPE = /^(?:int|char|void|long|short|bool|float|double|size_t|u?int\d+_t)$/;

/** Tokens after which a statement of C may begin. */
const BEFORE_STATEMENT = ['lbrace', 'rbrace', 'semi'];

/**
 * The diagnostic for a file that cannot be read because it is C, or has C in it: it points at the first place that
 * shows this. It replaces all other messages about the file, which would only puzzle the user.
 */
export function cInstead(
  tokens: readonly Token[],
  { path, text }: SourceFile,
): Diagnostic | undefined {
  // The header may stand in a comment of C.
  const isLitmus = tokens.some(({ type }) => type === 'header') && !/^\s*\/[/*]/.test(text);
  const token = tokens.find(
    (_, i) => declaresAsC(tokens, i, isLitmus) || callsVerb(tokens, i, isLitmus),
  );
  const spans = [token?.span, isLitmus ? undefined : directive(path, text)];
  const [span] = spans.filter((one) => one !== undefined).sort((a, b) => a.start - b.start);
  if (span === undefined) return undefined;
  if (!isLitmus) {
    return {
      span,
      message: 'this is C, in a file that is read as a litmus file',
      hint: 'a C file ends in .c, and begins with a comment that says what is where: `remora c` prints it',
    };
  }
  return {
    span,
    message: 'this is C: a litmus file says what each thread posts, polls, reads and writes',
    hint: 'a WRITE is `x^2 := y`, a READ is `y := x^2`, and `poll(2)` waits for it; docs/verbs.md has all verbs',
  };
}

/**
 * Does a declaration of C begin here: `struct ibv_sge sge`, `int main(`, `void *run`? In a litmus file, `int a` inside
 * of a thread does not count, because the parser has a better message for that.
 */
function declaresAsC(tokens: readonly Token[], i: number, isLitmus: boolean): boolean {
  const [{ type, value }, next, behind] = tokens.slice(i, i + 3);
  const before = tokens[i - 1];
  if (type !== 'ident') return false;
  if (before !== undefined && !BEFORE_STATEMENT.includes(before.type)) return false;
  const isType = TYPE.test(value);
  if (!isType && !BEFORE_NAME.includes(value)) return false;
  const isPointer = next?.type === 'times' && behind?.type === 'ident';
  return isPointer || (next?.type === 'ident' && !(isType && isLitmus));
}

/** Is a verb of C called here: `ibv_post_send(`? In a litmus file, `rdma_max(` may be an operation of a model instead. */
const callsVerb = (tokens: readonly Token[], i: number, isLitmus: boolean): boolean =>
  (isLitmus ? /^ibv_\w/ : /^(?:ibv|rdma)_\w/).test(tokens[i].value) &&
  tokens[i + 1]?.type === 'lparen';

/** The first line for C's preprocessor. The lexer does not tell: in a litmus file, such a line is a comment. */
function directive(file: string, text: string): Diagnostic['span'] | undefined {
  const found = /^[ \t]*#[ \t]*(?:include[ \t]*[<"].*|define[ \t]+\w+.*)/m.exec(text);
  return found === null
    ? undefined
    : { file, start: found.index, end: found.index + found[0].trimEnd().length };
}
