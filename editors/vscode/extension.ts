import type { ExtensionContext, TextDocument, WebviewPanel } from 'vscode';
import { ViewColumn, commands, window, workspace } from 'vscode';
import type { CodeAction } from 'vscode-languageclient/node.js';
import { CodeActionResolveRequest, LanguageClient } from 'vscode-languageclient/node.js';
import { commandLine } from './command.js';
import { isAsked } from './documents.js';

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

export async function activate({ subscriptions }: ExtensionContext): Promise<void> {
  subscriptions.push(
    commands.registerCommand('remora.picture', showPicture),
    commands.registerCommand('remora.ask', askAbout),
    workspace.onDidSaveTextDocument((document) => {
      markAsked();
      if (isAsked(document)) void start();
      if (panel !== undefined && isProgram(document)) void showPicture();
    }),
    workspace.onDidOpenTextDocument((document) => {
      if (isAsked(document)) void start();
    }),
    window.onDidChangeActiveTextEditor(markAsked),
  );
  markAsked();
  if (workspace.textDocuments.some(isAsked)) await start();
}

export const deactivate = (): Promise<void> | undefined => client?.stop();

/** Is there a button for the picture? */
function markAsked(): void {
  const document = window.activeTextEditor?.document;
  const isMarked = document !== undefined && isProgram(document);
  void commands.executeCommand('setContext', 'remora.program', isMarked);
}

const isProgram = (document: TextDocument): boolean =>
  document.languageId !== 'remora-cat' && isAsked(document);

let started: Promise<void> | undefined;

/** Starts the server, once. Nobody who opens C alone has it. */
const start = (): Promise<void> => (started ??= startServer());

async function startServer(): Promise<void> {
  const [command, ...args] = remora();
  const run = { command, args: [...args, 'lsp'] };
  client = new LanguageClient('remora', 'Remora', run, {
    documentSelector: [
      { language: 'remora-litmus' },
      { language: 'remora-cat' },
      { language: 'c', scheme: 'file' },
    ],
  });
  try {
    await client.start();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    void window.showErrorMessage(`Remora does not start: ${command}: ${why}. ${HOW}`);
  }
}

/** Puts a head in front of a C file, of the function at the cursor. */
async function askAbout(): Promise<void> {
  const editor = window.activeTextEditor;
  if (editor?.document.languageId !== 'c') return;
  await start();
  const { document, selection } = editor;
  const uri = client!.code2ProtocolConverter.asUri(document.uri);
  const data = { uri, what: 'head', at: document.offsetAt(selection.active) };
  const action: CodeAction = { title: 'Ask Remora', data };
  const { edit } = await client!.sendRequest(CodeActionResolveRequest.type, action);
  const made = edit && (await client!.protocol2CodeConverter.asWorkspaceEdit(edit));
  if (made !== undefined) await workspace.applyEdit(made);
}

/** What the server answers: a picture as SVG, or why there is none. */
interface Shown {
  readonly svg?: string;
  readonly why?: string;
}

/** Draws the query at the cursor, or the one above it. */
async function showPicture(): Promise<void> {
  const editor = window.activeTextEditor;
  if (client === undefined || editor === undefined || !isProgram(editor.document)) return;
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
