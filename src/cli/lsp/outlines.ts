import { SemanticTokensBuilder } from 'vscode-languageserver/node';
import type { Range, TextEdit } from 'vscode-languageserver/node';
import { foldsOf } from '../../editor/folding.js';
import { layoutEdits } from '../../editor/layout-edits.js';
import { knownNames } from '../../editor/name-kinds.js';
import { symbolsNamed, symbolsOf } from '../../editor/symbols.js';
import { isC } from '../../program/read.js';
import { SYMBOLS, TOKENS, TOKEN_TYPES, rangeIn, shownSymbol } from './convert.js';
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
    const source = session.workspace.source(pathOf(uri));
    return source === undefined
      ? []
      : foldsOf(source).map(({ from, to, isComment }) => ({
          startLine: from,
          endLine: to,
          kind: isComment ? 'comment' : undefined,
        }));
  });
  connection.onDocumentFormatting(({ textDocument: { uri } }) => laidOut(uri));
  connection.onDocumentRangeFormatting(({ textDocument: { uri }, range }) => laidOut(uri, range));

  /** The edits that lay out a document, or the lines of a range. */
  function laidOut(uri: string, range?: Range): TextEdit[] {
    const document = documents.get(uri);
    // The layout of a file with mistakes would be a guess.
    if (document === undefined || session.workspace.mistakes(pathOf(uri)).length > 0) return [];
    const source = session.workspace.source(pathOf(uri));
    if (source === undefined) return [];
    return layoutEdits(source)
      .map(({ span, text }) => ({ range: rangeIn(document, span), newText: text }))
      .filter(({ range: edit }) => range === undefined || isIn(range, edit));
  }
}

/** Is an edit in the lines of a range? A range that ends where a line begins is without that line. */
const isIn = ({ start, end }: Range, edit: Range): boolean => {
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return edit.start.line >= start.line && edit.end.line <= last;
};
