import type { SourceFile } from '../parse/diagnostics/index.js';
import { lexemesOf } from './lexemes.js';

/** Lines that can be folded; the first stays visible. Counted from 0. */
export interface Fold {
  readonly from: number;
  readonly to: number;
  readonly isComment?: true;
}

/** The parts of a file that can be folded: blocks in braces, items and comments of several lines. */
export function foldsOf(source: SourceFile): readonly Fold[] {
  const starts = lineStarts(source.text);
  const tokens = lexemesOf(source);
  const folds: Fold[] = [];
  const open: number[] = [];
  const add = (from: number, to: number, isComment?: true): void => {
    if (to > from && !folds.some((f) => f.from === from)) folds.push({ from, to, isComment });
  };
  let comment: { from: number; to: number } | undefined;
  let item: { from: number; to: number } | undefined;
  for (const { type, span } of tokens) {
    const [line, last] = [lineOf(starts, span.start), lineOf(starts, span.end)];
    if (type === 'comment') {
      if (comment?.to === line - 1) comment.to = last;
      else {
        if (comment) add(comment.from, comment.to, true);
        comment = { from: line, to: last };
      }
      continue;
    }
    // A token in the first column begins an item.
    if (span.start === starts[line] && type !== 'rbrace') {
      if (item) add(item.from, item.to);
      item = { from: line, to: last };
    } else if (item) item.to = last;
    if (type === 'lbrace') open.push(line);
    const begun = type === 'rbrace' ? open.pop() : undefined;
    if (begun !== undefined) add(begun, type === 'rbrace' ? last - 1 : last);
  }
  if (item) add(item.from, item.to);
  if (comment) add(comment.from, comment.to, true);
  return folds.sort((a, b) => a.from - b.from);
}

/** Where the lines of a text begin. */
export function lineStarts(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
}

/** The line of an offset, from 0. */
export function lineOf(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
