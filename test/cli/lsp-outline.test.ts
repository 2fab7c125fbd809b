import { expect, test } from 'vitest';
import { TOKEN_TYPES } from '../../src/cli/lsp/convert.js';
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

test('of a workspace: what has a name with some letters', async () => {
  open(MP);
  open('let behind = po\n', 'own.cat');
  const found = await editor.ask<readonly { name: string; location: { uri: string } }[]>(
    'workspace/symbol',
    { query: 'BEHI' },
  );
  expect(found.map(({ name, location }) => [name, location.uri.split('/').at(-1)])).toEqual([
    ['behind', 'own.cat'],
  ]);
});

test('what names are, for their colours', async () => {
  const uri = open(
    'RDMA t\nnode 1 { y = 0 }\nnode 2 { x = 0 }\nthread T1 on 1 { x^2 := 1; a := y }\nexists (a = 0)\n',
  );
  const { data } = await editor.ask<{ data: readonly number[] }>(
    'textDocument/semanticTokens/full',
    { textDocument: { uri } },
  );
  const lines: string[] = [];
  for (let i = 0, line = 0, at = 0; i < data.length; i += 5) {
    at = data[i] === 0 ? at + data[i + 1] : data[i + 1];
    line += data[i];
    lines.push(`${line}:${at} ${TOKEN_TYPES[data[i + 3]]}`);
  }
  expect(lines).toEqual([
    ...['1:5 namespace', '1:9 property', '2:5 namespace', '2:9 property'],
    ...['3:7 class', '3:13 namespace', '3:17 property', '3:19 namespace'],
    // A name that no node declares is a register.
    ...['3:27 variable', '3:32 property', '4:8 variable'],
  ]);
});

test('where else a name of the file stands', async () => {
  const uri = open(MP);
  const found = await editor.at<readonly { range: { start: { line: number } } }[]>(
    'textDocument/documentHighlight',
    uri,
    'x = 0',
  );
  expect(found.map(({ range }) => MP.split('\n')[range.start.line])).toEqual([
    'node 2 { x = 0 }',
    'thread T1 on 1 { x^2 := 1; y := 1 }',
    'thread T2 on 2 { a := y^1; b := x }',
    'forall (x = 1)',
  ]);
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

test('formatting of some lines', async () => {
  const text = `RDMA t
node 1{x=0}
node  2 { y = 0 }
thread T1 on 1 {
      x := 1;

      y^2:=x
}

exists(x=1)
`;
  const uri = open(text);
  const options = { tabSize: 2, insertSpaces: true };
  const laidOut = async (first: number, last: number): Promise<string> => {
    const range = { start: { line: first, character: 0 }, end: { line: last, character: 0 } };
    const asked = { textDocument: { uri }, options, range };
    return applied(text, await editor.ask('textDocument/rangeFormatting', asked));
  };
  expect(await laidOut(1, 2)).toBe(text.replace('1{x=0}', '1 { x = 0 }'));
  expect(await laidOut(6, 7)).toBe(text.replace('      y^2:=x', '  y^2 := x'));
  const whole = await editor.ask<readonly TextEdit[]>('textDocument/formatting', {
    textDocument: { uri },
    options,
  });
  expect(await laidOut(0, 10)).toBe(applied(text, whole));
  // With mistakes, the layout would be a guess.
  editor.write(uri, text.replace('x := 1', 'x :='));
  expect(await laidOut(1, 2)).toBe(text);
});
