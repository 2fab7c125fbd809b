import type { ExtensionContext, WebviewPanel } from 'vscode';
import { ViewColumn, commands, window, workspace } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node.js';
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

/** What the server answers: a picture as SVG, or why there is none. */
interface Shown {
  readonly svg?: string;
  readonly why?: string;
}

/** Draws the query at the cursor, or the one above it. */
async function showPicture(): Promise<void> {
  const editor = window.activeTextEditor;
  if (client === undefined || editor?.document.languageId !== 'remora-litmus') return;
  const { document, selection } = editor;
  const { svg, why = '' } = await client.sendRequest<Shown>('remora/picture', {
    textDocument: { uri: client.code2ProtocolConverter.asUri(document.uri) },
    position: client.code2ProtocolConverter.asPosition(selection.active),
    model: setting<string>('model'),
  });
  if (panel === undefined) {
    panel = window.createWebviewPanel('remora', 'Remora', {
      viewColumn: ViewColumn.Beside,
      preserveFocus: true,
    });
    panel.onDidDispose(() => (panel = undefined));
  }
  const policy = `default-src 'none'; style-src 'unsafe-inline'`;
  const shown = svg ?? `<pre>${why.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`;
  panel.webview.html = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}">${shown}`;
}
