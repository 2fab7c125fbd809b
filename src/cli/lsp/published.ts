import { CodeLensRefreshRequest } from 'vscode-languageserver/node';
import { shownDiagnostic } from './convert.js';
import { quietly } from './served.js';
import type { Served } from './served.js';

/** Milliseconds without a key before a file is checked. */
const REST = 100;

/** Sends the mistakes of documents, as soon as nobody types. */
export class Published {
  private readonly timers = new Map<string, NodeJS.Timeout>();

  constructor(private readonly served: Served) {}

  check(uri: string): void {
    clearTimeout(this.timers.get(uri));
    this.timers.set(
      uri,
      setTimeout(() => this.publish(uri), REST),
    );
  }

  checkAll(): void {
    for (const { uri } of this.served.documents.all()) this.check(uri);
  }

  /** Removes the mistakes of a document, which was closed. */
  clear(uri: string): void {
    clearTimeout(this.timers.get(uri));
    this.timers.delete(uri);
    void this.served.connection.sendDiagnostics({ uri, diagnostics: [] });
  }

  private publish(uri: string): void {
    const { client, connection, documents, session } = this.served;
    this.timers.delete(uri);
    const document = documents.get(uri);
    if (document === undefined) return;
    const { diagnostics } = session.of(document).diagnosed;
    void connection.sendDiagnostics({
      uri,
      version: document.version,
      diagnostics: diagnostics.map((one) => shownDiagnostic(document, one)),
    });
    // What it knows of other files may be old, too.
    const { codeLens, inlayHint } = client.workspace ?? {};
    if (codeLens?.refreshSupport) quietly(connection.sendRequest(CodeLensRefreshRequest.type));
    if (inlayHint?.refreshSupport) quietly(connection.languages.inlayHint.refresh());
  }
}
