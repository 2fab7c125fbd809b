import { CodeLensRefreshRequest } from 'vscode-languageserver/node';
import { shownDiagnostic } from './convert.js';
import { quietly } from './served.js';
import type { Served } from './served.js';

/** Milliseconds of rest after a key before the file is looked at. */
const REST = 100;

/** Says what is wrong with documents, as soon as nobody types. */
export class Published {
  private readonly timers = new Map<string, NodeJS.Timeout>();
  /** Does the client ask for lenses again when it is told to? */
  refreshes = false;

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

  /** Nothing is wrong with a document that is closed. */
  clear(uri: string): void {
    clearTimeout(this.timers.get(uri));
    this.timers.delete(uri);
    void this.served.connection.sendDiagnostics({ uri, diagnostics: [] });
  }

  private publish(uri: string): void {
    const { connection, documents, session } = this.served;
    this.timers.delete(uri);
    const document = documents.get(uri);
    if (document === undefined) return;
    const { diagnostics } = session.of(document).diagnosed;
    void connection.sendDiagnostics({
      uri,
      version: document.version,
      diagnostics: diagnostics.map((one) => shownDiagnostic(document, one)),
    });
    if (this.refreshes) quietly(connection.sendRequest(CodeLensRefreshRequest.type));
  }
}
