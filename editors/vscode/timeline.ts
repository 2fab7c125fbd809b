import type { Disposable, TextEditor, WebviewPanel } from 'vscode';
import { CancellationTokenSource, ViewColumn, window, workspace } from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node.js';
import { page } from './page.js';
import type { Shown } from './page.js';

/** Milliseconds without a key or a move of the cursor before a picture is drawn. */
const REST = 300;

/** What pictures are drawn of: the program in an editor, by the server, under a model. */
export interface Drawn {
  readonly client: () => LanguageClient | undefined;
  readonly isProgram: (editor: TextEditor) => boolean;
  readonly model: () => string;
}

/** A panel beside a program with the timeline of the query at the cursor. It follows the text and the cursor. */
export class Timeline implements Disposable {
  private panel: WebviewPanel | undefined;
  private editor: TextEditor | undefined;
  private timer: NodeJS.Timeout | undefined;
  private asked: CancellationTokenSource | undefined;
  private readonly following: readonly Disposable[];

  constructor(private readonly drawn: Drawn) {
    this.following = [
      workspace.onDidChangeTextDocument(({ document }) => {
        if (document === this.editor?.document) this.follow(this.editor);
      }),
      window.onDidChangeTextEditorSelection(({ textEditor }) => this.follow(textEditor)),
      window.onDidChangeActiveTextEditor((editor) => editor && this.follow(editor)),
    ];
  }

  /** Opens the panel. */
  async show(): Promise<void> {
    const editor = window.activeTextEditor;
    if (editor === undefined || !this.drawn.isProgram(editor)) return;
    this.editor = editor;
    if (this.panel === undefined) {
      const beside = { viewColumn: ViewColumn.Beside, preserveFocus: true };
      this.panel = window.createWebviewPanel('remora', 'Remora', beside, {
        enableScripts: false,
        localResourceRoots: [],
      });
      this.panel.onDidDispose(() => this.forget());
    }
    await this.draw();
  }

  dispose(): void {
    for (const one of this.following) one.dispose();
    this.panel?.dispose();
    this.forget();
  }

  private forget(): void {
    clearTimeout(this.timer);
    this.asked?.cancel();
    this.panel = undefined;
    this.editor = undefined;
  }

  private follow(editor: TextEditor): void {
    if (this.panel === undefined || !this.drawn.isProgram(editor)) return;
    this.editor = editor;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.draw(), REST);
  }

  /** Draws the query at the cursor, or the one above it. What is no longer wanted is cancelled. */
  private async draw(): Promise<void> {
    const { editor } = this;
    const client = this.drawn.client();
    if (client === undefined || editor === undefined) return;
    this.asked?.cancel();
    const asked = new CancellationTokenSource();
    this.asked = asked;
    const { document, selection } = editor;
    const params = {
      textDocument: { uri: client.code2ProtocolConverter.asUri(document.uri) },
      position: client.code2ProtocolConverter.asPosition(selection.active),
      model: this.drawn.model(),
    };
    try {
      const shown = await client.sendRequest<Shown>('remora/picture', params, asked.token);
      if (this.panel !== undefined && !asked.token.isCancellationRequested) {
        this.panel.webview.html = page(shown);
      }
    } catch {
      // The text was changed meanwhile: another picture is on its way.
    }
  }
}
