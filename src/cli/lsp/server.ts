import {
  CodeActionKind,
  CodeLensRefreshRequest,
  DidChangeWatchedFilesNotification,
  ErrorCodes,
  LSPErrorCodes,
  MarkupKind,
  MessageType,
  ResponseError,
  ShowMessageNotification,
  TextDocumentSyncKind,
  TextDocuments,
  createConnection,
} from 'vscode-languageserver/node';
import type {
  CancellationToken,
  CodeLens,
  Connection,
  Hover,
  InitializeParams,
  InitializeResult,
  Location,
  Position,
  WorkspaceEdit,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { completionsAt } from '../../editor/complete.js';
import { foldsOf } from '../../editor/folding.js';
import { format } from '../../editor/format.js';
import { hoverAt } from '../../editor/hover.js';
import { FILE_ENDINGS } from '../../editor/language.js';
import { definitionsAt, referencesAt, refusedName, renamingAt } from '../../editor/navigate.js';
import { symbolsOf } from '../../editor/symbols.js';
import type { Span } from '../../parse/diagnostics/index.js';
import { VERSION } from '../package.js';
import { actionsAt, workOut } from './actions.js';
import {
  changeTo,
  documentOf,
  rangeIn,
  shownCompletion,
  shownDiagnostic,
  shownSymbol,
} from './convert.js';
import { pathOf, uriOf } from './files.js';
import {
  explain,
  itemOf,
  modelsFor,
  picture,
  queryNear,
  queryOf,
  verdictsOf,
} from './questions.js';
import type { Shown } from './questions.js';
import { Session, VERDICTS, documentKey } from './session.js';

/** A place, and the model for programs that name none. */
interface PictureParams {
  readonly textDocument: { readonly uri: string };
  readonly position: Position;
  readonly model: string;
}

/** Milliseconds of rest after a key before the file is looked at. */
const REST = 100;

/** Answers a client over standard input and output until it says that it is done, or goes away. */
export function serve(): Connection {
  const connection = createConnection(process.stdin, process.stdout);
  const documents = new TextDocuments(TextDocument);
  const session = new Session(
    (uri) => documents.get(uri),
    () => documents.all(),
  );
  const server = new Server(connection, documents, session);
  server.listen();
  return connection;
}

/** Hands requests of the protocol to the functions that answer them. */
class Server {
  private readonly timers = new Map<string, NodeJS.Timeout>();
  /** How many requests wait for some work, by its key. */
  private readonly waiting = new Map<string, number>();
  private watches = false;
  private refreshes = false;

  constructor(
    private readonly connection: Connection,
    private readonly documents: TextDocuments<TextDocument>,
    private readonly session: Session,
  ) {}

  listen(): void {
    const { connection, documents } = this;
    connection.onInitialize((params) => this.initialize(params));
    connection.onInitialized(() => this.initialized());
    connection.onShutdown(() => this.session.background.close());
    documents.onDidChangeContent(({ document }) => this.changed(document));
    documents.onDidClose(({ document }) => this.closed(document));
    connection.onDidChangeWatchedFiles(({ changes }) =>
      this.changedOnDisk(changes.map((c) => c.uri)),
    );
    this.answerNames();
    this.answerOutlines();
    this.answerQuestions();
    documents.listen(connection);
    connection.listen();
  }

  private initialize({
    workspaceFolders,
    rootUri,
    capabilities,
  }: InitializeParams): InitializeResult {
    const folders = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : []);
    this.session.open(folders.map(pathOf));
    this.watches = capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    this.refreshes = capabilities.workspace?.codeLens?.refreshSupport === true;
    return {
      serverInfo: { name: 'remora', version: VERSION },
      capabilities: {
        textDocumentSync: TextDocumentSyncKind.Incremental,
        completionProvider: { triggerCharacters: ['^', '.', ':', '"', ','] },
        hoverProvider: true,
        definitionProvider: true,
        referencesProvider: true,
        renameProvider: { prepareProvider: true },
        documentSymbolProvider: true,
        foldingRangeProvider: true,
        documentFormattingProvider: true,
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
    if (!this.watches) return;
    const watchers = FILE_ENDINGS.map((ending) => ({ globPattern: `**/*${ending}` }));
    quietly(this.connection.client.register(DidChangeWatchedFilesNotification.type, { watchers }));
  }

  private changed(document: TextDocument): void {
    this.session.changed(document);
    this.check(document.uri);
    if (document.uri.endsWith('.litmus')) return;
    // What other files say of it may have changed, too.
    for (const { uri } of this.documents.all()) if (uri !== document.uri) this.check(uri);
  }

  private changedOnDisk(uris: readonly string[]): void {
    const others = uris.filter((uri) => this.documents.get(uri) === undefined);
    if (others.length === 0) return;
    this.session.changedOnDisk(others);
    for (const { uri } of this.documents.all()) this.check(uri);
  }

  private closed({ uri }: TextDocument): void {
    clearTimeout(this.timers.get(uri));
    this.timers.delete(uri);
    this.session.changed({ uri });
    void this.connection.sendDiagnostics({ uri, diagnostics: [] });
  }

  /** Says what is wrong with a document, as soon as nobody types. */
  private check(uri: string): void {
    clearTimeout(this.timers.get(uri));
    this.timers.set(
      uri,
      setTimeout(() => {
        this.timers.delete(uri);
        const document = this.documents.get(uri);
        if (document === undefined) return;
        const { diagnostics } = this.session.of(document).diagnosed;
        void this.connection.sendDiagnostics({
          uri,
          version: document.version,
          diagnostics: diagnostics.map((one) => shownDiagnostic(document, one)),
        });
        if (this.refreshes) quietly(this.connection.sendRequest(CodeLensRefreshRequest.type));
      }, REST),
    );
  }

  private answerNames(): void {
    const { connection, session } = this;
    const { workspace } = session;
    connection.onDefinition((params) =>
      this.at(params, (path, offset) =>
        definitionsAt(path, offset, workspace).map(({ name }) => this.location(name.span)),
      ),
    );
    connection.onReferences((params) =>
      this.at(params, (path, offset) => {
        const { definitions, places } = referencesAt(path, offset, workspace);
        const defining = new Set(
          definitions.map(({ name }) => `${name.span.file} ${name.span.start}`),
        );
        const wanted = params.context.includeDeclaration
          ? places
          : places.filter(({ file, start }) => !defining.has(`${file} ${start}`));
        return wanted.map((span) => this.location(span));
      }),
    );
    connection.onPrepareRename((params) =>
      this.at(params, (path, offset, document) => {
        const renaming = renamingAt(path, offset, workspace);
        if ('refused' in renaming) throw refuse(renaming.refused);
        const own = renaming.places.find(
          (p) => p.file === path && p.start <= offset && offset <= p.end,
        );
        return own === undefined ? null : rangeIn(document, own);
      }),
    );
    connection.onRenameRequest((params) =>
      this.at(params, (path, offset) => {
        const renaming = renamingAt(path, offset, workspace);
        if ('refused' in renaming) throw refuse(renaming.refused);
        const refused = refusedName(path, offset, params.newName, workspace);
        if (refused !== undefined) throw refuse(refused);
        return this.renamed(renaming.places, params.newName);
      }),
    );
    connection.onCompletion((params) =>
      this.at(params, (path, offset) =>
        completionsAt(path, offset, workspace).map(shownCompletion),
      ),
    );
  }

  private answerOutlines(): void {
    const { connection, session } = this;
    connection.onDocumentSymbol(({ textDocument: { uri } }) => {
      const document = this.documents.get(uri);
      if (document === undefined) return [];
      return symbolsOf(pathOf(uri), session.workspace).map((one) => shownSymbol(document, one));
    });
    connection.onFoldingRanges(({ textDocument: { uri } }) => {
      const document = this.documents.get(uri);
      if (document === undefined) return [];
      return foldsOf({ path: pathOf(uri), text: document.getText() }).map(
        ({ from, to, isComment }) => ({
          startLine: from,
          endLine: to,
          kind: isComment ? 'comment' : undefined,
        }),
      );
    });
    connection.onDocumentFormatting(({ textDocument: { uri } }) => {
      const document = this.documents.get(uri);
      if (document === undefined) return [];
      // Where something is missing, nobody knows what goes with what.
      if (session.workspace.mistakes(pathOf(uri)).length > 0) return [];
      return [...changeTo(document, format({ path: pathOf(uri), text: document.getText() }))];
    });
  }

  private answerQuestions(): void {
    const { connection, session } = this;
    connection.onHover((params, token) =>
      this.at(params, (path, offset, document) => this.hover(path, offset, document, token)),
    );
    connection.onRequest('remora/picture', (params: PictureParams, token) =>
      this.picture(params, token),
    );
    connection.onCodeLens(({ textDocument: { uri } }) => this.lenses(uri));
    connection.onCodeLensResolve((lens, token) => this.resolved(lens, token));
    connection.onCodeAction(({ textDocument: { uri }, range }) => {
      const document = this.documents.get(uri);
      return document === undefined ? [] : [...actionsAt(document, range, session)];
    });
    connection.onCodeActionResolve(async (action, token) => {
      const document = this.documents.get(action.data.uri);
      if (document === undefined) return action;
      const found = await this.whileWanted(document, token, action.data.what, () =>
        workOut(document, action.data, session),
      );
      if (found.why !== undefined) this.tell(found.why);
      return { ...action, edit: { changes: { [document.uri]: [...found.edits] } } };
    });
  }

  /** What the extension for VS Code asks for: the query at a place, or near it, as a picture. */
  private async picture(
    { textDocument: { uri }, position, model }: PictureParams,
    token: CancellationToken,
  ): Promise<Shown> {
    const { session } = this;
    const document = this.documents.get(uri);
    const client = document && session.of(document).diagnosed.client;
    const item = client && itemOf(client, pathOf(uri));
    if (document === undefined || item === undefined) return { why: 'the file has mistakes' };
    if (item.test.queries.length === 0) {
      return { why: 'this file asks nothing: there is nothing to draw' };
    }
    const query = queryNear(item, document.offsetAt(position));
    const what = `picture ${query} ${model}`;
    return this.whileWanted(document, token, what, () =>
      session.background.do(documentKey(document, what), (pool) =>
        picture(pool, item, query, model, session.workspace),
      ),
    );
  }

  /** A lens for each query of a test without mistakes; what it says is found out when it is shown. */
  private lenses(uri: string): CodeLens[] {
    const document = this.documents.get(uri);
    const client = document && this.session.of(document).diagnosed.client;
    const item = client && itemOf(client, pathOf(uri));
    if (document === undefined || item === undefined) return [];
    const models = modelsFor(item, this.session.workspace);
    return item.test.queries.flatMap(({ span }, query) =>
      models.map((_, model) => ({
        range: rangeIn(document, span),
        data: { uri, version: document.version, query, model },
      })),
    );
  }

  private async resolved(lens: CodeLens, token: CancellationToken): Promise<CodeLens> {
    const { uri, version, query, model } = lens.data;
    const document = this.documents.get(uri);
    if (document === undefined || document.version !== version) throw modified();
    const records = await this.whileWanted(document, token, VERDICTS, () =>
      this.session.verdicts(document),
    );
    return { ...lens, command: { title: verdictsOf(records, query)[model], command: '' } };
  }

  /** On a query its verdict and why it is so; elsewhere what names and instructions mean. */
  private async hover(
    path: string,
    offset: number,
    document: TextDocument,
    token: CancellationToken,
  ): Promise<Hover | null> {
    const known = this.session.of(document);
    const { client } = known.diagnosed;
    const shown = hoverAt(path, offset, this.session.workspace, client);
    const item = client && itemOf(client, path);
    const query = item && queryOf(item, offset);
    if (item === undefined || query === undefined) {
      if (shown === undefined) return null;
      return { contents: markdown(shown.text), range: rangeIn(document, shown.span) };
    }
    const records = await this.whileWanted(document, token, VERDICTS, () =>
      this.session.verdicts(document),
    );
    const models = modelsFor(item, this.session.workspace);
    const told =
      known.told.get(query) ??
      (await this.whileWanted(document, token, `why ${query}`, () =>
        this.session.background.do(documentKey(document, `why ${query}`), (pool) =>
          explain(pool, item, models, query),
        ),
      ));
    known.told.set(query, told);
    const verdicts = verdictsOf(records, query).map((line) => `- ${line}`);
    const text = `${verdicts.join('\n')}\n\n\`\`\`\n${told.trimEnd()}\n\`\`\``;
    return { contents: markdown(text), range: rangeIn(document, item.test.queries[query].span) };
  }

  /**
   * Waits for some work for a document. Where nobody waits for it any more, it stops; where the document is changed, what
   * comes out is of no use.
   */
  private async whileWanted<T>(
    document: TextDocument,
    token: CancellationToken,
    what: string,
    work: () => Promise<T | undefined>,
  ): Promise<T> {
    const key = documentKey(document, what);
    const waiting = (by: number): number => {
      const count = (this.waiting.get(key) ?? 0) + by;
      if (count > 0) this.waiting.set(key, count);
      else this.waiting.delete(key);
      return count;
    };
    waiting(1);
    let left = false;
    const leave = (): void => {
      if (left) return;
      left = true;
      if (waiting(-1) === 0) this.session.background.cancel((one) => one === key);
    };
    const listening = token.onCancellationRequested(leave);
    try {
      const found = await work();
      if (token.isCancellationRequested) {
        throw new ResponseError(LSPErrorCodes.RequestCancelled, 'cancelled');
      }
      if (found === undefined) throw modified();
      return found;
    } finally {
      listening.dispose();
      if (!left) waiting(-1);
      left = true;
    }
  }

  private tell(message: string): void {
    quietly(
      this.connection.sendNotification(ShowMessageNotification.type, {
        type: MessageType.Info,
        message,
      }),
    );
  }

  /** Answers what is asked about a place of a document that is open. */
  private at<T>(
    { textDocument: { uri }, position }: { textDocument: { uri: string }; position: Position },
    answer: (path: string, offset: number, document: TextDocument) => T,
  ): T | null {
    const document = this.documents.get(uri);
    return document === undefined
      ? null
      : answer(pathOf(uri), document.offsetAt(position), document);
  }

  private location(span: Span): Location {
    const uri = uriOf(span.file);
    return { uri, range: rangeIn(this.documentAt(span.file), span) };
  }

  private documentAt(path: string): TextDocument {
    const uri = uriOf(path);
    return (
      this.documents.get(uri) ?? documentOf(uri, this.session.workspace.source(path)?.text ?? '')
    );
  }

  private renamed(places: readonly Span[], newText: string): WorkspaceEdit {
    const changes: NonNullable<WorkspaceEdit['changes']> = {};
    for (const span of places) {
      const { uri, range } = this.location(span);
      (changes[uri] ??= []).push({ range, newText });
    }
    return { changes };
  }
}

/** What a client does not understand or does not want is no reason to end. */
const quietly = (sent: Promise<unknown>): void => void sent.catch(() => {});

const markdown = (value: string) => ({ kind: MarkupKind.Markdown, value });

const refuse = (message: string): ResponseError<void> =>
  new ResponseError(ErrorCodes.InvalidRequest, message);

const modified = (): ResponseError<void> =>
  new ResponseError(LSPErrorCodes.ContentModified, 'the file was changed');
