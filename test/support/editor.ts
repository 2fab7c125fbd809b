import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  StreamMessageReader,
  StreamMessageWriter,
  createMessageConnection,
} from 'vscode-jsonrpc/node';
import type { CancellationToken, MessageConnection } from 'vscode-jsonrpc/node';
import { MAIN } from './run.js';

export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

export interface Published {
  readonly uri: string;
  readonly version: number;
  readonly diagnostics: readonly {
    readonly range: Range;
    readonly message: string;
    readonly severity: number;
  }[];
}

export interface TextEdit {
  readonly range: Range;
  readonly newText: string;
}

export interface WorkspaceEdit {
  readonly changes: Readonly<Record<string, readonly TextEdit[]>>;
}

/** Capabilities of a client that not every one has. */
export interface MoreCapabilities {
  readonly workspace?: object;
  readonly textDocument?: object;
  readonly window?: object;
}

/** An editor that talks to `remora lsp`, a process of its own, over standard input and output. */
export class Editor {
  readonly published: Published[] = [];
  readonly messages: string[] = [];
  /** The texts of documents that the server showed. */
  readonly shown: string[] = [];
  /** Edits that the server asked for, each made at once. */
  readonly edits: Readonly<Record<string, readonly TextEdit[]>>[] = [];
  /** How often the server asked to be asked for hints again. */
  hintsAgain = 0;
  /** What the server says that it can. */
  capabilities: Readonly<Record<string, unknown>> = {};
  readonly errors: string[] = [];
  private readonly versions = new Map<string, number>();
  private readonly texts = new Map<string, string>();
  private readonly hearing: ((published: Published) => void)[] = [];

  private constructor(
    readonly process: ChildProcess,
    readonly connection: MessageConnection,
  ) {}

  /**
   * Starts a server for a folder.
   *
   * @param flags of Node.js
   * @param more what the editor can do besides, as the protocol says it
   */
  static async start(
    folder: string,
    flags: readonly string[] = [],
    more: MoreCapabilities = {},
  ): Promise<Editor> {
    const child = spawn(process.execPath, [...flags, MAIN, 'lsp', '--stdio'], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'] ?? '' },
    });
    const connection = createMessageConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    const editor = new Editor(child, connection);
    child.stderr.on('data', (chunk: Buffer) => editor.errors.push(chunk.toString()));
    connection.onNotification('textDocument/publishDiagnostics', (published: Published) => {
      editor.published.push(published);
      for (const hear of editor.hearing) hear(published);
    });
    connection.onNotification('window/showMessage', ({ message }: { message: string }) => {
      editor.messages.push(message);
    });
    connection.onRequest('client/registerCapability', () => null);
    connection.onRequest('workspace/codeLens/refresh', () => null);
    connection.onRequest('workspace/inlayHint/refresh', () => {
      editor.hintsAgain += 1;
      return null;
    });
    connection.onRequest('window/showDocument', ({ uri }: { uri: string }) => {
      editor.shown.push(readFileSync(fileURLToPath(uri), 'utf8'));
      return { success: true };
    });
    connection.onRequest('workspace/applyEdit', ({ edit }: { edit: WorkspaceEdit }) => {
      editor.edits.push(edit.changes);
      for (const [uri, edits] of Object.entries(edit.changes)) {
        editor.write(uri, applied(editor.textOf(uri), edits));
      }
      return { applied: true };
    });
    connection.listen();
    const uri = pathToFileURL(folder).href;
    const capabilities = {
      ...more,
      workspace: {
        ...more.workspace,
        codeLens: { refreshSupport: true },
        didChangeWatchedFiles: { dynamicRegistration: true },
      },
    };
    const answer = await connection.sendRequest<Pick<Editor, 'capabilities'>>('initialize', {
      processId: process.pid,
      rootUri: uri,
      workspaceFolders: [{ uri, name: 'folder' }],
      capabilities,
    });
    editor.capabilities = answer.capabilities;
    await connection.sendNotification('initialized', {});
    return editor;
  }

  /** Opens a document. */
  open(uri: string, text: string): void {
    this.versions.set(uri, 1);
    this.texts.set(uri, text);
    const [languageId] = /\w+$/.exec(uri)!;
    void this.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId, version: 1, text },
    });
  }

  /** Puts a text in the place of some characters of a document. */
  replace(uri: string, start: number, end: number, text: string): void {
    const before = this.textOf(uri);
    const range = { start: positionOf(before, start), end: positionOf(before, end) };
    const version = this.versionOf(uri) + 1;
    this.versions.set(uri, version);
    this.texts.set(uri, before.slice(0, start) + text + before.slice(end));
    void this.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ range, text }],
    });
  }

  /** Puts another text in the place of a document's. */
  write(uri: string, text: string): void {
    this.replace(uri, 0, this.textOf(uri).length, text);
  }

  textOf(uri: string): string {
    return this.texts.get(uri)!;
  }

  versionOf(uri: string): number {
    return this.versions.get(uri)!;
  }

  /** What the server says of a document as it is now. */
  async diagnostics(uri: string): Promise<Published> {
    const version = this.versionOf(uri);
    const isMeant = (one: Published): boolean => one.uri === uri && one.version === version;
    const known = this.published.findLast(isMeant);
    if (known !== undefined) return known;
    return new Promise((resolve) => {
      const hear = (one: Published): void => {
        if (!isMeant(one)) return;
        this.hearing.splice(this.hearing.indexOf(hear), 1);
        resolve(one);
      };
      this.hearing.push(hear);
    });
  }

  /** Asks about a place of a document: where a text begins for the n-th time, and some characters further. */
  at<T>(
    method: string,
    uri: string,
    text: string,
    { nth = 0, by = 0, more = {}, token }: Asking = {},
  ): Promise<T> {
    const parts = this.textOf(uri).split(text);
    const offset = parts.slice(0, nth + 1).join(text).length + by;
    const position = positionOf(this.textOf(uri), offset);
    return this.ask(method, { textDocument: { uri }, position, ...more }, token);
  }

  ask<T>(method: string, params: object, token?: CancellationToken): Promise<T> {
    return token === undefined
      ? this.connection.sendRequest(method, params)
      : this.connection.sendRequest(method, params, token);
  }

  /** Ends the server as an editor does; its exit code. */
  async end(): Promise<number | null> {
    const ended = new Promise<number | null>((resolve) => this.process.once('exit', resolve));
    await this.connection.sendRequest('shutdown');
    await this.connection.sendNotification('exit');
    return ended;
  }
}

