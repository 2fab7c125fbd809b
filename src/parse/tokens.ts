import type moo from 'moo';
import type { SourceFile, Span } from './diagnostics/index.js';

/** A token. `value` is its text as it stands in the file. */
export interface Token {
  readonly type: string;
  readonly value: string;
  readonly span: Span;
  /** What the doc comment right before it says; only tokens of model files have one. */
  readonly words?: string;
}

/** The type of the token that stands for the end of a file where it is explained why a file must not end. */
export const END = 'end';

/**
 * The last rules of every lexer, so that lexing never fails: what no other rule matches becomes a token that no grammar
 * accepts. The parser reports it.
 */
export const STRAY_RULES = {
  unterminated: /"[^"\n]*/,
  illegal: { match: /[\uD800-\uDBFF][\uDC00-\uDFFF]|[^]/, lineBreaks: true },
} satisfies moo.Rules;

/** What is said of a string without its second quote. */
export const UNTERMINATED = 'unterminated string';

/** What is wrong with a token of `STRAY_RULES`; undefined for every other token. */
export function strayMessage(token: Token): string | undefined {
  if (token.type === 'illegal') return `illegal character ${visible(token.value)}`;
  if (token.type !== 'unterminated') return undefined;
  return token.value.startsWith('"') ? UNTERMINATED : 'unterminated comment';
}

/** A character in quotes, or its number if it cannot be seen. */
function visible(character: string): string {
  if (!/[\p{C}\p{Z}\p{M}]/u.test(character)) return `"${character}"`;
  const code = character.codePointAt(0)!.toString(16).toUpperCase();
  return `U+${code.padStart(4, '0')}`;
}

/** A control character. None in a file may reach the terminal when names and texts are printed. */
const CONTROL = /(?![\t\r\n])\p{Cc}/u;

/**
 * The tokens of a file in order, without those of the types in `skipped`. A token that has a control character becomes
 * one that no grammar accepts.
 *
 * @param lexer a moo lexer whose rules end with `STRAY_RULES`
 */
export function tokenize(
  lexer: moo.Lexer,
  source: SourceFile,
  skipped: ReadonlySet<string>,
): Token[] {
  const tokens: Token[] = [];
  const suspect = CONTROL.test(source.text);
  lexer.reset(source.text);
  for (const { type = '', text, offset } of lexer) {
    if (skipped.has(type)) continue;
    const control = suspect ? CONTROL.exec(text) : null;
    const start = offset + (control?.index ?? 0);
    const end = control === null ? offset + text.length : start + 1;
    const span = { file: source.path, start, end };
    if (control === null) tokens.push({ type, value: text, span });
    else tokens.push({ type: 'illegal', value: control[0], span });
  }
  return tokens;
}

/** The span from the start of one part of a file to the end of a later one. */
export function spanning(first: { readonly span: Span }, last: { readonly span: Span }): Span {
  return { file: first.span.file, start: first.span.start, end: last.span.end };
}
