import type { NameDefinition } from '../parse/links.js';
import type { Ident } from '../parse/litmus-ast.js';
import type { Workspace } from './workspace.js';

/** The operations that a model file declares, by name; the last one of each name. */
export function operationsIn(
  path: string,
  workspace: Workspace,
): ReadonlyMap<string, NameDefinition> {
  const found = new Map<string, NameDefinition>();
  for (const { name, to } of workspace.namesInModel(path)) {
    if (to.kind === 'operation' && to.name === name) found.set(name.text, to);
  }
  return found;
}

/** The kinds of an operation's parameters. */
export function parametersOf({ whole }: NameDefinition, workspace: Workspace): readonly string[] {
  const items = workspace.tree(whole.file, 'cat')?.items ?? [];
  const item = items.find(({ span }) => span.start === whole.start);
  return item?.kind === 'operation' ? item.parameters.map(({ kind }) => kind.text) : [];
}

/**
 * The file of a library by name. With `rbl-weak.cat` among the used files, `rbl` is that file.
 *
 * @param used the names under which libraries are used
 * @param beside the file that names it
 */
export function libraryFile(
  name: string,
  used: readonly Ident[],
  beside: string,
  workspace: Workspace,
): string | undefined {
  const { libraries } = workspace;
  const files = used.flatMap(({ text }) => libraries.libraryFile(text, beside) ?? []);
  const named = files.find((path) => {
    const [first] = workspace.tree(path, 'cat')?.items ?? [];
    return first?.kind === 'library' && first.name.text === name;
  });
  return named ?? libraries.libraryFile(name, beside);
}
