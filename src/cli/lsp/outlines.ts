import { SemanticTokensBuilder } from 'vscode-languageserver/node';
import { foldsOf } from '../../editor/folding.js';
import { format } from '../../editor/format.js';
import { knownNames } from '../../editor/name-kinds.js';
import { symbolsNamed, symbolsOf } from '../../editor/symbols.js';
import { isC } from '../../program/read.js';
import { SYMBOLS, TOKENS, TOKEN_TYPES, changeTo, shownSymbol } from './convert.js';
import { pathOf } from './files.js';
import { locationOf } from './served.js';
import type { Served } from './served.js';

/** Answers requests about the structure of documents: outlines, names, folding, and their layout. */
export function answerOutlines(served: Served): void {
  const { connection, documents, session } = served;
  connection.onDocumentSymbol(({ textDocument: { uri } }) => {
    const document = documents.get(uri);
    if (document === undefined) return [];
    return symbolsOf(pathOf(uri), session.workspace).map((one) => shownSymbol(document, one));
  });
  connection.onWorkspaceSymbol(({ query }) =>
    symbolsNamed(query, session.workspace).map(({ kind, name, at }) => ({
      kind: SYMBOLS[kind],
      name,
      location: locationOf(served, at),
    })),
  );
  connection.languages.semanticTokens.on(({ textDocument: { uri } }) => {
    const document = documents.get(uri);
    const tokens = new SemanticTokensBuilder();
    if (document === undefined || isC(uri)) return tokens.build();
    for (const { kind, start, end } of knownNames(pathOf(uri), session.workspace)) {
      const { line, character } = document.positionAt(start);
      tokens.push(line, character, end - start, TOKEN_TYPES.indexOf(TOKENS[kind]), 0);
    }
    return tokens.build();
  });
  connection.onFoldingRanges(({ textDocument: { uri } }) => {
    const document = documents.get(uri);
    // An editor folds C itself.
    if (document === undefined || isC(uri)) return [];
    return foldsOf({ path: pathOf(uri), text: document.getText() }).map(
      ({ from, to, isComment }) => ({
        startLine: from,
        endLine: to,
        kind: isComment ? 'comment' : undefined,
      }),
    );
  });
  connection.onDocumentFormatting(({ textDocument: { uri } }) => {
    const document = documents.get(uri);
    if (document === undefined) return [];
    // The layout of a file with mistakes would be a guess.
    if (session.workspace.mistakes(pathOf(uri)).length > 0) return [];
    return [...changeTo(document, format({ path: pathOf(uri), text: document.getText() }))];
  });
}
