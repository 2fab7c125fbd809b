// A process that plays an editor with a file of 1,000 lines: how long answers of `remora lsp` take after each key.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type * as Rpc from 'vscode-jsonrpc/node';
import { given } from './process.js';

export interface EditorGiven {
  readonly text: string;
  /** Of the file's name. */
  readonly ending: string;
  readonly keys: readonly string[];
  /** Line and character that is typed at. */
  readonly at: readonly [number, number];
  /** Methods of the protocol. */
  readonly asked: readonly string[];
}

/** Milliseconds. */
export interface AnswerTimes {
  readonly what: string;
  readonly median: number;
  readonly late: number;
}

const { StreamMessageReader, StreamMessageWriter, createMessageConnection } = createRequire(
  import.meta.url,
)('vscode-jsonrpc/node') as typeof Rpc;

const { text, ending, keys, at, asked } = given<EditorGiven>();
const main = fileURLToPath(new URL('../dist/cli/main.cjs', import.meta.url));
const server = spawn(process.execPath, [main, 'lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
const connection = createMessageConnection(
  new StreamMessageReader(server.stdout),
  new StreamMessageWriter(server.stdin),
);
const uri = `file:///bench/file.${ending}`;
const textDocument = { uri };
const heard = new Map<number, () => void>();
connection.onNotification(
  'textDocument/publishDiagnostics',
  ({ version }: { readonly version: number }) => {
    heard.get(version)?.();
  },
);
connection.listen();
connection.onRequest('workspace/inlayHint/refresh', () => null);
const hints = {
  workspace: { inlayHint: { refreshSupport: true } },
  textDocument: { inlayHint: {} },
};
await connection.sendRequest('initialize', { processId: null, rootUri: null, capabilities: hints });
await connection.sendNotification('initialized', {});

const diagnosed = (version: number) => new Promise<void>((resolve) => heard.set(version, resolve));
const [line, character] = at;
const times: Record<string, number[]> = { diagnostics: [] };
const first = diagnosed(1);
const item = { uri, languageId: ending, version: 1, text };
await connection.sendNotification('textDocument/didOpen', { textDocument: item });
await first;
for (let i = 0; i < keys.length; i++) {
  const version = i + 2;
  const start = { line, character: character + i };
  const begun = performance.now();
  const waiting = diagnosed(version);
  await connection.sendNotification('textDocument/didChange', {
    textDocument: { uri, version },
    contentChanges: [{ range: { start, end: start }, text: keys[i] }],
  });
  for (const method of asked) {
    const before = performance.now();
    const options = { tabSize: 2, insertSpaces: true };
    const position = { line, character: character + i + 1 };
    const range = { start: { line, character: 0 }, end: { line: line + 40, character: 0 } };
    const context = { includeDeclaration: true, diagnostics: [] };
    const params = { textDocument, position, options, range, context };
    // Where there is no name, there is nothing to rename.
    await connection.sendRequest(method, params).catch(() => {});
    (times[method.split('/')[1]] ??= []).push(performance.now() - before);
  }
  await waiting;
  times.diagnostics.push(performance.now() - begun);
}
await connection.sendRequest('shutdown');
await connection.sendNotification('exit');

const share = (all: readonly number[], part: number): number =>
  [...all].sort((a, b) => a - b)[Math.floor((all.length - 1) * part)];
for (const [what, all] of Object.entries(times)) {
  const found: AnswerTimes = { what, median: share(all, 0.5), late: share(all, 0.99) };
  console.log(JSON.stringify(found));
}
