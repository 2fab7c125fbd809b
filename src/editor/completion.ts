import type { NamedKind } from '../parse/links.js';
import type { Ident } from '../parse/litmus-ast.js';
import { libraryFile, operationsIn } from './operations.js';
import type { Workspace } from './workspace.js';

/** A text that can be inserted at a place. */
export interface Completion {
  readonly label: string;
  readonly kind: NamedKind | 'keyword' | 'model';
  /** What it means, in words. */
  readonly detail?: string;
}

export const keywords = (words: readonly string[]): readonly Completion[] =>
  words.map((label) => ({ label, kind: 'keyword' }));

export const libraries = ({ files }: Workspace): readonly Completion[] =>
  (files.libraries?.() ?? []).map((label) => ({ label, kind: 'library' }));

/** The operations that a file declares. */
export const operations = (path: string, workspace: Workspace): readonly Completion[] =>
  [...operationsIn(path, workspace).values()].map(({ name, words }) => ({
    label: name.text,
    kind: 'operation',
    detail: words,
  }));

/** The operations of a library that a client calls by its name. */
export function methods(
  library: string,
  used: readonly Ident[],
  path: string,
  workspace: Workspace,
): readonly Completion[] {
  const declaring = libraryFile(library, used, path, workspace);
  return declaring === undefined ? [] : operations(declaring, workspace);
}

/** Words that instructions begin with. */
export const INSTRUCTION_STARTS = [
  'assume',
  'if',
  'while',
  'loop',
  'choose',
  'skip',
  'critical',
  'at',
  'assert',
];
