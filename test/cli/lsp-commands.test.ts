import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Editor, Position, Range } from '../support/editor.js';
import { editorSession } from '../support/editor-session.js';
import { HARD, MP, positionOf } from '../support/editor.js';
import { ROOT, remora } from '../support/run.js';

/** What a client with hints and documents has of the language server: verdicts behind queries, and lenses that run. */

let editor: Editor;
const { folder, open } = editorSession(
  {},
  (started) => {
    editor = started;
  },
  {
    workspace: { inlayHint: { refreshSupport: true } },
    textDocument: { inlayHint: {} },
    window: { showDocument: { support: true } },
  },
);

let plain: Editor;
const simple = editorSession({}, (started) => {
  plain = started;
});

interface Lens {
  readonly range: Range;
  readonly command?: Command;
}
interface Command {
  readonly title: string;
  readonly command: string;
  readonly arguments: readonly unknown[];
}
interface Hint {
  readonly position: Position;
  readonly label: string;
  readonly tooltip: string;
}

const hintsOf = (client: Editor, uri: string): Promise<readonly Hint[]> => {
  const lines = client.textOf(uri).split('\n').length;
  const range = { start: { line: 0, character: 0 }, end: { line: lines, character: 0 } };
  return client.ask('textDocument/inlayHint', { textDocument: { uri }, range });
};

const lensesOf = (client: Editor, uri: string): Promise<readonly Lens[]> =>
  client.ask('textDocument/codeLens', { textDocument: { uri } });

const CLIENT = `RDMA client
uses sv
node 1 {}
node 2 {}
sv x, y
thread T1 on 1 { sv.write(x, 1); sv.bcast(x, d, {2}); sv.wait(d); a := sv.read(y) }
thread T2 on 2 { sv.write(y, 1); sv.bcast(y, d, {1}); sv.wait(d); b := sv.read(x) }
exists (a = 0 /\\ b = 0)
`;

describe('hints', () => {
  test('the verdict stands behind its query, as soon as it is known', async () => {
    const uri = open(MP);
    const before = editor.hintsAgain;
    expect(await hintsOf(editor, uri)).toEqual([]);
    await expect.poll(async () => (await hintsOf(editor, uri)).length).toBe(2);
    expect(editor.hintsAgain).toBeGreaterThan(before);
    const [first, second] = await hintsOf(editor, uri);
    expect(first.position).toEqual(positionOf(MP, MP.indexOf('\n  computed')));
    expect([first.label, second.label]).toEqual(['allowed under rdma-tso', 'holds under rdma-tso']);
    expect(first.tooltip).toMatch(/^allowed: .*; the file expects forbidden \(under rdma-tso\)$/);
  });

  test('another text has none until it is decided', async () => {
    const uri = open(MP);
    await expect.poll(async () => (await hintsOf(editor, uri)).length).toBe(2);
    editor.write(uri, MP.replace('x^2 := 1; y', 'x^2 := 1; poll(2); y'));
    expect(await hintsOf(editor, uri)).toEqual([]);
    await expect.poll(async () => (await hintsOf(editor, uri)).length).toBe(2);
    editor.write(uri, MP.replace('y := 1 }', 'y := }'));
    expect(await hintsOf(editor, uri)).toEqual([]);
  });

  test('of the lines that are asked about alone', async () => {
    const uri = open(MP);
    await expect.poll(async () => (await hintsOf(editor, uri)).length).toBe(2);
    const line = positionOf(MP, MP.indexOf('forall')).line;
    const range = { start: { line, character: 0 }, end: { line, character: 9 } };
    const asked = { textDocument: { uri }, range };
    const hints = await editor.ask<readonly Hint[]>('textDocument/inlayHint', asked);
    expect(hints.map(({ label }) => label)).toEqual(['holds under rdma-tso']);
  });

  test('of a client', async () => {
    const uri = open(CLIENT);
    await expect
      .poll(async () => (await hintsOf(editor, uri)).map(({ label }) => label))
      .toEqual(['allowed with sv']);
  });

  test('a client that cannot be told to ask again waits for them', async () => {
    const hints = await hintsOf(plain, simple.open(MP));
    expect(hints.map(({ label }) => label)).toEqual([
      'allowed under rdma-tso',
      'holds under rdma-tso',
    ]);
  });

  test('other requests do not wait while they are computed, and another text ends the work', async () => {
    const uri = open(HARD);
    expect(await hintsOf(editor, uri)).toEqual([]);
    const symbols = await editor.ask<readonly unknown[]>('textDocument/documentSymbol', {
      textDocument: { uri },
    });
    expect(symbols.length).toBeGreaterThan(6);
    // Under work that goes on for ten seconds, these would be late.
    editor.write(uri, MP);
    await expect
      .poll(async () => (await hintsOf(editor, uri)).map(({ label }) => label), { timeout: 5000 })
      .toEqual(['allowed under rdma-tso', 'holds under rdma-tso']);
  });
});

