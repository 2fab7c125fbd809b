import type { WorkspaceEdit } from 'vscode-languageserver/node';
import { completionsAt } from '../../editor/complete.js';
import { touches } from '../../editor/links.js';
import { signaturesAt } from '../../editor/signatures.js';
import { definitionsAt, referencesAt, refusedName, renamingAt } from '../../editor/navigate.js';
import type { Span } from '../../parse/diagnostics/index.js';
import { rangeIn, shownCompletion, shownSignatures } from './convert.js';
import { at, locationOf, requestError } from './served.js';
import type { Served } from './served.js';

/** Answers requests about names: definitions, references, renaming, completion, and what calls take. */
export function answerNames(served: Served): void {
  const { connection } = served;
  const { workspace } = served.session;
  connection.onDefinition((params) =>
    at(served, params, (path, offset) =>
      definitionsAt(path, offset, workspace).map(({ name }) => locationOf(served, name.span)),
    ),
  );
  connection.onReferences((params) =>
    at(served, params, (path, offset) => {
      const { definitions, places } = referencesAt(path, offset, workspace);
      const defining = new Set(
        definitions.map(({ name }) => `${name.span.file} ${name.span.start}`),
      );
      const wanted = params.context.includeDeclaration
        ? places
        : places.filter(({ file, start }) => !defining.has(`${file} ${start}`));
      return wanted.map((span) => locationOf(served, span));
    }),
  );
  connection.onDocumentHighlight((params) =>
    at(served, params, (path, offset, document) =>
      referencesAt(path, offset, workspace)
        .places.filter(({ file }) => file === path)
        .map((span) => ({ range: rangeIn(document, span) })),
    ),
  );
  connection.onPrepareRename((params) =>
    at(served, params, (path, offset, document) => {
      const renaming = renamingAt(path, offset, workspace);
      if ('refused' in renaming) throw requestError(renaming.refused);
      const own = renaming.places.find((p) => p.file === path && touches(p, offset));
      return own === undefined ? null : rangeIn(document, own);
    }),
  );
  connection.onRenameRequest((params) =>
    at(served, params, (path, offset) => {
      const renaming = renamingAt(path, offset, workspace);
      if ('refused' in renaming) throw requestError(renaming.refused);
      const refused = refusedName(path, offset, params.newName, workspace);
      if (refused !== undefined) throw requestError(refused);
      return renamed(served, renaming.places, params.newName);
    }),
  );
  connection.onCompletion((params) =>
    at(served, params, (path, offset) =>
      completionsAt(path, offset, workspace).map(shownCompletion),
    ),
  );
  connection.onSignatureHelp((params) =>
    at(served, params, (path, offset) => {
      const signatures = signaturesAt(path, offset, workspace);
      return signatures === undefined ? null : shownSignatures(signatures);
    }),
  );
}

function renamed(served: Served, places: readonly Span[], newText: string): WorkspaceEdit {
  const changes: NonNullable<WorkspaceEdit['changes']> = {};
  for (const span of places) {
    const { uri, range } = locationOf(served, span);
    (changes[uri] ??= []).push({ range, newText });
  }
  return { changes };
}
