import { foldsOf } from '../../editor/folding.js';
import { format } from '../../editor/format.js';
import { symbolsOf } from '../../editor/symbols.js';
import { isC } from '../../program/read.js';
import { changeTo, shownSymbol } from './convert.js';
import { pathOf } from './files.js';
import type { Served } from './served.js';

/** Answers requests about the structure of a document: its outline, folding, and its layout. */
export function answerOutlines({ connection, documents, session }: Served): void {
  connection.onDocumentSymbol(({ textDocument: { uri } }) => {
    const document = documents.get(uri);
    if (document === undefined) return [];
    return symbolsOf(pathOf(uri), session.workspace).map((one) => shownSymbol(document, one));
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
