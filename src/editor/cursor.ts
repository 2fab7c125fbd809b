import type { SourceFile } from '../parse/diagnostics/index.js';
import type { Token } from '../parse/tokens.js';
import { columnsOf } from './columns.js';
import { lexemesOf } from './lexemes.js';

/** The place of a cursor, with the text and tokens around it. */
export interface Cursor {
  /** The text before it on its line and those above. */
  readonly before: string;
  /** The tokens before the word that is being written. */
  readonly tokens: readonly Token[];
  /** All tokens of the file. */
  readonly all: readonly Token[];
  readonly offset: number;
  /** What the cursor is inside of, if it is no code. */
  readonly inside?: 'comment' | 'string';
}

const WORD = /[\w.'-]*$/;

export function cursorAt(source: SourceFile, offset: number): Cursor {
  const before = source.text.slice(0, offset);
  const [word] = WORD.exec(before)!;
  const all = lexemesOf(source);
  const around = all.find(({ span }) => span.start < offset && offset < span.end);
  const openString =
    around?.type === 'string' || /"[^"\n]*$/.test(before.slice(before.lastIndexOf('\n') + 1));
  const inside = around?.type === 'comment' ? 'comment' : openString ? 'string' : undefined;
  const start = offset - word.length;
  const tokens = all.filter(({ type, span }) => type !== 'comment' && span.end <= start);
  return { before, tokens, all, offset, inside };
}

/** The brackets that are open, each with the token before it. */
export function openBrackets(
  tokens: readonly Token[],
): readonly { readonly bracket: Token; readonly before?: Token }[] {
  const open: { bracket: Token; before?: Token }[] = [];
  tokens.forEach((token, i) => {
    if (/^l(paren|brace|bracket)$/.test(token.type))
      open.push({ bracket: token, before: tokens[i - 1] });
    if (/^r(paren|brace|bracket)$/.test(token.type)) open.pop();
  });
  return open;
}

/** The thread whose block the cursor is in. */
export function threadAround({ tokens }: Cursor): string | undefined {
  const at = tokens.findLastIndex(({ type, value }) => type === 'kw_thread' || value === 'threads');
  return tokens[at + 1]?.value;
}

/** The thread of a table whose column the cursor is in, and whether the table may end here. */
export function columnAround({ tokens }: Cursor): { thread: string; mayEnd: boolean } | undefined {
  const table = columnsOf(tokens);
  const row = table?.rows.at(-1);
  const last = tokens.at(-1);
  if (table === undefined || last === undefined) return undefined;
  // After the heads, or after the end of a row.
  if (row === undefined || row.end === last) {
    return last.type === 'semi' ? { thread: table.heads[0], mayEnd: true } : undefined;
  }
  const thread = table.heads[row.cells.length - 1];
  return row.end === undefined && thread !== undefined ? { thread, mayEnd: false } : undefined;
}