describe('lenses that run', () => {
  const run = async (client: Editor, uri: string, title: string, nth = 0): Promise<void> => {
    const lenses = await lensesOf(client, uri);
    const { command } = lenses.filter((lens) => lens.command?.title === title)[nth];
    await client.ask('workspace/executeCommand', {
      command: command!.command,
      arguments: command!.arguments,
    });
  };

  test('above each query', async () => {
    const lenses = await lensesOf(editor, open(MP));
    const above = (text: string) =>
      lenses
        .filter(({ range }) => MP.split('\n')[range.start.line].startsWith(text))
        .map(({ command }) => command?.title);
    expect(above('exists')).toEqual(['check', 'explain', 'fix']);
    expect(above('forall')).toEqual(['check', 'explain', 'fix']);
    const ofClient = await lensesOf(editor, open(CLIENT));
    expect(ofClient.map(({ command }) => command?.title)).toEqual(['check', 'explain']);
  });

  test('check says the verdict', async () => {
    const uri = open(MP);
    await run(editor, uri, 'check', 1);
    await expect
      .poll(() => editor.messages.at(-1))
      .toBe('forall (x = 1)\nholds; as claimed (under rdma-tso)');
  });

  test('explain shows what `remora explain` says, as a document', async () => {
    const file = join(folder, 'why.litmus');
    writeFileSync(file, MP);
    const { stdout } = await remora(['explain', file, '--query', '1'], { cwd: folder });
    await run(editor, open(MP, 'why.litmus'), 'explain');
    await expect.poll(() => editor.shown.at(-1)).toBeDefined();
    const shown = editor.shown.at(-1)!;
    expect(shown).toContain('allowed');
    expect(stdout).toContain(shown.trim());
  });

  test('or as a message, if the client shows no documents', async () => {
    await run(plain, simple.open(MP), 'explain');
    await expect.poll(() => plain.messages.at(-1)).toContain('allowed');
    expect(plain.shown).toEqual([]);
  });

  test('fix writes what rules the outcome out', async () => {
    const uri = open(MP);
    await run(editor, uri, 'fix');
    await expect.poll(() => editor.textOf(uri)).not.toBe(MP);
    expect(editor.textOf(uri)).toContain('# The put may be overtaken.');
    await expect
      .poll(async () => (await hintsOf(editor, uri))[0]?.label)
      .toBe('forbidden under rdma-tso');
  });

  test('that nothing rules it out is told', async () => {
    const uri = open('RDMA one\nnode 1 { x = 0 }\nthread T on 1 { x := 1 }\nexists (x = 1)\n');
    const before = editor.edits.length;
    await run(editor, uri, 'fix');
    await expect
      .poll(() => editor.messages.at(-1))
      .toContain('No fence, poll or get of those that were tried rules this out');
    expect(editor.edits).toHaveLength(before);
  });

  test('where there is nothing to run', async () => {
    const runAt = (command: string, ...given: readonly unknown[]): Promise<unknown> =>
      editor.ask('workspace/executeCommand', { command, arguments: given });
    await runAt('remora.check', open('RDMA t\nnod 1 {}\n'));
    await expect.poll(() => editor.messages.at(-1)).toBe('the file has mistakes');
    await runAt('remora.explain', open('RDMA t\nnode 1 { x = 0 }\nthread T on 1 { x := 1 }\n'));
    await expect.poll(() => editor.messages.at(-1)).toBe('this file asks nothing');
    await expect(runAt('remora.check')).rejects.toThrow('no open file was named');
    await expect(runAt('remora.check', 'file:///nowhere.litmus')).rejects.toThrow(
      'no open file was named',
    );
  });
});

/** In which row of the page about editors it says what the server can. */
const SAID: Readonly<Record<string, string>> = {
  textDocumentSync: 'Mistakes',
  inlayHintProvider: 'Verdicts',
  codeLensProvider: 'Lenses',
  executeCommandProvider: 'Lenses',
  hoverProvider: 'Hover',
  definitionProvider: 'Definitions',
  referencesProvider: 'References, rename',
  renameProvider: 'References, rename',
  completionProvider: 'Completion',
  signatureHelpProvider: 'Signatures',
  codeActionProvider: 'Actions',
  documentSymbolProvider: 'Outline, folding',
  workspaceSymbolProvider: 'Outline, folding',
  foldingRangeProvider: 'Outline, folding',
  semanticTokensProvider: 'Colours, highlights',
  documentHighlightProvider: 'Colours, highlights',
  documentFormattingProvider: 'Layout',
  documentRangeFormattingProvider: 'Layout',
};

test('the page about editors has a row for each thing that the server can, and for nothing else', () => {
  expect(Object.keys(editor.capabilities).sort()).toEqual(Object.keys(SAID).sort());
  const page = readFileSync(join(ROOT, 'docs/editors.md'), 'utf8');
  const [, table] = page.split('## What it does');
  const rows = [...table.split('\n##')[0].matchAll(/^\| (\w[\w, ]*) \|/gm)];
  expect(new Set(rows.map(([, head]) => head))).toEqual(new Set(Object.values(SAID)));
});
