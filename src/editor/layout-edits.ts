import type { SourceFile, Span } from '../parse/diagnostics/index.js';
import { formatted } from './format.js';
import type { Edit } from './hints.js';
import { lexemesOf } from './lexemes.js';

/** The edits that lay out a file: between tokens that stay, so that cursors and marks stay, too. They are in order, and none touches another. */
export function layoutEdits(source: SourceFile): readonly Edit[] {
  const made = formatted(source);
  if (made === source) return [];
  const [before, after] = [partsOf(source), partsOf(made)];
  const edits: Edit[] = [];
  let at = 0;
  before.forEach((part, i) => {
    const span = { file: source.path, start: at, end: at + part.length };
    edits.push(...change(span, part, after[i]));
    at = span.end;
  });
  return edits;
}

/** A text as its tokens, and what is between them: the rest of the line, and the lines up to the next token. */
function partsOf(source: SourceFile): readonly string[] {
  const { text } = source;
  const parts: string[] = [];
  let at = 0;
  const between = (end: number): void => {
    const [, line, lines] = /^([^\r\n]*)([^]*)$/.exec(text.slice(at, end))!;
    parts.push(...(lines === '' ? ['', line] : [line, lines]));
    at = end;
  };
  for (const { span } of lexemesOf(source)) {
    between(span.start);
    parts.push(text.slice(span.start, span.end));
    at = span.end;
  }
  between(text.length);
  return parts;
}

/** The edit of a part without its common beginning and end. */
function change({ file, start, end }: Span, before: string, after: string): readonly Edit[] {
  if (before === after) return [];
  const room = Math.min(before.length, after.length);
  let left = 0;
  while (left < room && before[left] === after[left]) left += 1;
  let right = 0;
  while (right < room - left && before.at(-1 - right) === after.at(-1 - right)) right += 1;
  const span = { file, start: start + left, end: end - right };
  return [{ span, text: after.slice(left, after.length - right) }];
}
