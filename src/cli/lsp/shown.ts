import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { MessageType, ShowMessageNotification } from 'vscode-languageserver/node';
import { uriOf } from './files.js';
import { quietly } from './served.js';
import type { Served } from './served.js';

/** Shows a message, as every client can. */
export function tell({ connection }: Served, message: string): void {
  const type = MessageType.Info;
  quietly(connection.sendNotification(ShowMessageNotification.type, { type, message }));
}

let folder: string | undefined;

/** Shows a longer text about a file: as a document, which is a file of its own, or as a message if the client shows no documents. */
export function showText(served: Served, path: string, text: string): void {
  if (served.client.window?.showDocument?.support !== true) {
    tell(served, text);
    return;
  }
  folder ??= mkdtempSync(join(tmpdir(), 'remora-shown-'));
  const file = join(folder, `${basename(path)}.txt`);
  writeFileSync(file, text);
  quietly(served.connection.window.showDocument({ uri: uriOf(file), takeFocus: false }));
}

/** Removes the files of documents that were shown. */
export function removeShown(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  folder = undefined;
}
