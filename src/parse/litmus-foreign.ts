import type { Diagnostic, SourceFile } from './diagnostics/index.js';
import { spanning } from './tokens.js';
import type { Token } from './tokens.js';

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

/** Words of C that stand before a name, and types that do. */
const BEFORE_NAME = ['struct', 'union', 'enum', 'typedef', 'static', 'const', 'unsigned', 'extern'];
const TYPE = /^(?:int|char|void|long|short|bool|float|double|size_t|u?int\d+_t)$/;

/** Tokens behind which a statement of C begins. */
const BEFORE_STATEMENT = ['lbrace', 'rbrace', 'semi'];

/**
 * Says that a file is C, or has C in it, where it cannot be read: the first place that shows it. What is between verbs is then
 * no mistake of its own.
 */
export function cInstead(
  tokens: readonly Token[],
  { path, text }: SourceFile,
): Diagnostic | undefined {
  const isLitmus = tokens.some(({ type }) => type === 'header');
  const token = tokens.find(
    (_, i) => declaresAsC(tokens, i, isLitmus) || callsVerb(tokens, i, isLitmus),
  );
  const spans = [token?.span, isLitmus ? undefined : directive(path, text)];
  const [span] = spans.filter((one) => one !== undefined).sort((a, b) => a.start - b.start);
  if (span === undefined) return undefined;
  return {
    span,
    message:
      'this is C, and Remora reads litmus files: what each thread posts, polls, reads and writes',
    hint: 'a WRITE is `x^2 := y`, a READ is `y := x^2`, and `poll(2)` waits for it; docs/verbs.md has all verbs',
  };
}

/** `struct ibv_sge sge`, `int main(`, `void *run`. That a thread of a litmus file declares `int a` has a message of its own. */
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

/** `ibv_post_send(`. In a litmus file, `rdma_max(` may be an operation that a model declares. */
const callsVerb = (tokens: readonly Token[], i: number, isLitmus: boolean): boolean =>
  (isLitmus ? /^ibv_\w/ : /^(?:ibv|rdma)_\w/).test(tokens[i].value) &&
  tokens[i + 1]?.type === 'lparen';

/** A line of C's preprocessor: in litmus files, it is a comment. */
function directive(file: string, text: string): Diagnostic['span'] | undefined {
  const found = /^[ \t]*#[ \t]*(?:include[ \t]*[<"].*|define[ \t]+\w+.*)/m.exec(text);
  return found === null
    ? undefined
    : { file, start: found.index, end: found.index + found[0].trimEnd().length };
}
