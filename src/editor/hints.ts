import type { Diagnostic, Span } from '../parse/diagnostics/index.js';

/** A text that is to stand somewhere. */
export interface Edit {
  readonly span: Span;
  readonly text: string;
}

/** Hints that say what to write in the place of what is wrong. */
const INSTEAD = [
  /^did you mean '([^']+)'\?$/,
  /^did you mean (\S+)\?$/,
  /^write (\w+\^\w+)(?: for a remote access)?$/,
];

/** What a hint would have one write, where it says so word by word. */
export function editOf({ span, hint = '' }: Pick<Diagnostic, 'span' | 'hint'>): Edit | undefined {
  const [text] = INSTEAD.flatMap((pattern) => pattern.exec(hint)?.slice(1) ?? []);
  return text === undefined || span.start === span.end ? undefined : { span, text };
}
