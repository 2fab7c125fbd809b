import { expect, test } from 'vitest';
import type { TextEdit, Editor } from '../support/editor.js';
import { editorSession } from '../support/editor-session.js';
import { MP, applied, within } from '../support/editor.js';

/** What the language server says about the form of a file: its parts, folds, layout. */

let editor: Editor;
const { open } = editorSession({}, (started) => {
  editor = started;
});

interface Symbol {
  readonly name: string;
  readonly detail?: string;
  readonly children: readonly Symbol[];
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
