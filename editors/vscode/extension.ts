import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ExtensionContext, WebviewPanel } from 'vscode';
import { ViewColumn, commands, window, workspace } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';
import { commandLine } from './command.js';

/** Starts the language server, and shows pictures beside programs. All that is known of the languages is in the server. */

/** What helps who has no Remora. */
const HOW =
  '`npm link` in a clone of Remora puts `remora` on the PATH; the setting remora.command names another command.';

let client: LanguageClient | undefined;
let panel: WebviewPanel | undefined;

const setting = <T>(name: string): T => workspace.getConfiguration('remora').get<T>(name)!;

/** How Remora is started. */
function remora(): readonly string[] {
  const folders = (workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  return commandLine(setting<readonly string[]>('command'), folders);
}

export async function activate(context: ExtensionContext): Promise<void> {
  const [command, ...args] = remora();
  const run = { command, args: [...args, 'lsp'] };
  client = new LanguageClient('remora', 'Remora', run, {
    documentSelector: [{ language: 'remora-litmus' }, { language: 'remora-cat' }],
  });
  context.subscriptions.push(commands.registerCommand('remora.picture', showPicture));
  context.subscriptions.push(
    workspace.onDidSaveTextDocument(({ languageId }) => {
      if (panel !== undefined && languageId === 'remora-litmus') void showPicture();
    }),
  );
  try {
    await client.start();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    void window.showErrorMessage(`Remora does not start: ${command}: ${why}. ${HOW}`);
  }
}

export const deactivate = (): Promise<void> | undefined => client?.stop();

/** Draws the query at the cursor, or the first one, of the file as it is saved. */
async function showPicture(): Promise<void> {
  const editor = window.activeTextEditor;
  if (editor?.document.languageId !== 'remora-litmus') return;
  const { document, selection } = editor;
  if (document.isDirty) await document.save();
  const before = document.getText().slice(0, document.offsetAt(selection.active));
  const queries = before.match(/^\s*(?:~\s*)?(?:exists|forall)\b/gm)?.length ?? 0;
  const query = String(Math.max(1, queries));
  const isClient = /^\s*uses\b/m.test(document.getText());
  const model = isClient ? [] : ['--model', setting<string>('model')];
  const svg = await drawn([document.fileName, '--query', query, ...model]);
  panel ??= window.createWebviewPanel('remora', 'Remora', {
    viewColumn: ViewColumn.Beside,
    preserveFocus: true,
  });
  panel.onDidDispose(() => (panel = undefined));
  const policy = `default-src 'none'; style-src 'unsafe-inline'`;
  panel.webview.html = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}">${svg}`;
}

/** The picture as SVG, or in its place why there is none. */
function drawn(args: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'remora-'));
  const file = join(folder, 'picture.svg');
  const [command, ...before] = remora();
  const all = [...before, 'explain', ...args, '--timeline', '--svg', file];
  return new Promise((done) => {
    execFile(command, all, { cwd: dirname(args[0]) }, (error, _, stderr) => {
      try {
        done(readFileSync(file, 'utf8'));
      } catch {
        const text = stderr || error?.message || 'there is nothing to draw';
        done(`<pre>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  });
}
