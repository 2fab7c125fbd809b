import type { Diagnostic, SourceFile, Span } from './diagnostic.js';

/** Line and column of an offset, both counted from 1. Columns count characters. */
export function position(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const start = before.lastIndexOf('\n') + 1;
  return { line, column: [...before.slice(start)].length + 1 };
}

/** `file:line:column` of a span's start. */
export function positionText(span: Span, source: SourceFile): string {
  const { line, column } = position(source.text, span.start);
  return `${span.file}:${line}:${column}`;
}

/** How many characters of a line are shown. Of a longer line, those around the mistake. */
const WIDTH = 160;

/** A line's characters near a column: what is shown, and how many are left out before it. */
function excerpt(line: readonly string[], column: number): { shown: string; before: number } {
  if (line.length <= WIDTH) return { shown: line.join(''), before: 0 };
  const before = Math.max(0, Math.min(column - 1 - WIDTH / 2, line.length - WIDTH));
  const shown = line.slice(before, before + WIDTH);
  if (before > 0) shown[0] = '…';
  if (before + WIDTH < line.length) shown[WIDTH - 1] = '…';
  return { shown: shown.join(''), before };
}

/** Text for a terminal. Characters that move the cursor or change the direction of writing become �. */
function printable(text: string): string {
  return text.replace(/\t/g, ' ').replace(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '\uFFFD');
}

/**
 * A diagnostic as text: `file:line:column: message`, the line, carets under the span, and the hint. A warning says that
 * it is one. A tab is printed as one blank, so that the carets are in the right place.
 */
export function renderDiagnostic(
  diagnostic: Diagnostic,
  sources: ReadonlyMap<string, SourceFile>,
): string {
  const { severity, span, hint } = diagnostic;
  const message =
    severity === undefined ? diagnostic.message : `${severity}: ${diagnostic.message}`;
  const source = sources.get(span.file);
  const tail = hint === undefined ? '' : `\n  ${hint}`;
  if (source === undefined || source.text === '') {
    return printable(`${span.file}: ${message}${tail}`);
  }
  const { line, column } = position(source.text, span.start);
  const text = [...(source.text.split('\n')[line - 1] ?? '').replace(/\r$/, '')];
  const { shown, before } = excerpt(text, column);
  const covered = [...source.text.slice(span.start, span.end).split('\n')[0]].length;
  const room = Math.min(text.length, before + WIDTH) - column + 1;
  const blanks = ' '.repeat(column - 1 - before);
  const caret = blanks + '^'.repeat(Math.max(1, Math.min(covered, room)));
  const gutter = String(line);
  const blank = ' '.repeat(gutter.length);
  return printable(
    [
      `${span.file}:${line}:${column}: ${message}`,
      `${gutter} | ${shown}`,
      `${blank} | ${caret}${hint === undefined ? '' : `  ${hint}`}`,
    ].join('\n'),
  );
}
