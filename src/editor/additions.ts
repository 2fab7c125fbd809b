import type { PrintedRepair, PrintedRetag } from '../analyses/repair/print.js';
import type { SourceFile, Span } from '../parse/diagnostics/index.js';
import type { LitmusFile, QueuePairDecl } from '../parse/litmus-ast.js';
import { parseLitmusFile } from '../parse/litmus.js';
import type { Token } from '../parse/tokens.js';
import type { Columns, InstructionRow } from './columns.js';
import { columnsOf } from './columns.js';
import type { Edit } from './hints.js';
import { lexemesOf } from './lexemes.js';

type FoundRepair = Extract<PrintedRepair, { kind: 'found' }>;

/**
 * The edits that write the additions of a repair into a file. Threads of a family share a text, which gets an addition
 * once. In a table of columns an addition gets a row of its own. A test of a status has no edit there.
 */
export function editsFor(
  source: SourceFile,
  { additions, retagged = [], replaced = [], litmus }: FoundRepair,
): readonly Edit[] {
  const tokens = lexemesOf(source);
  const table = columnsOf(tokens);
  const rows = new Map<InstructionRow, string[][]>();
  const edits = new Map<string, Edit>();
  const seen: string[] = [];
  const insert = (thread: string, span: Span, at: number, written: string): void => {
    // A thread may have the same addition twice.
    const own = `${thread} ${at} ${written}`;
    const nth = seen.filter((one) => one === own).length;
    seen.push(own);
    edits.set(`${nth} ${at} ${written}`, { span: { ...span, start: at, end: at }, text: written });
  };
  for (const { thread, text, insteadOf, span } of replaced) {
    if (!text.endsWith(insteadOf)) continue;
    insert(thread, span, span.start, text.slice(0, -insteadOf.length));
  }
  for (const { thread, kind, text, place } of additions) {
    const cell = 'before' in place ? table && cellAt(table, place.span.start) : undefined;
    if (cell !== undefined) {
      const added = rows.get(cell.row) ?? cell.row.cells.map((): string[] => []);
      added[cell.column].push(...text.split('; '));
      rows.set(cell.row, added);
      continue;
    }
    const { span } = place;
    if (kind === 'status') {
      const [test, end] = text.split('…');
      insert(thread, span, span.start, test);
      insert(thread, span, endOfOwnBlock(tokens, span.start, source.text.length), `${end.trim()} `);
      continue;
    }
    const at = 'before' in place ? span.start : endOfBlock(tokens, span.end, source.text.length);
    insert(thread, span, at, 'before' in place ? `${text}; ` : `; ${text} `);
  }
  const above = [...rows].map(([row, added]) => rowsAbove(source, row, added));
  return [
    ...[...new Map(retagged.map((one) => [one.span.start, otherTags(source, one)])).values()],
    ...newDeclarations(source, litmus),
    ...edits.values(),
    ...above,
  ];
}

