import { CancellationToken, MarkupKind } from 'vscode-languageserver/node';
import type { CodeLens, Hover, InlayHint, Position, Range } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { hoverAt } from '../../editor/hover.js';
import type { VerdictRecord } from '../../report/record.js';
import { actionsAt, workOut } from './actions.js';
import { answerCommands, commandAt, told } from './commands.js';
import { rangeIn } from './convert.js';
import { pathOf } from './files.js';
import {
  itemOf,
  modelsFor,
  picture,
  queryNear,
  queryOf,
  verdictsInShort,
  verdictsOf,
} from './questions.js';
import type { Item, Shown } from './questions.js';
import { at, modified, quietly } from './served.js';
import type { Served } from './served.js';
import { VERDICTS, documentKey } from './session.js';
import type { Known } from './session.js';
import { tell } from './shown.js';
import { Wanted } from './wanted.js';

/** A place, and the model for plain programs. */
interface PictureParams {
  readonly textDocument: { readonly uri: string };
  readonly position: Position;
  readonly model: string;
}

/** Answers requests about queries: verdicts, explanations, pictures, and fixes. */
export function answerQuestions(served: Served): void {
  const wanted = new Wanted(served.session);
  new Questions(served, wanted).listen();
  answerCommands({ served, wanted });
}

class Questions {
  /** The versions of documents whose verdicts are being found for hints. */
  private readonly begun = new WeakSet<Known>();

  constructor(
    private readonly served: Served,
    private readonly wanted: Wanted,
  ) {}

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
    connection.languages.inlayHint.on(({ textDocument: { uri }, range }, token) =>
      this.hints(uri, range, token),
    );
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
      if (found.why !== undefined) tell(this.served, found.why);
      return {
        ...action,
        edit: { changes: { [document.uri]: [...found.edits] } },
      };
    });
  }

  /** A document with its test, if it has no mistakes. */
  private asked(uri: string): { document: TextDocument; item: Item } | undefined {
    const document = this.served.documents.get(uri);
    const client = document && this.served.session.of(document).diagnosed.client;
    const item = client && itemOf(client, pathOf(uri));
    return document && item && { document, item };
  }

  /** The request of the extension for VS Code: a picture of the query at or near a place. */
  private async picture(
    { textDocument: { uri }, position, model }: PictureParams,
    token: CancellationToken,
  ): Promise<Shown> {
    const { session } = this.served;
    const asked = this.asked(uri);
    if (asked === undefined) return { why: 'the file has mistakes' };
    const { document, item } = asked;
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

  /**
   * Lenses for each query of a test without mistakes. What a client without hints is to see of a verdict is the text of a lens,
   * computed when it is shown.
   */
  private lenses(uri: string): CodeLens[] {
    const asked = this.asked(uri);
    if (asked === undefined) return [];
    const { document, item } = asked;
    const models = modelsFor(item, this.served.session.workspace);
    return item.test.queries.flatMap(({ span }, query): CodeLens[] => {
      const range = rangeIn(document, span);
      const lens = (name: 'check' | 'explain' | 'fix'): CodeLens => ({
        range,
        command: commandAt(name, document, range.start),
      });
      const verdicts = models.map((_, model) => ({
        range,
        data: { uri, version: document.version, query, model },
      }));
      return [
        ...(this.hasHints() ? [lens('check')] : verdicts),
        lens('explain'),
        ...(item.test.models === undefined ? [lens('fix')] : []),
      ];
    });
  }

  private async resolved(lens: CodeLens, token: CancellationToken): Promise<CodeLens> {
    if (lens.command !== undefined) return lens;
    const { uri, version, query, model } = lens.data;
    const document = this.served.documents.get(uri);
    if (document === undefined || document.version !== version) throw modified();
    const records = await this.verdicts(document, token);
    const title = verdictsOf(records, query)[model];
    return { ...lens, command: commandAt('check', document, lens.range.start, title) };
  }

  private hasHints(): boolean {
    return this.served.client.textDocument?.inlayHint !== undefined;
  }

  private verdicts(
    document: TextDocument,
    token: CancellationToken,
  ): Promise<readonly VerdictRecord[]> {
    return this.wanted.whileWanted(document, token, VERDICTS, () =>
      this.served.session.verdicts(document),
    );
  }

  /**
   * The verdicts, behind the lines of their queries. A client that can be told to ask again has those that are known, and
   * is told when there are more; another one waits.
   */
  private async hints(uri: string, range: Range, token: CancellationToken): Promise<InlayHint[]> {
    const asked = this.asked(uri);
    if (asked === undefined || asked.item.test.queries.length === 0) return [];
    const { document, item } = asked;
    const known = this.served.session.of(document);
    const refreshes = this.served.client.workspace?.inlayHint?.refreshSupport === true;
    if (known.records === undefined && refreshes) {
      this.begin(known, document);
      return [];
    }
    const records = known.records ?? (await this.verdicts(document, token));
    return item.test.queries.flatMap(({ span }, query): InlayHint[] => {
      const position = endOfLine(document, span.end);
      if (position.line < range.start.line || position.line > range.end.line) return [];
      const label = verdictsInShort(records, query).join('; ');
      const tooltip = verdictsOf(records, query).join('\n');
      return [{ position, label, tooltip, paddingLeft: true }];
    });
  }

  private begin(known: Known, document: TextDocument): void {
    if (this.begun.has(known)) return;
    this.begun.add(known);
    const found = this.verdicts(document, CancellationToken.None).finally(() =>
      this.begun.delete(known),
    );
    quietly(found.then(() => this.served.connection.languages.inlayHint.refresh()));
  }

  /** On a query its verdict and explanation; elsewhere what names and instructions mean. */
  private async hover(
    path: string,
    offset: number,
    document: TextDocument,
    token: CancellationToken,
  ): Promise<Hover | null> {
    const { client } = this.served.session.of(document).diagnosed;
    const item = client && itemOf(client, path);
    const query = item && queryOf(item, offset);
    if (item === undefined || query === undefined) {
      const shown = hoverAt(path, offset, this.served.session.workspace, client);
      if (shown === undefined) return null;
      return {
        contents: markdown(shown.text),
        range: rangeIn(document, shown.span),
      };
    }
    const records = await this.verdicts(document, token);
    const why = await told(
      { served: this.served, wanted: this.wanted },
      { document, item, query, token },
    );
    const verdicts = verdictsOf(records, query).map((line) => `- ${line}`);
    const text = `${verdicts.join('\n')}\n\n\`\`\`\n${why.trimEnd()}\n\`\`\``;
    return {
      contents: markdown(text),
      range: rangeIn(document, item.test.queries[query].span),
    };
  }
}

/** The end of the line that a place is in. */
function endOfLine(document: TextDocument, offset: number): Position {
  const rest = document.getText().slice(offset);
  return document.positionAt(offset + /^[^\r\n]*/.exec(rest)![0].trimEnd().length);
}

const markdown = (value: string) => ({ kind: MarkupKind.Markdown, value });
