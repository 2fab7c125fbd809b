import type { Span } from '../parse/diagnostics/index.js';
import { SYNCHRONISES } from '../model/elaborate.js';
import { parseCat } from '../parse/cat.js';
import { LITMUS_KEYWORDS } from '../parse/keywords.js';
import { languageOf } from './language.js';
import type { Language } from './language.js';
import { distinctLinks, definitionKey } from '../parse/links.js';
import { linksAt, linksOf } from './links.js';
import type { NameDefinition, NamedKind, NameLink } from '../parse/links.js';
import type { Workspace } from './workspace.js';

/**
 * The definitions of the name at a place. In a file for inclusion, they may be in a file that includes it, so the files
 * of the workspace are searched.
 */
export function definitionsAt(
  path: string,
  offset: number,
  workspace: Workspace,
): readonly NameDefinition[] {
  const own = linksAt(linksOf(path, workspace), path, offset);
  const links = own.length > 0 ? own : linksAt(aroundLinks(path, workspace), path, offset);
  return [...new Map(links.map(({ to }) => [definitionKey(to), to])).values()];
}

/** The links of all files of the workspace that may use a file's names. */
function aroundLinks(path: string, workspace: Workspace): readonly NameLink[] {
  const language = languageOf(path);
  if (language !== 'cat') return linksOf(path, workspace);
  return workspace.all(language, path).flatMap((root) => workspace.namesInModel(root));
}

/**
 * All places with the name at a place, with its definition. In a file that several others include, a name may stand for
 * several things; then the places of all of them, since for the writer they are one name.
 */
export function referencesAt(
  path: string,
  offset: number,
  workspace: Workspace,
): { readonly definitions: readonly NameDefinition[]; readonly places: readonly Span[] } {
  const first = definitionsAt(path, offset, workspace);
  const roots = new Set([path, ...first.map(({ name }) => name.span.file)]);
  const all = distinctLinks(
    [...roots]
      .flatMap((root) => aroundLinks(root, workspace))
      .concat(
        // Programs use declarations of models and libraries, too.
        first.some(({ kind }) => kind === 'operation' || kind === 'file')
          ? [...workspace.all('litmus', path), ...workspace.all('implementation', path)].flatMap(
              (file) => linksOf(file, workspace),
            )
          : [],
      ),
  );
  const meant = new Map(first.map((one) => [definitionKey(one), one]));
  const places = new Map<string, Span>();
  for (let before = -1; before < meant.size + places.size;) {
    before = meant.size + places.size;
    for (const { name, to } of all) {
      const place = `${name.span.file} ${name.span.start}`;
      if (!meant.has(definitionKey(to)) && !places.has(place)) continue;
      meant.set(definitionKey(to), to);
      places.set(place, name.span);
    }
  }
  const inOrder = [...places.values()].sort(
    (a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) || a.start - b.start,
  );
  return { definitions: [...meant.values()], places: inOrder };
}

/** The kinds of names that can be renamed: those that the user's files choose. */
const RENAMED: readonly NamedKind[] = [
  ...(['relation', 'function', 'parameter', 'location', 'register', 'thread', 'node'] as const),
  ...(['object', 'ghost', 'mark', 'queue pair', 'work identifier', 'index'] as const),
];

/** The places of a name to rename, or why it cannot be renamed. */
export type Renaming = { readonly places: readonly Span[] } | { readonly refused: string };

/** All places that have to change to rename the name at a place. */
export function renamingAt(path: string, offset: number, workspace: Workspace): Renaming {
  const { definitions, places } = referencesAt(path, offset, workspace);
  if (definitions.length === 0) return { refused: 'there is no name here that a file gives' };
  const { text } = definitions[0].name;
  const fixed = definitions.find(({ kind }) => !RENAMED.includes(kind));
  if (fixed !== undefined)
    return {
      refused: `'${text}' is ${aKind(fixed.kind)}: programs and models know it by its name`,
    };
  const file = definitions[0].name.span.file;
  if (text === SYNCHRONISES && definitions[0].kind === 'relation' && isLibrary(file, workspace)) {
    return {
      refused: `'${text}' is what a library has to define: programs and models know it by its name`,
    };
  }
  const shipped = places.find(({ file }) => file.startsWith(workspace.files.folder));
  if (shipped !== undefined)
    return { refused: `'${text}' is also in a file that comes with Remora` };
  const other = places.find(
    ({ file, start, end }) => workspace.source(file)?.text.slice(start, end) !== text,
  );
  if (other !== undefined)
    return { refused: `'${text}' is a member of a family: the family has the name` };
  const { kind } = definitions[0];
  const copy =
    (kind === 'node' || kind === 'object') && copyOf(text, workspace.source(file)?.text ?? '');
  return copy ? { refused: `'${text}' is also in '${copy}', the name of a copy` } : { places };
}

/** The name of a copy in a text, such as `x[2]`, that contains the name of this object or node. */
const copyOf = (part: string, text: string): string | undefined =>
  text.match(/\b[A-Za-z_]\w*\[\w+\]/g)?.find((copy) => copy.split(/[[\]]/).includes(part));

const isLibrary = (path: string, workspace: Workspace): boolean =>
  workspace.tree(path, 'cat')?.items.some(({ kind }) => kind === 'library') === true;

/** A kind with its article. */
export const aKind = (kind: NamedKind): string => `${/^[aeio]/.test(kind) ? 'an' : 'a'} ${kind}`;

/** Is a text a name in a language, and not a keyword? */
function isName(name: string, language: Language): boolean {
  if (language === 'cat') {
    const { value, errors } = parseCat({ path: '', text: `let ${name} = 0` });
    const [item] = value?.items ?? [];
    return errors.length === 0 && item.kind === 'let' && item.bindings[0].names[0].text === name;
  }
  return /^[A-Za-z_]\w*$/.test(name) && !LITMUS_KEYWORDS.some((word) => word === name);
}

/** Why a new name is refused: it is no name, or something else has it. Undefined if it is possible. */
export function refusedName(
  path: string,
  offset: number,
  name: string,
  workspace: Workspace,
): string | undefined {
  const language = languageOf(path);
  if (language === undefined || !isName(name, language)) {
    const isNode = /^\d+$/.test(name) && definitionsAt(path, offset, workspace)[0]?.kind === 'node';
    if (!isNode) return `'${name}' is no name`;
  }
  const { definitions } = referencesAt(path, offset, workspace);
  const taken = linksOf(path, workspace).find(
    ({ to }) => to.name.text === name && to.kind !== 'file',
  );
  if (taken === undefined || definitions.some((one) => one.name.text === name)) return undefined;
  return `'${name}' is ${aKind(taken.to.kind)} already`;
}