interface Asking {
  readonly nth?: number;
  readonly by?: number;
  readonly more?: object;
  readonly token?: CancellationToken;
}

/** The line and column of an offset, from 0. */
export function positionOf(text: string, offset: number): Position {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length - 1, character: lines.at(-1)!.length };
}

/** The offset of a line and column. */
export function offsetOf(text: string, { line, character }: Position): number {
  const before = text.split('\n').slice(0, line);
  return before.reduce((sum, { length }) => sum + length + 1, character);
}

/** The characters of a text in a range. */
export const within = (text: string, { start, end }: Range): string =>
  text.slice(offsetOf(text, start), offsetOf(text, end));

/** A text after edits. */
export function applied(text: string, edits: readonly TextEdit[]): string {
  const fromBehind = [...edits].sort(
    (a, b) => offsetOf(text, b.range.start) - offsetOf(text, a.range.start),
  );
  return fromBehind.reduce(
    (before, { range, newText }) =>
      before.slice(0, offsetOf(text, range.start)) +
      newText +
      before.slice(offsetOf(text, range.end)),
    text,
  );
}

/** A file that tests open. */
export const MP = `RDMA mp
"a message"

node 1 { y = 0 }
node 2 { x = 0 }

# The put may be overtaken.
thread T1 on 1 { x^2 := 1; y := 1 }
thread T2 on 2 { a := y^1; b := x }

exists (a = 1 /\\ b = 0)  "overtaken"
  computed forbidden under rdma-tso
forall (x = 1)
`;

/** More than can be searched in some seconds: threads that count with each other. */
export const HARD = `RDMA hard
node 1 { x = 0; y = 0; z = 0 }
${[1, 2, 3, 4, 5, 6].map((i) => `thread T${i} on 1 { ${'a := faa(x, 1); b := faa(y, 1); c := faa(z, 1); '.repeat(3)} skip }`).join('\n')}
exists (x = 18 /\\ y = 18 /\\ z = 17)
`;
