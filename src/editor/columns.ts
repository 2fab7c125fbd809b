import { ITEM_STARTS } from '../parse/litmus-lexer.js';
import type { Token } from '../parse/tokens.js';
import { BEGINNING_WORDS } from './indentation.js';

/** Threads as a table, like the papers' figures: each thread is a column. */
export interface Columns {
  /** The names of the threads, from the left to the right. */
  readonly heads: readonly string[];
  /** The rows below the heads. The last one may be unfinished. */
  readonly rows: readonly InstructionRow[];
}

/** A row: for each column the tokens of its cell. */
export interface InstructionRow {
  readonly first: Token;
  readonly cells: readonly (readonly Token[])[];
  /** The `;` that it ends with. */
  readonly end?: Token;
}

const OPEN = /^l(paren|brace|bracket)$/;
const CLOSE = /^r(paren|brace|bracket)$/;

/** The table of threads of a litmus file. It is found by tokens, since a table that is being written is in no tree. */
export function columnsOf(lexemes: readonly Token[]): Columns | undefined {
  const tokens = lexemes.filter(({ type }) => type !== 'comment');
  const first = tokens.findIndex((token, i) => token.type === 'ident' && isHead(tokens, i));
  if (first < 0) return undefined;
  const rows: InstructionRow[] = [];
  let cells: Token[][] = [[]];
  let begin: Token | undefined;
  let depth = 0;
  for (const token of tokens.slice(first)) {
    if (begin === undefined && rows.length > 0 && endsTable(token)) break;
    begin ??= token;
    if (OPEN.test(token.type)) depth += 1;
    if (CLOSE.test(token.type)) depth -= 1;
    if (depth === 0 && token.type === 'semi') {
      rows.push({ first: begin, cells, end: token });
      cells = [[]];
      begin = undefined;
    } else if (depth === 0 && token.type === 'bar') cells.push([]);
    else cells.at(-1)!.push(token);
  }
  if (begin !== undefined) rows.push({ first: begin, cells });
  const [head, ...below] = rows;
  return { heads: head.cells.map(([name]) => name?.value ?? ''), rows: below };
}

const isHead = (tokens: readonly Token[], i: number): boolean => tokens[i + 1]?.type === 'at';

/** Words that can begin instructions, too. */
const ALSO_INSTRUCTIONS: readonly string[] = ['ghost', 'for'];

/** Does a token end the table? Rows cannot begin with it. */
const endsTable = ({ type, value }: Token): boolean =>
  ITEM_STARTS.has(type) || (BEGINNING_WORDS.has(value) && !ALSO_INSTRUCTIONS.includes(value));
