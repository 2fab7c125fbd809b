import { mayHaveHead } from '../../src/c/beginning.js';

/** As much of a document as tells whether Remora is asked about it. */
interface Document {
  readonly languageId: string;
  getText(): string;
}

/** A file of Remora's, or a C file with a head. No other C file starts the server. */
export const isAsked = (document: Document): boolean =>
  document.languageId.startsWith('remora-') ||
  (document.languageId === 'c' && mayHaveHead(document.getText()));
