import {
  CodeActionKind,
  DidChangeWatchedFilesNotification,
  TextDocumentSyncKind,
  TextDocuments,
  createConnection,
} from 'vscode-languageserver/node';
import type { Connection, InitializeParams, InitializeResult } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { mayHaveHead } from '../../c/beginning.js';
import { FILE_ENDINGS, isProgram } from '../../editor/language.js';
import { loadC } from '../../node/c.js';
import { hasCReader, isC } from '../../program/read.js';
import { VERSION } from '../package.js';
import { COMMANDS } from './commands.js';
import { TOKEN_TYPES } from './convert.js';
import { pathOf } from './files.js';
import { answerNames } from './names.js';
import { answerOutlines } from './outlines.js';
import { Published } from './published.js';
import { quietly } from './served.js';
import type { Served } from './served.js';
import { Session } from './session.js';
import { removeShown } from './shown.js';
import { answerQuestions } from './verdicts.js';

/** Answers a client over standard input and output until the client ends the session or disconnects. */
export function serve(): Connection {
  const connection = createConnection(process.stdin, process.stdout);
  const documents = new TextDocuments(TextDocument);
  const session = new Session(
    (uri) => documents.get(uri),
    () => documents.all(),
  );
  new Server({ connection, documents, session, client: {} }).listen();
  return connection;
}

/** Keeps track of documents, and passes requests of the protocol to the functions that answer them. */
class Server {
  private readonly published: Published;

  constructor(private readonly served: Served) {
    this.published = new Published(served);
  }

  listen(): void {
    const { connection, documents, session } = this.served;
    connection.onInitialize((params) => this.initialize(params));
    connection.onInitialized(() => this.initialized());
    connection.onShutdown(() => {
      removeShown();
      return session.background.close();
    });
    documents.onDidChangeContent(({ document }) => this.changed(document));
    documents.onDidClose(({ document }) => this.closed(document));
    connection.onDidChangeWatchedFiles(({ changes }) =>
      this.changedOnDisk(changes.map((c) => c.uri)),
    );
    answerNames(this.served);
    answerOutlines(this.served);
    answerQuestions(this.served);
    documents.listen(connection);
    connection.listen();
  }

  private initialize({
    workspaceFolders,
    rootUri,
    capabilities,
  }: InitializeParams): InitializeResult {
    const folders = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : []);
    this.served.session.open(folders.map(pathOf));
    this.served.client = capabilities;
    return {
      serverInfo: { name: 'remora', version: VERSION },
      capabilities: {
        textDocumentSync: TextDocumentSyncKind.Incremental,
        completionProvider: { triggerCharacters: ['^', '.', ':', '"', ','] },
        signatureHelpProvider: { triggerCharacters: ['(', ','] },
        hoverProvider: true,
        definitionProvider: true,
        referencesProvider: true,
        renameProvider: { prepareProvider: true },
        documentHighlightProvider: true,
        documentSymbolProvider: true,
        workspaceSymbolProvider: true,
        semanticTokensProvider: {
          legend: { tokenTypes: [...TOKEN_TYPES], tokenModifiers: [] },
          full: true,
        },
        foldingRangeProvider: true,
        documentFormattingProvider: true,
        documentRangeFormattingProvider: true,
        inlayHintProvider: true,
        executeCommandProvider: { commands: Object.keys(COMMANDS) },
        codeLensProvider: { resolveProvider: true },
        codeActionProvider: {
          codeActionKinds: [
            CodeActionKind.QuickFix,
            CodeActionKind.Refactor,
            CodeActionKind.Source,
          ],
          resolveProvider: true,
        },
      },
    };
  }

  private initialized(): void {
    const { connection, client: able } = this.served;
    if (!able.workspace?.didChangeWatchedFiles?.dynamicRegistration) return;
    const { client } = connection;
    const watchers = FILE_ENDINGS.map((ending) => ({
      globPattern: `**/*${ending}`,
    }));
    quietly(client.register(DidChangeWatchedFilesNotification.type, { watchers }));
  }

  private changed(document: TextDocument): void {
    this.served.session.changed(document);
    if (isC(document.uri)) void this.changedC(document);
    // The file that includes this one may have changed, too.
    else if (isProgram(document.uri)) this.published.check(document.uri);
    else this.published.checkAll();
  }

  /** C is read once some file asks something. Of other C files, nothing is said, and what was said before is taken back. */
  private async changedC({ uri }: TextDocument): Promise<void> {
    const text = this.served.documents.get(uri)?.getText() ?? '';
    if (mayHaveHead(text) && !hasCReader()) {
      await loadC();
      this.served.session.changed({ uri });
    }
    if (hasCReader()) this.published.check(uri);
  }

  private changedOnDisk(uris: readonly string[]): void {
    const { documents, session } = this.served;
    const others = uris.filter((uri) => documents.get(uri) === undefined);
    if (others.length === 0) return;
    session.changedOnDisk(others);
    this.published.checkAll();
  }

  private closed({ uri }: TextDocument): void {
    this.served.session.changed({ uri });
    this.published.clear(uri);
  }
}
