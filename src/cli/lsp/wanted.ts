import { LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import type { CancellationToken } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { modified } from './served.js';
import type { Session } from './session.js';
import { documentKey } from './session.js';

/** Requests that wait for work in the background. The work goes on as long as one of them waits. */
export class Wanted {
  /** How many requests wait for some work, by its key. */
  private readonly waiting = new Map<string, number>();

  constructor(private readonly session: Session) {}

  /**
   * Waits for some work for a document. If no request waits for it any more, it stops. Throws an error of the protocol
   * if this request was cancelled or the document was changed.
   */
  async whileWanted<T>(
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
}
