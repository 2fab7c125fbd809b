import { BASE_RELATIONS, BASE_SETS, BASE_WORDS } from '../model/bases.js';
import { PRELUDES } from '../model/herd-names.js';
import type { NamedKind } from '../parse/links.js';
import type { Token } from '../parse/tokens.js';
import { keywords } from './completion.js';
import type { Completion } from './completion.js';
import type { Cursor } from './cursor.js';
import { languageOf } from './language.js';
import type { Workspace } from './workspace.js';

const ITEMS_OF_CAT = [
  ...['acyclic', 'assert', 'call', 'empty', 'enum', 'flag', 'forall', 'if', 'include'],
  ...['irreflexive', 'let', 'procedure', 'show', 'undefined_unless', 'unshow', 'with'],
];
const DECLARATIONS = ['event', 'guess', 'operation', 'replace', 'tag'];

const IN_EXPRESSIONS: readonly NamedKind[] = [
  'relation',
  'function',
  'event',
  'guess',
  'tag',
  'role',
];

/** The completions at a place of a model file. */
export function inModel(
  { tokens, before, offset, inside }: Cursor,
  path: string,
  workspace: Workspace,
): readonly Completion[] {
  const previous = tokens.at(-1)?.type;
  if (inside === 'string')
    return /include\s+"[^"\n]*$/.test(before) ? included(path, workspace) : [];
  const beginsLine = /(^|\n)[\w-]*$/.test(before);
  if (beginsLine)
    return keywords([...ITEMS_OF_CAT, ...DECLARATIONS, 'and', 'library', 'object', 'role']);
  if (previous === 'kw_let' || previous === 'kw_as' || previous === 'kw_and') {
    return previous === 'kw_let' ? keywords(['rec']) : [];
  }
  if (previous === 'kw_flag') return keywords(['acyclic', 'empty', 'irreflexive']);
  const named = workspace.namesInModel(path).flatMap(({ name, to }): Completion[] => {
    if (name !== to.name) return [];
    const isOwn = name.span.file === path;
    if (isOwn && name.span.start >= offset) return [];
    const isNear = to.kind === 'parameter' && isOwn && to.whole.end >= offset;
    if (!isNear && !IN_EXPRESSIONS.includes(to.kind)) return [];
    return [{ label: name.text, kind: to.kind, detail: to.words }];
  });
  // The latest definition of a name comes first and counts.
  return [...named.reverse(), ...parameters(tokens), ...base()];
}

/** The parameters of the definition that is being written. They are found by tokens, since it is in no tree. */
function parameters(tokens: readonly Token[]): readonly Completion[] {
  const item = tokens.slice(tokens.findLastIndex(({ type }) => /^kw_(let|and)$/.test(type)) + 1);
  const head = item.slice(
    1,
    item.findIndex(({ type }) => type === 'equals'),
  );
  return head.flatMap(({ type, value }) =>
    type === 'name' ? [{ label: value, kind: 'parameter' }] : [],
  );
}

const base = (): readonly Completion[] => [
  ...[...BASE_RELATIONS, ...BASE_SETS].map((label): Completion => ({
    label,
    kind: 'relation',
    detail: BASE_WORDS.get(label),
  })),
  ...['domain', 'range'].map((label): Completion => ({ label, kind: 'function' })),
];

/** The files that a model file can include: those beside it, and those that come with Remora. */
function included(path: string, { files, listed }: Workspace): readonly Completion[] {
  const { basename, dirname } = files.paths;
  const beside = listed().filter(
    (other) => other !== path && languageOf(other) === 'cat' && dirname(other) === dirname(path),
  );
  const names = [
    ...beside.map((other) => basename(other)),
    ...files.names().map((n) => `${n}.cat`),
  ];
  return [...names, ...PRELUDE_FILES].map((label) => ({ label, kind: 'file' }));
}

const PRELUDE_FILES = [...PRELUDES.keys()];
