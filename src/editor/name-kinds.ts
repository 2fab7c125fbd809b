import type { NamedKind } from '../parse/links.js';
import { linksOf } from './links.js';
import type { Workspace } from './workspace.js';

/** A name in a file, and what has it. */
export interface KnownName {
  readonly kind: NamedKind;
  readonly start: number;
  readonly end: number;
}

/** The names of a file whose meaning is known, in their order: what colours of words alone cannot tell. Of a file with mistakes, those of the parts that could be read. */
export function knownNames(path: string, workspace: Workspace): readonly KnownName[] {
  const known = new Map(
    linksOf(path, workspace)
      .filter(({ name, to }) => name.span.file === path && to.kind !== 'file')
      .map(({ name: { span }, to: { kind } }) => [
        span.start,
        { kind, start: span.start, end: span.end },
      ]),
  );
  return [...known.values()].sort((a, b) => a.start - b.start);
}
