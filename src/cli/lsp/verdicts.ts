import { MarkupKind, MessageType, ShowMessageNotification } from 'vscode-languageserver/node';
import type { CancellationToken, CodeLens, Hover } from 'vscode-languageserver/node';
import type { Position } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { hoverAt } from '../../editor/hover.js';
import { actionsAt, workOut } from './actions.js';
import { rangeIn } from './convert.js';
import { pathOf } from './files.js';
import {
  explainInWords,
  itemOf,
  modelsFor,
  picture,
  queryNear,
  queryOf,
  verdictsOf,
} from './questions.js';
import type { Shown } from './questions.js';
import { at, modified, quietly } from './served.js';
import type { Served } from './served.js';
import { VERDICTS, documentKey } from './session.js';
import { Wanted } from './wanted.js';

/** A place, and the model for plain programs. */
interface PictureParams {
  readonly textDocument: { readonly uri: string };
  readonly position: Position;
  readonly model: string;
}

/** Answers requests about queries: verdicts, explanations, pictures, and fixes. */
export function answerQuestions(served: Served): void {
  new Questions(served).listen();
}

class Questions {
  private readonly wanted: Wanted;

  constructor(private readonly served: Served) {
    this.wanted = new Wanted(served.session);
  }

  listen(): void {
    const { connection, session } = this.served;
    connection.onHover((params, token) =>
      at(this.served, params, (path, offset, document) =>
        this.hover(path, offset, document, token),
      ),
    );
    connection.onRequest<Shown, void>('remora/picture', (params: PictureParams, token) =>
      this.picture(params, token),
    );
    connection.onCodeLens(({ textDocument: { uri } }) => this.lenses(uri));
    connection.onCodeLensResolve((lens, token) => this.resolved(lens, token));
    connection.onCodeAction(({ textDocument: { uri }, range }) => {
      const document = this.served.documents.get(uri);
      return document === undefined ? [] : [...actionsAt(document, range, session)];
    });
    connection.onCodeActionResolve(async (action, token) => {
      const document = this.served.documents.get(action.data.uri);
      if (document === undefined) return action;
      const found = await this.wanted.whileWanted(document, token, action.data.what, () =>
        workOut(document, action.data, session),
      );
      if (found.why !== undefined) this.tell(found.why);
      return {
        ...action,
        edit: { changes: { [document.uri]: [...found.edits] } },
      };
    });
  }

  /** The request of the extension for VS Code: a picture of the query at or near a place. */
  private async picture(
    { textDocument: { uri }, position, model }: PictureParams,
    token: CancellationToken,
  ): Promise<Shown> {
    const { session, documents } = this.served;
    const document = documents.get(uri);
    const client = document && session.of(document).diagnosed.client;
    const item = client && itemOf(client, pathOf(uri));
    if (document === undefined || item === undefined) return { why: 'the file has mistakes' };
    if (item.test.queries.length === 0) {
      return { why: 'this file asks nothing: there is nothing to draw' };
    }
    const query = queryNear(item, document.offsetAt(position));
    const what = `picture ${query} ${model}`;
    return this.wanted.whileWanted(document, token, what, () =>
      session.background.do(documentKey(document, what), (pool) =>
        picture(pool, item, query, model, session.workspace),
      ),
    );
  }

  /** A lens for each query of a test without mistakes. Its text is computed when it is shown. */
  private lenses(uri: string): CodeLens[] {
    const document = this.served.documents.get(uri);
    const client = document && this.served.session.of(document).diagnosed.client;
    const item = client && itemOf(client, pathOf(uri));
    if (document === undefined || item === undefined) return [];
    const models = modelsFor(item, this.served.session.workspace);
    return item.test.queries.flatMap(({ span }, query) =>
      models.map((_, model) => ({
        range: rangeIn(document, span),
        data: { uri, version: document.version, query, model },
      })),
    );
  }

  private async resolved(lens: CodeLens, token: CancellationToken): Promise<CodeLens> {
    const { uri, version, query, model } = lens.data;
    const document = this.served.documents.get(uri);
    if (document === undefined || document.version !== version) throw modified();
    const records = await this.wanted.whileWanted(document, token, VERDICTS, () =>
      this.served.session.verdicts(document),
    );
    return {
      ...lens,
      command: { title: verdictsOf(records, query)[model], command: '' },
    };
  }

  /** On a query its verdict and explanation; elsewhere what names and instructions mean. */
  private async hover(
    path: string,
    offset: number,
    document: TextDocument,
    token: CancellationToken,
  ): Promise<Hover | null> {
    const known = this.served.session.of(document);
    const { client } = known.diagnosed;
    const shown = hoverAt(path, offset, this.served.session.workspace, client);
    const item = client && itemOf(client, path);
    const query = item && queryOf(item, offset);
    if (item === undefined || query === undefined) {
      if (shown === undefined) return null;
      return {
        contents: markdown(shown.text),
        range: rangeIn(document, shown.span),
      };
    }
    const records = await this.wanted.whileWanted(document, token, VERDICTS, () =>
      this.served.session.verdicts(document),
    );
    const models = modelsFor(item, this.served.session.workspace);
    const told =
      known.told.get(query) ??
      (await this.wanted.whileWanted(document, token, `why ${query}`, () =>
        this.served.session.background.do(documentKey(document, `why ${query}`), (pool) =>
          explainInWords(pool, item, models, query),
        ),
      ));
    known.told.set(query, told);
    const verdicts = verdictsOf(records, query).map((line) => `- ${line}`);
    const text = `${verdicts.join('\n')}\n\n\`\`\`\n${told.trimEnd()}\n\`\`\``;
    return {
      contents: markdown(text),
      range: rangeIn(document, item.test.queries[query].span),
    };
  }

  private tell(message: string): void {
    quietly(
      this.served.connection.sendNotification(ShowMessageNotification.type, {
        type: MessageType.Info,
        message,
      }),
    );
  }
}

const markdown = (value: string) => ({ kind: MarkupKind.Markdown, value });
