import type { Diagnostic, SourceFile, Span } from './diagnostic.js';

/** One-based line and column (in characters) of an offset. */
export function position(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const start = before.lastIndexOf('\n') + 1;
  return { line, column: [...before.slice(start)].length + 1 };
}

/** `file:line:column` of a span's start. */
export function location(span: Span, source: SourceFile): string {
  const { line, column } = position(source.text, span.start);
  return `${span.file}:${line}:${column}`;
}

/**
 * One diagnostic as text: `file:line:column: message`, the line itself, a caret under the
 * span, and the hint. Tabs are kept as one blank so that the caret stays in place.
 */
export function renderDiagnostic(
  diagnostic: Diagnostic,
  sources: ReadonlyMap<string, SourceFile>,
): string {
  const { span, message, hint } = diagnostic;
  const source = sources.get(span.file);
  const tail = hint === undefined ? '' : `\n  ${hint}`;
  if (source === undefined || source.text === '') return `${span.file}: ${message}${tail}`;
  const { line, column } = position(source.text, span.start);
  const text = (source.text.split('\n')[line - 1] ?? '').replace(/\r$/, '').replace(/\t/g, ' ');
  const covered = [...source.text.slice(span.start, span.end).split('\n')[0]].length;
  const room = Math.max(1, [...text].length - column + 1);
  const caret = ' '.repeat(column - 1) + '^'.repeat(Math.max(1, Math.min(covered, room)));
  const gutter = String(line);
  const blank = ' '.repeat(gutter.length);
  return [
    `${span.file}:${line}:${column}: ${message}`,
    `${gutter} | ${text}`,
    `${blank} | ${caret}${hint === undefined ? '' : `  ${hint}`}`,
  ].join('\n');
}
