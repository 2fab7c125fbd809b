import { loadModel } from '../model/load.js';
import { LIBRARIES, shippedFile } from '../model/places.js';
import { expectedNames } from '../model/shipped.js';
import { checkImplementation } from '../libraries/check.js';
import { mistakesInOrder, positionText } from '../parse/diagnostics/index.js';
import type { Diagnostic, SourceFile } from '../parse/diagnostics/index.js';
import type { Client } from '../program/client.js';
import { resolveClient } from '../program/client.js';
import { unlikeLibrary } from '../program/methods.js';
import { isC, readTestOrClient } from '../program/read.js';
import { isAsked } from './head.js';
import { languageOf } from './language.js';
import type { Workspace } from './workspace.js';

/** The messages of the command line about a file. */
export interface Diagnosed {
  /** In order of place, all in the file itself. */
  readonly diagnostics: readonly Diagnostic[];
  /** For a litmus file without mistakes: its test, which can be decided. */
  readonly client?: Client;
}

/** Finds the mistakes of a file, with the messages and hints of the command line. */
export function diagnose(path: string, workspace: Workspace): Diagnosed {
  const source = workspace.source(path);
  if (source === undefined) return { diagnostics: unread(path, workspace) };
  if (isC(path)) return isAsked(source) ? ofTest(source, workspace) : { diagnostics: [] };
  switch (languageOf(path)) {
    case 'cat':
      return { diagnostics: ofModel(source, workspace) };
    case 'litmus':
      return ofTest(source, workspace);
    case 'implementation':
      return { diagnostics: ofImplementation(source, workspace) };
    case undefined:
      return { diagnostics: [] };
  }
}

function unread(path: string, { files }: Workspace): readonly Diagnostic[] {
  const read = files.read(path);
  return read.ok ? [] : read.errors;
}

function ofTest(source: SourceFile, workspace: Workspace): Diagnosed {
  const { files, libraries } = workspace;
  const client = readTestOrClient(source, {
    instructions: workspace.plainInstructions,
    models: expectedNames(files),
    client: (file) => resolveClient(file, { libraries }),
    parsed: workspace.parsed(source.path, 'litmus'),
  });
  const all = [client, ...(client.inlined ?? [])];
  const errors = all.flatMap(({ test }) => (test.ok ? [] : test.errors));
  const sources = new Map(all.flatMap((one) => [...one.sources]));
  const warnings = client.test.ok ? client.test.value.warnings : [];
  const diagnostics = inFile([...errors, ...warnings], source, sources);
  return errors.length > 0 ? { diagnostics } : { diagnostics, client };
}

/**
 * A file for inclusion may be wrong alone and right where it is included. So it is checked within the first file that
 * includes it.
 */
function ofModel(source: SourceFile, workspace: Workspace): readonly Diagnostic[] {
  const own = loadModel(source.path, workspace.files);
  if (own.model.ok) return [];
  const alone = inFile(own.model.errors, source, own.sources);
  if (workspace.mistakes(source.path).length > 0) return alone;
  const around = aroundOf(source.path, workspace).find((path) =>
    includes(path, source.path, workspace),
  );
  if (around === undefined) return alone;
  const there = loadModel(around, workspace.files);
  if (there.model.ok) return [];
  return there.model.errors.filter(({ span }) => span.file === source.path);
}

/**
 * The model files that may include a file: those of the workspace, and, for a file that comes with Remora, those beside
 * it.
 */
function aroundOf(path: string, workspace: Workspace): readonly string[] {
  const { files } = workspace;
  const { folder, names, libraries = () => [], paths } = files;
  const shipped = path.startsWith(folder)
    ? [
        ...names().map((name) => shippedFile(name, files)),
        ...libraries().map((name) => paths.join(folder, LIBRARIES, `${name}.cat`)),
      ]
    : [];
  return [...workspace.all('cat', path), ...shipped].filter((other) => other !== path);
}

const includes = (path: string, file: string, workspace: Workspace): boolean =>
  workspace.namesInModel(path).some(({ to }) => to.kind === 'file' && to.name.span.file === file);

function ofImplementation(source: SourceFile, { libraries }: Workspace): readonly Diagnostic[] {
  const { implementation } = libraries.implementation(source.path);
  if (!implementation.ok) return implementation.errors;
  const file = implementation.value;
  const own = checkImplementation(file);
  const { text } = file.implements;
  const path = libraries.libraryFile(text, source.path);
  const loaded = path === undefined ? undefined : libraries.compose([path]);
  if (loaded?.model.ok !== true) return own;
  return mistakesInOrder([...own, ...unlikeLibrary(file, loaded.model.value.instructions)]);
}

/** Mistakes in other files are reported at the start of the file, with their place in the text. */
function inFile(
  diagnostics: readonly Diagnostic[],
  { path }: SourceFile,
  sources: ReadonlyMap<string, SourceFile>,
): readonly Diagnostic[] {
  return diagnostics.map((one) => {
    if (one.span.file === path) return one;
    const there = sources.get(one.span.file);
    const where = there === undefined ? one.span.file : positionText(one.span, there);
    return { ...one, span: { file: path, start: 0, end: 0 }, message: `${where}: ${one.message}` };
  });
}
