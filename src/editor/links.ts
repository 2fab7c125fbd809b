import type { InstructionSet } from '../model/instructions/set.js';
import type { Span } from '../parse/diagnostics/index.js';
import { fileLink } from '../parse/links.js';
import type { FileNames, NameLink, OutsideName } from '../parse/links.js';
import type { Ident } from '../parse/litmus-ast.js';
import { namesInImplementation } from '../libraries/resolve.js';
import { namesInTest } from '../program/resolve.js';
import { languageOf } from './language.js';
import { libraryFile, operationsIn } from './operations.js';
import type { Workspace } from './workspace.js';

/** What the names of a file stand for, and those of files that it includes. */
export function linksOf(path: string, workspace: Workspace): readonly NameLink[] {
  switch (languageOf(path)) {
    case 'cat':
      return workspace.namesInModel(path);
    case 'litmus':
      return workspace.once(`names ${path}`, () => litmusLinks(path, workspace));
    case 'implementation':
      return workspace.once(`names ${path}`, () => implementationLinks(path, workspace));
    case undefined:
      return [];
  }
}

function litmusLinks(path: string, workspace: Workspace): readonly NameLink[] {
  const file = workspace.tree(path, 'litmus');
  if (file === undefined) return [];
  return withOutside(
    namesInTest(file, instructionsUsed(file.uses, path, workspace)),
    file.uses,
    path,
    workspace,
  );
}

function implementationLinks(path: string, workspace: Workspace): readonly NameLink[] {
  const file = workspace.tree(path, 'implementation');
  if (file === undefined) return [];
  return withOutside(namesInImplementation(file), file.over, path, workspace);
}

/**
 * The operations of a file that uses libraries, or none. If they have mistakes, only the operations without libraries.
 */
export function instructionsUsed(
  used: readonly Ident[],
  path: string,
  { libraries, plainInstructions }: Workspace,
): InstructionSet {
  if (used.length === 0) return plainInstructions;
  const paths = used.flatMap(({ text }) => libraries.libraryFile(text, path) ?? []);
  const { model } = libraries.compose(paths);
  return model.ok ? model.value.instructions : plainInstructions;
}

/**
 * All links of a file, with those that lead to other files.
 *
 * @param used the names under which it uses libraries
 */
function withOutside(
  { links, outside }: FileNames,
  used: readonly Ident[],
  path: string,
  workspace: Workspace,
): readonly NameLink[] {
  const plain = workspace.modelFile('rdma', path);
  const linked = ({ name, of, library }: OutsideName): NameLink | undefined => {
    if (of === 'operation') {
      const file = library === undefined ? plain : libraryFile(library, used, path, workspace);
      const to = file === undefined ? undefined : operationsIn(file, workspace).get(name.text);
      return to && { name, to };
    }
    const file =
      of === 'library'
        ? libraryFile(name.text, used, path, workspace)
        : workspace.modelFile(name.text, path);
    return file === undefined ? undefined : fileLink(name, file);
  };
  return [...links, ...outside.flatMap((one) => linked(one) ?? [])];
}

/** Is a place in a span, or directly after it, where the cursor is after typing? */
export const touches = ({ start, end }: Span, offset: number): boolean =>
  start <= offset && offset <= end;

/** The links of the name at a place. In a file that several others include, there may be several. */
export const linksAt = (
  links: readonly NameLink[],
  file: string,
  offset: number,
): readonly NameLink[] =>
  links.filter(({ name: { span } }) => span.file === file && touches(span, offset));
