import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TextEdit } from '../support/editor.js';
import { Editor, MP, applied, within } from '../support/editor.js';

/** What the language server says about the form of a file: its parts, folds, layout. */

const folder = mkdtempSync(join(tmpdir(), 'remora-outline-'));
let editor: Editor;
let opened = 0;

beforeAll(async () => {
  editor = await Editor.start(folder);
});
afterAll(async () => {
  expect(await editor.end()).toBe(0);
  expect(editor.errors).toEqual([]);
  rmSync(folder, { recursive: true });
});

interface Symbol {
  readonly name: string;
  readonly detail?: string;
  readonly children: readonly Symbol[];
}

/** Opens a file of the folder, under a name that no other test has. */
function open(text: string, name = `file${++opened}.litmus`): string {
  const uri = pathToFileURL(join(folder, name)).href;
  editor.open(uri, text);
  return uri;
}

const symbols = async (uri: string): Promise<readonly Symbol[]> =>
  editor.ask('textDocument/documentSymbol', { textDocument: { uri } });

test('of a test', async () => {
  const found = await symbols(open(MP));
  expect(found.map(({ name }) => name)).toEqual([
    ...['1', '2', 'T1', 'T2', 'exists (a = 1 /\\ b = 0)', 'forall (x = 1)'],
  ]);
  expect(found[0].children.map(({ name }) => name)).toEqual(['y']);
});

test('of a broken file: its good parts', async () => {
  const found = await symbols(open(MP.replace('y := 1 }', 'y := }')));
  expect(found.map(({ name }) => name)).toEqual([
    ...['1', '2', 'T2', 'exists (a = 1 /\\ b = 0)', 'forall (x = 1)'],
  ]);
  const cat = open('let a = po\nlet b = |\nlet c = rf\n', 'broken.cat');
  expect((await symbols(cat)).map(({ name }) => name)).toEqual(['a', 'c']);
});

test('folds', async () => {
  const uri = open('# one\n# two\nthread T1 on 1 {\n  x := 1;\n  y := 2\n}\nlocations [x;\n  y]\n');
  expect(await editor.ask('textDocument/foldingRange', { textDocument: { uri } })).toEqual([
    { startLine: 0, endLine: 1, kind: 'comment' },
    { startLine: 2, endLine: 4 },
    { startLine: 6, endLine: 7 },
  ]);
});

test('formatting', async () => {
  const text = MP.replace('x^2 := 1; y', 'x^2:=1 ;y').replace('  computed', 'computed');
  const uri = open(text);
  const options = { tabSize: 2, insertSpaces: true };
  const ask = (): Promise<readonly TextEdit[]> =>
    editor.ask('textDocument/formatting', { textDocument: { uri }, options });
  const edits = await ask();
  expect(applied(text, edits)).toBe(MP);
  expect(within(text, edits[0].range)).not.toContain('node');
  editor.write(uri, MP);
  expect(await ask()).toEqual([]);
});
