import type { Diagnostic, Span } from '../parse/diagnostics/index.js';

/** A text that replaces a span of a file. */
export interface Edit {
  readonly span: Span;
  readonly text: string;
}

/** Hints that say what to write instead. */
const INSTEAD = [
  /^did you mean '([^']+)'\?$/,
  /^did you mean (\S+)\?$/,
  /^write (\w+\^\w+)(?: for a remote access)?$/,
];

/** The edit that a hint proposes, if it says exactly what to write. */
export function editOf({ span, hint = '' }: Pick<Diagnostic, 'span' | 'hint'>): Edit | undefined {
  const [text] = INSTEAD.flatMap((pattern) => pattern.exec(hint)?.slice(1) ?? []);
  return text === undefined || span.start === span.end ? undefined : { span, text };
}
