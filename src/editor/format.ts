import { isForHerd } from '../parse/litmus-foreign.js';
import type { SourceFile } from '../parse/diagnostics/index.js';
import type { Token } from '../parse/tokens.js';
import { align } from './align.js';
import type { Line } from './align.js';
import { lineOf, lineStarts } from './folding.js';
import { indentation } from './indentation.js';
import { languageOf } from './language.js';
import { lexemesOf } from './lexemes.js';
import { blanksBefore } from './spacing.js';

/**
 * Lays out a file. Line breaks and comments stay; blanks between the tokens of a line depend on the tokens. Columns
 * that neighbouring lines share stay columns. The meaning of a file never changes: all tokens and comments are the
 * same, in the same order. Formatting the result again changes nothing.
 *
 * @returns the new text; the old one if the file has characters that are in no token, or is a test of herd7, which has a layout of its own
 */
export const format = (source: SourceFile): string => formatted(source).text;

/** The same, as a file; the same file if nothing changes. Its tokens are known already. */
export function formatted(source: SourceFile): SourceFile {
  if (isForHerd(source.text)) return source;
  const tokens = lexemesOf(source);
  const language = languageOf(source.path);
  const broken = tokens.some(({ type }) => type === 'illegal' || type === 'unterminated');
  if (language === undefined || broken || tokens.length === 0) return source;
  const text = layOut(source, tokens, language === 'cat' ? 'cat' : 'litmus');
  const made = { ...source, text };
  return text !== source.text && saysTheSame(tokens, made) ? made : source;
}

function layOut(source: SourceFile, tokens: readonly Token[], language: 'cat' | 'litmus'): string {
  const rows = rowsOf(source, tokens);
  const indents = indentation(
    rows.map((row) => row.tokens),
    language,
  );
  const gaps = blanksBefore(tokens, language);
  let at = 0;
  const lines = rows.map((row, i): Line => {
    const pieces = row.tokens.map((token, k) => ({
      text: written(token, k === 0 ? row.columns[0] - indents[i] : 0),
      kind: token.type,
      column: row.columns[k],
      blanks: k === 0 ? row.columns[0] : blanksIn(row, k),
      gap: gaps[at++],
    }));
    // A row of a table may begin with an empty cell.
    const inTable = language === 'litmus' && row.tokens[0].type === 'bar';
    return {
      number: row.line,
      indent: indents[i],
      isComment: row.tokens.every(({ type }) => type === 'comment') && row.line === row.last,
      pieces: inTable ? [EMPTY, ...pieces] : pieces,
    };
  });
  const text = align(lines).map((line, i) => {
    const gap = i === 0 ? 0 : rows[i].line - rows[i - 1].last;
    return `${'\n'.repeat(Math.min(gap, 2))}${line}`;
  });
  const ending = source.text.includes('\r\n') ? '\r\n' : '\n';
  return `${text.join('')}\n`.replace(/\r?\n/g, ending);
}

const EMPTY = { text: '', kind: '', column: 0, blanks: 0, gap: 0 };

const blanksIn = ({ columns, tokens }: Row, k: number): number =>
  columns[k] - columns[k - 1] - lengthOf(tokens[k - 1]);

/** The tokens and comments of a line. */
interface Row {
  /** The line in which it begins, and the one in which it ends. */
  readonly line: number;
  last: number;
  readonly tokens: Token[];
  /** The column in which each of them begins; -1 after a token of several lines. */
  readonly columns: number[];
}

/**
 * Tokens by the lines in which they begin. After a token of several lines, tokens belong to the line in which that
 * token began.
 */
function rowsOf({ text }: SourceFile, tokens: readonly Token[]): readonly Row[] {
  const starts = lineStarts(text);
  const rows: Row[] = [];
  // A line may be as long as the file, so each is scanned only once.
  let seen = { line: 0, offset: 0, column: 0 };
  for (const token of tokens) {
    const { start, end } = token.span;
    const line = lineOf(starts, start);
    const before = rows.at(-1);
    const goesOn = before?.last === line;
    const row = goesOn ? before : { line, last: line, tokens: [], columns: [] };
    if (!goesOn) rows.push(row);
    if (seen.line !== line) seen = { line, offset: starts[line], column: 0 };
    const column = columnAfter(seen.column, text.slice(seen.offset, start));
    seen = { line, offset: start, column };
    row.tokens.push(token);
    row.columns.push(row.last > row.line ? -1 : column);
    row.last = lineOf(starts, end);
  }
  return rows;
}

/** The column after a text that begins in a column, as it is seen: a tab goes to the next multiple of 8. */
const columnAfter = (column: number, text: string): number =>
  [...text].reduce((at, c) => (c === '\t' ? (Math.floor(at / 8) + 1) * 8 : at + 1), column);

const lengthOf = ({ value }: Token): number => [...value].length;

/** The text of a token, without blanks at the ends of its lines. A comment of several lines is moved as a whole. */
function written({ type, value }: Token, moved: number): string {
  if (type === 'header' || (type === 'under' && !value.includes('\n'))) {
    return value.replace(/[ \t]+/g, ' ').replace(/ ?, ?/g, ', ');
  }
  if (type === 'string') return value;
  const lines = value.split('\n').map((line) => line.trimEnd());
  if (type !== 'comment' || lines.length === 1) return lines.join('\n');
  const [first, ...rest] = lines;
  const inner = rest.map((line) => {
    const own = columnAfter(0, /^\s*/.exec(line)![0]);
    return line === '' ? '' : ' '.repeat(Math.max(0, own - moved)) + line.trimStart();
  });
  return [first, ...inner].join('\n');
}

/** Does another text have the same tokens and comments? */
function saysTheSame(tokens: readonly Token[], other: SourceFile): boolean {
  const others = lexemesOf(other);
  const key = ({ type, value }: Token): string =>
    `${type} ${type === 'string' ? value : value.replace(/\s+/g, ' ').replace(/ ?, ?/g, ', ')}`;
  return (
    tokens.length === others.length && tokens.every((token, i) => key(token) === key(others[i]))
  );
}