/** Other tags in a declaration or a call, which a family has once, and which otherwise stays as it is written. */
function otherTags({ text: source }: SourceFile, retag: PrintedRetag): Edit {
  const { span, tags, thread, text, insteadOf } = retag;
  const written = source.slice(span.start, span.end);
  if (thread !== undefined) {
    if (retag.kind === 'acquire') return { span, text };
    const lost = bracketed(insteadOf).filter((tag) => !bracketed(text).includes(tag));
    const kept = written.replace(BRACKETED, (all, tag: string) => (lost.includes(tag) ? '' : all));
    return { span, text: kept };
  }
  const [value] = /^[^=]*=\s*[^[\s]+/.exec(written)!;
  const start = span.start + value.length;
  return { span: { ...span, start }, text: tags.map((tag) => ` [${tag}]`).join('') };
}

const BRACKETED = /\s*\[\s*(\w+)\s*\]/g;
const bracketed = (text: string): readonly string[] =>
  [...text.matchAll(BRACKETED)].map(([, name]) => name);

/** The row and the column of an instruction that is directly in a cell, not inside of another instruction. */
function cellAt(
  { rows }: Columns,
  offset: number,
): { row: InstructionRow; column: number } | undefined {
  for (const row of rows) {
    const column = row.cells.findIndex((cell) => cell[0]?.span.start === offset);
    if (column >= 0) return { row, column };
  }
  return undefined;
}

/** New rows above another row, in the same columns: for each column its additions, one below the other. */
function rowsAbove(
  { text }: SourceFile,
  { first, end }: InstructionRow,
  added: readonly (readonly string[])[],
): Edit {
  const { start } = first.span;
  const left = text.lastIndexOf('\n', start - 1) + 1;
  const begin = text.slice(left, start).trim() === '' ? left : start;
  const line = text.slice(begin, end?.span.start).split('\n')[0];
  const widths = line.split('|').map((cell) => cell.length);
  const height = Math.max(...added.map((column) => column.length));
  const rows = Array.from({ length: height }, (_, i) => {
    const texts = added.map((column, c) => {
      const blank = c === 0 ? /^\s*/.exec(line)![0] : ' ';
      return `${blank}${column[i] ?? ''}`.trimEnd().padEnd(widths[c] ?? 1);
    });
    return `${texts.map((cell) => cell.replace(/\S$/, '$& ')).join('|')};\n`;
  });
  return { span: { ...first.span, start: begin, end: begin }, text: rows.join('') };
}

/** Additions may need locations and queue pairs of their own, which the repaired program has. */
function newDeclarations(source: SourceFile, repaired: string): readonly Edit[] {
  const [before, after] = [source.text, repaired].map(
    (text) => parseLitmusFile({ ...source, text }).value,
  );
  return before === undefined || after === undefined
    ? []
    : [...newLocations(source, before, after), ...newQueuePairs(before, after, repaired)];
}

/** Below the last declaration of a node or queue pair. */
function newQueuePairs(before: LitmusFile, after: LitmusFile, repaired: string): readonly Edit[] {
  const keyOf = ({ name, threads }: QueuePairDecl): string =>
    [name, ...threads].map(({ text }) => text).join(' ');
  const known = new Set(before.queuePairs.map(keyOf));
  const last = [...before.nodes, ...before.queuePairs].map(({ span }) => span);
  if (last.length === 0) return [];
  const { file, end } = last.reduce((a, b) => (a.end > b.end ? a : b));
  return after.queuePairs
    .filter((one) => !known.has(keyOf(one)))
    .map(({ span }) => ({
      span: { file, start: end, end },
      text: `\n${repaired.slice(span.start, span.end)}`,
    }));
}

function newLocations(
  source: SourceFile,
  { nodes: before }: LitmusFile,
  { nodes: after }: LitmusFile,
): readonly Edit[] {
  const known = new Set(before.flatMap((one) => one.locations.map(({ name }) => name.text)));
  return after.flatMap(({ node, locations }) => {
    const home = before.find((one) => one.node.text === node.text);
    const fresh = locations.filter(({ name }) => !known.has(name.text));
    if (home === undefined || fresh.length === 0) return [];
    const at = source.text.lastIndexOf('}', home.span.end);
    const last = home.locations.at(-1)?.span.end;
    const written = fresh
      .map(({ name, value, tags }) =>
        [`${name.text} = ${value}`, ...tags.map(({ text }) => `[${text}]`)].join(' '),
      )
      .join('; ');
    const span = { ...home.span, start: last ?? at, end: last ?? at };
    return [{ span, text: last === undefined ? ` ${written} ` : `; ${written}` }];
  });
}

/** The place before the `}` of the block that an offset is in. */
function endOfOwnBlock(tokens: readonly Token[], offset: number, otherwise: number): number {
  let depth = 0;
  for (const { type, span } of tokens) {
    if (span.start < offset) continue;
    if (type === 'rbrace' && depth === 0) return span.start;
    if (type === 'lbrace') depth += 1;
    if (type === 'rbrace') depth -= 1;
  }
  return otherwise;
}

/** The place before the `}` of the first block after an offset. */
function endOfBlock(tokens: readonly Token[], offset: number, otherwise: number): number {
  let depth = 0;
  for (const { type, span } of tokens) {
    if (span.start < offset) continue;
    if (type === 'lbrace') depth += 1;
    if (type === 'rbrace') depth -= 1;
    if (type === 'rbrace' && depth <= 0) return span.start;
  }
  return otherwise;
}

/** Applies edits that do not overlap to a text. Of edits at one place, the first in the list comes first. */
export function edited(text: string, edits: readonly Edit[]): string {
  const fromBehind = [...edits].reverse().sort((a, b) => b.span.start - a.span.start);
  return fromBehind.reduce(
    (before, { span, text: own }) => before.slice(0, span.start) + own + before.slice(span.end),
    text,
  );
}
