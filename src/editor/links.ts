import type { Span } from '../parse/diagnostics/index.js';

/** A name as it stands in a file. */
export interface Named {
  readonly text: string;
  readonly span: Span;
}

/** What kind of thing a name is of, in the words that an editor shows. */
export type Kind =
  | 'relation'
  | 'function'
  | 'parameter'
  | 'event'
  | 'operation'
  | 'guess'
  | 'tag'
  | 'library'
  | 'role'
  | 'axiom'
  | 'location'
  | 'register'
  | 'thread'
  | 'node'
  | 'queue pair'
  | 'object'
  | 'ghost'
  | 'mark'
  | 'work identifier'
  | 'method'
  | 'index'
  | 'file';

/** Where something gets its name. */
export interface Definition {
  readonly kind: Kind;
  readonly name: Named;
  /** All of the text that defines it. */
  readonly whole: Span;
  /** What its doc comment says. */
  readonly words?: string;
}

/** A place that names something; at its definition, the definition's own name. */
export interface Link {
  readonly name: Named;
  readonly to: Definition;
}

/** Tells definitions apart: by the place and the text of their names, of files by their paths. */
export const keyOf = ({ name: { text, span }, kind }: Definition): string =>
  kind === 'file' ? span.file : `${span.file} ${span.start} ${text}`;

/** Is a place in a span? Right behind it, too: there stands the cursor after typing it. */
export const touches = ({ start, end }: Span, offset: number): boolean =>
  start <= offset && offset <= end;

/** What the names at a place are linked with; of a file that others include, there may be several. */
export const linksAt = (links: readonly Link[], file: string, offset: number): readonly Link[] =>
  links.filter(({ name: { span } }) => span.file === file && touches(span, offset));
