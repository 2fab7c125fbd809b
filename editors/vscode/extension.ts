import type { ExtensionContext, TextDocument } from 'vscode';
import { commands, window, workspace } from 'vscode';
import type { CodeAction } from 'vscode-languageclient/node.js';
import { CodeActionResolveRequest, LanguageClient } from 'vscode-languageclient/node.js';
import { commandLine } from './command.js';
import { isAsked } from './documents.js';
import { Explorer } from './explorer.js';
import { Timeline } from './timeline.js';

/** Starts the language server, shows pictures beside programs, and runs tests. All that is known of the languages is in the server. */

/** What helps who has no Remora. */
const HOW =
  '`npm link` in a clone of Remora puts `remora` on the PATH; the setting remora.command names another command.';

let client: LanguageClient | undefined;

const setting = <T>(name: string): T => workspace.getConfiguration('remora').get<T>(name)!;

/** How Remora is started. */
function remora(): readonly string[] {
  const folders = (workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  return commandLine(setting<readonly string[]>('command'), folders);
}

export async function activate({ subscriptions }: ExtensionContext): Promise<void> {
  const timeline = new Timeline({
    client: () => client,
    isProgram: ({ document }) => isProgram(document),
    model: () => setting<string>('model'),
  });
  subscriptions.push(
    timeline,
    new Explorer(remora),
    commands.registerCommand('remora.picture', async () => {
      await start();
      await timeline.show();
    }),
    commands.registerCommand('remora.ask', () =>
      edit('head', ({ languageId }) => languageId === 'c'),
    ),
    commands.registerCommand('remora.update', () => edit('update', isProgram)),
    workspace.onDidSaveTextDocument((document) => {
      markAsked();
      if (isAsked(document)) void start();
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

/** Are there commands for the file that is shown? */
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
    middleware: {
      // From the palette, a command of the server is about the query at the cursor.
      executeCommand: (name, given, next) => next(name, given.length > 0 ? given : atCursor()),
    },
  });
  try {
    await client.start();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    void window.showErrorMessage(`Remora does not start: ${command}: ${why}. ${HOW}`);
  }
}

/** The file that is shown, and the place of the cursor. */
function atCursor(): unknown[] {
  const editor = window.activeTextEditor;
  if (client === undefined || editor === undefined) return [];
  const { asUri, asPosition } = client.code2ProtocolConverter;
  return [asUri(editor.document.uri), asPosition(editor.selection.active)];
}

/** Has the server work out an edit of the file that is shown, and makes it. */
async function edit(what: string, isMeant: (document: TextDocument) => boolean): Promise<void> {
  const editor = window.activeTextEditor;
  if (editor === undefined || !isMeant(editor.document)) return;
  await start();
  const { document, selection } = editor;
  const uri = client!.code2ProtocolConverter.asUri(document.uri);
  const data = { uri, what, at: document.offsetAt(selection.active) };
  const action: CodeAction = { title: 'Remora', data };
  const resolved = await client!.sendRequest(CodeActionResolveRequest.type, action);
  const made =
    resolved.edit && (await client!.protocol2CodeConverter.asWorkspaceEdit(resolved.edit));
  if (made !== undefined) await workspace.applyEdit(made);
}
