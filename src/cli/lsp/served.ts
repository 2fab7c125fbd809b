import { ErrorCodes, LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import type {
  ClientCapabilities,
  Connection,
  Location,
  Position,
  TextDocuments,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Span } from '../../parse/diagnostics/index.js';
import { documentOf, rangeIn } from './convert.js';
import { pathOf, uriOf } from './files.js';
import type { Session } from './session.js';

/** A client: its connection, its open documents, and its session. */
export interface Served {
  readonly connection: Connection;
  readonly documents: TextDocuments<TextDocument>;
  readonly session: Session;
  /** What it can do, as it says at the start. */
  client: ClientCapabilities;
}

/** Answers a request about a place of an open document. */
export function at<T>(
  { documents }: Served,
  { textDocument: { uri }, position }: { textDocument: { uri: string }; position: Position },
  answer: (path: string, offset: number, document: TextDocument) => T,
): T | null {
  const document = documents.get(uri);
  return document === undefined ? null : answer(pathOf(uri), document.offsetAt(position), document);
}

/** A place in a file, which may be open or not. */
export function locationOf({ documents, session }: Served, span: Span): Location {
  const uri = uriOf(span.file);
  const document =
    documents.get(uri) ?? documentOf(uri, session.workspace.source(span.file)?.text ?? '');
  return { uri, range: rangeIn(document, span) };
}

/** Ignores an error of sending: a client that does not understand or want a message is no reason to end. */
export const quietly = (sent: Promise<unknown>): void => void sent.catch(() => {});

export const requestError = (message: string): ResponseError<void> =>
  new ResponseError(ErrorCodes.InvalidRequest, message);

export const modified = (): ResponseError<void> =>
  new ResponseError(LSPErrorCodes.ContentModified, 'the file was changed');
