import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Range, TextEdit, Editor } from '../support/editor.js';
import { editorSession } from '../support/editor-session.js';
import { MP, applied } from '../support/editor.js';
import { ROOT, remora } from '../support/run.js';

/** The language server as a process, driven by a client of the protocol. */

const BASE = '(** comes before the other, somehow *)\nlet before = po | rf\n';

let asked = 0;
let editor: Editor;
const { folder, open } = editorSession({ 'base.cat': BASE }, (started) => {
  editor = started;
});

/** Where `poll` is declared. */
const POLL = readFileSync(join(ROOT, 'models/instructions.cat'), 'utf8')
  .split('\n')
  .findIndex((line) => line.startsWith('operation poll('));

interface Location {
  readonly uri: string;
  readonly range: Range;
}
const hover = async (uri: string, text: string, by = 0): Promise<string | undefined> => {
  const found = await editor.at<{ contents: { value: string } } | null>(
    'textDocument/hover',
    uri,
    text,
    { by },
  );
  return found?.contents.value;
};

const labels = async (uri: string, text: string, by: number): Promise<readonly string[]> => {
  const found = await editor.at<readonly { label: string }[]>(
    'textDocument/completion',
    uri,
    text,
    {
      by,
    },
  );
  return found.map(({ label }) => label);
};

describe('diagnostics', () => {
  /** What the command line says of a text: messages and hints. */
  async function said(name: string, text: string, args: readonly string[]): Promise<string> {
    const file = join(folder, name);
    writeFileSync(file, text);
    const { stderr } = await remora([...args, file], { cwd: folder });
    return stderr;
  }

  test.each([
    ['litmus', MP.replace('b := x', 'b := z'), ['check']],
    ['litmus', MP.replace('poll', 'pol').replace('x^2 := 1;', 'pol(2); x^3 := 1;'), ['check']],
    ['litmus', MP.replace('y := 1 }', 'y := }'), ['check']],
    ['litmus', MP.replace('under rdma-tso', 'under tso'), ['check']],
    ['litmus', 'X86 SB\n', ['check']],
    ['litmus', MP.replace('b := x', 'wait(d); b := x'), ['check']],
    ['cat', 'let a = po | rff\nacyclic a\n', ['instructions']],
    ['cat', 'let a = po |\nlet b = rf +\nacyclic a', ['instructions']],
    ['cat', 'include "nothing.cat"\nacyclic po\n', ['instructions']],
    ['cat', 'library l "l"\nobject x : copied\noperation f(object x) : aCX\n', ['instructions']],
    ['litmus', 'RDMA c\nuses svv\nnode 1 {}\n', ['check']],
  ])('%s: the texts and hints of the command line (%#)', async (ending, text, args) => {
    const name = `said${++asked}.${ending}`;
    const onTerminal = await said(name, text, args);
    const uri = open(text, name);
    const { diagnostics } = await editor.diagnostics(uri);
    expect(diagnostics.length).toBeGreaterThan(0);
    for (const { message, range } of diagnostics) {
      const [first, hint = ''] = message.split('\n');
      expect(onTerminal).toContain(first);
      expect(onTerminal).toContain(hint);
      const place = `${name}:${range.start.line + 1}:${range.start.character + 1}: `;
      expect(onTerminal).toContain(place);
    }
    const places = onTerminal.match(new RegExp(`${name}:\\d+:\\d+: `, 'g'))!;
    expect(diagnostics).toHaveLength(places.length);
  });

  test('an implementation', async () => {
    const text = readFileSync(join(ROOT, 'models/lib/impl/loco-bal.impl'), 'utf8');
    const uri = open(text, 'own.impl');
    expect((await editor.diagnostics(uri)).diagnostics).toEqual([]);
    editor.write(uri, text.replace(/^bar\(/m, 'baar('));
    const { diagnostics } = await editor.diagnostics(uri);
    expect(diagnostics.map(({ message }) => message)).toContain(
      "bal has no method 'baar'\ndid you mean 'bar'?",
    );
  });

  test('they follow the text, with its version', async () => {
    const uri = open(MP);
    expect((await editor.diagnostics(uri)).diagnostics).toEqual([]);
    const at = MP.indexOf('b := x') + 'b := '.length;
    editor.replace(uri, at, at + 1, 'q');
    const wrong = await editor.diagnostics(uri);
    expect(wrong.version).toBe(2);
    expect(wrong.diagnostics.map(({ message }) => message)).toEqual([
      "'q' is declared at no node, and T2 never writes it",
    ]);
    editor.replace(uri, at, at + 1, 'x');
    expect((await editor.diagnostics(uri)).diagnostics).toEqual([]);
  });

  test('a file that is there to be included is right where one includes it', async () => {
    const part = open('let after = before^-1\n', 'part.cat');
    expect((await editor.diagnostics(part)).diagnostics).toHaveLength(1);
    open('include "base.cat"\ninclude "part.cat"\nacyclic after\n', 'around.cat');
    editor.replace(part, 0, 0, ' ');
    expect((await editor.diagnostics(part)).diagnostics).toEqual([]);
  });

  test('a change of a file is heard in those that include it', async () => {
    const inner = open('let here = po\n', 'inner.cat');
    const outer = open('include "inner.cat"\nacyclic here | rf\n', 'outer.cat');
    expect((await editor.diagnostics(outer)).diagnostics).toEqual([]);
    const heard = editor.published.length;
    editor.write(inner, 'let hare = po\n');
    await expect
      .poll(() => editor.published.slice(heard).findLast(({ uri }) => uri === outer)?.diagnostics)
      .toMatchObject([{ message: expect.stringContaining("'here'") }]);
  });
});

describe('files on the disk', () => {
  const said = (uri: string): readonly string[] | undefined =>
    editor.published
      .findLast((one) => one.uri === uri)
      ?.diagnostics.map(({ message }) => message.split('\n')[0]);
  const changed = (file: string, type: 1 | 2 | 3): void =>
    void editor.connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: pathToFileURL(file).href, type }],
    });

  test('one that is made, changed and deleted is heard in those that include it', async () => {
    const file = join(folder, 'made.cat');
    const uri = open('include "made.cat"\nacyclic here | rf\n', 'includes-made.cat');
    await editor.diagnostics(uri);
    expect(said(uri)).toEqual([
      "no file 'made.cat', neither beside this file nor among Remora's models",
    ]);
    writeFileSync(file, 'let here = po\n');
    changed(file, 1);
    await expect.poll(() => said(uri)).toEqual([]);
    writeFileSync(file, 'let there = po\n');
    changed(file, 2);
    await expect.poll(() => said(uri)).toEqual([expect.stringContaining("'here'")]);
    rmSync(file);
    changed(file, 3);
    await expect
      .poll(() => said(uri))
      .toEqual(["no file 'made.cat', neither beside this file nor among Remora's models"]);
  });

  test('of one that is open, the text in the editor counts', async () => {
    const inner = open('let here = po\n', 'open.cat');
    const uri = open('include "open.cat"\nacyclic here | rf\n', 'includes-open.cat');
    expect((await editor.diagnostics(uri)).diagnostics).toEqual([]);
    const file = join(folder, 'open.cat');
    writeFileSync(file, 'let there = po\n');
    changed(file, 2);
    const heard = editor.published.length;
    editor.write(inner, 'let here = po | rf\n');
    await expect
      .poll(() => editor.published.slice(heard).findLast((one) => one.uri === uri)?.diagnostics)
      .toEqual([]);
  });

  test('a document that is closed has no diagnostics any more', async () => {
    const uri = open('RDMA c\nnode 1 { x = 0 }\nthread T on 1 { a := z }\n', 'closed.litmus');
    expect((await editor.diagnostics(uri)).diagnostics).not.toEqual([]);
    void editor.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
    await expect.poll(() => said(uri)).toEqual([]);
  });
});

describe('names', () => {
  const CAT =
    'include "base.cat"\nlet mine = before+\nlet f(r) = r ; mine\nacyclic f(mine) as own\n';

  test('go to definition, through includes', async () => {
    const uri = open(CAT, 'names.cat');
    const go = async (text: string, nth = 0): Promise<string[]> =>
      (await editor.at<Location[]>('textDocument/definition', uri, text, { nth })).map(
        (l) => `${l.uri.split('/').at(-1)}:${l.range.start.line}:${l.range.start.character}`,
      );
    expect(await go('before+')).toEqual(['base.cat:1:4']);
    expect(await go('mine', 1)).toEqual(['names.cat:1:4']);
    expect(await go('r ;')).toEqual(['names.cat:2:6']);
    expect(await go('base.cat')).toEqual(['base.cat:0:0']);
    expect(await go('po')).toEqual([]);
  });

  test('of a litmus file: locations, threads, registers, nodes, operations, models', async () => {
    const uri = open(MP.replace('y := 1 }', 'poll(2); y := 1 }'));
    const go = async (text: string, by = 0): Promise<string[]> =>
      (await editor.at<Location[]>('textDocument/definition', uri, text, { by })).map(
        (l) => `${l.uri.split('/').at(-1)}:${l.range.start.line}`,
      );
    const own = uri.split('/').at(-1)!;
    expect(await go('x^2')).toEqual([`${own}:4`]);
    expect(await go('^2', 1)).toEqual([`${own}:4`]);
    expect(await go('a = 1')).toEqual([`${own}:8`]);
    expect(await go('poll(2)')).toEqual([`instructions.cat:${POLL}`]);
    expect(await go('rdma-tso')).toEqual(['rdma-tso.cat:0']);
  });

  test('references', async () => {
    const uri = open(CAT, 'names2.cat');
    const found = await editor.at<Location[]>('textDocument/references', uri, 'before', {
      more: { context: { includeDeclaration: true } },
    });
    const files = found.map((l) => `${l.uri.split('/').at(-1)}:${l.range.start.line}`);
    expect(files).toContain('base.cat:1');
    expect(files).toContain('names2.cat:1');
  });

  test('rename, in all files of the workspace', async () => {
    const uri = open(CAT, 'names3.cat');
    const base = pathToFileURL(join(folder, 'base.cat')).href;
    const { changes } = await editor.at<{ changes: Record<string, TextEdit[]> }>(
      'textDocument/rename',
      uri,
      'before',
      { more: { newName: 'earlier' } },
    );
    expect(applied(CAT, changes[uri])).toBe(CAT.replace('before', 'earlier'));
    expect(applied(BASE, changes[base])).toBe(BASE.replace('let before', 'let earlier'));
  });

  test.each([
    ['a = 1', 'c', [/\ba :=/, /\(a = 1/], ['c :=', '(c = 1']],
    [
      'x^2',
      'data',
      [/\{ x = 0/, /x\^2/, /:= x/, /\(x = 1/],
      ['{ data = 0', 'data^2', ':= data', '(data = 1'],
    ],
    ['T1', 'Writer', [/T1/], ['Writer']],
  ])('rename in a litmus file: %s to %s', async (text, newName, patterns, texts) => {
    const uri = open(MP);
    const { changes } = await editor.at<{ changes: Record<string, TextEdit[]> }>(
      'textDocument/rename',
      uri,
      text,
      { more: { newName } },
    );
    const wanted = patterns.reduce((before, pattern, i) => before.replace(pattern, texts[i]), MP);
    expect(applied(MP, changes[uri])).toBe(wanted);
  });

  test.each([
    ['a = 1', 'b', "'b' is a register already"],
    ['a = 1', 'if', "'if' is no name"],
    ['rdma-tso', 'mine', "'rdma-tso' is a file: programs and models know it by its name"],
    ['message', 'mine', 'there is no name here that a file gives'],
  ])('what cannot be renamed: %s to %s', async (text, newName, message) => {
    const uri = open(MP);
    const renamed = editor.at('textDocument/rename', uri, text, { more: { newName } });
    await expect(renamed).rejects.toThrow(message);
  });

  test('completion knows places', async () => {
    const uri = open(MP.replace('y := 1 }', 'y := 1; poll(); x^ }'));
    expect(await labels(uri, 'x^ }', 2)).toEqual(['1', '2']);
    expect(await labels(uri, 'poll()', 5)).toEqual(['1', '2']);
    expect(await labels(uri, 'under rdma', 'under rdma'.length)).toContain('rdma-wait');
    expect(await labels(uri, 'under rdma', 'under rdma'.length)).not.toContain('poll');
    expect(await labels(uri, '(a = 1', 1)).toEqual(['T1', 'T2', 'a', 'b', 'x', 'y']);
    expect(await labels(uri, 'y := 1;', 0)).toEqual(
      expect.arrayContaining(['poll', 'x', 'y', 'if']),
    );
    expect(await labels(uri, 'thread', 0)).toContain('~exists');

    // Where a row begins, the table may also end.
    const table =
      'RDMA t\nnode 1 { x = 0 }\nnode 2 { y = 0 }\nT1@1 | T2@2 ;\na := x | b := y^1 ;\n | x^1 := 1 ;\nexists (a = 1)\n';
    const columns = open(table);
    const inCell = await labels(columns, ' x^1', 1);
    expect(inCell).toEqual(expect.arrayContaining(['b', 'poll', 'skip', 'x', 'y']));
    for (const no of ['a', 'exists', 'node', 'thread']) expect(inCell).not.toContain(no);
    const atRow = await labels(columns, 'a := x |', 0);
    expect(atRow).toEqual(expect.arrayContaining(['a', 'poll', 'x', 'exists']));
    expect(atRow).not.toContain('b');
    expect(await labels(columns, 'x | b', 0)).not.toContain('exists');
    expect(await labels(columns, 'y^1', 2)).toEqual(['1', '2']);
    expect(await labels(columns, 'exists', 0)).toEqual(expect.arrayContaining(['poll', '~exists']));
    const unfinished = open(table.replace(' | x^1 := 1 ;\nexists (a = 1)\n', 'y^2 := 1 | '));
    expect(await labels(unfinished, 'y^2 := 1 | ', 11)).toEqual(
      expect.arrayContaining(['poll', 'b']),
    );
    expect(await labels(unfinished, 'y^2 := 1 | ', 11)).not.toContain('exists');

    const cat = open('let mine = po\nlet f(r) = r | \nacyclic mine\n', 'places.cat');
    const names = await labels(cat, 'r | ', 4);
    expect(names).toEqual(expect.arrayContaining(['mine', 'r', 'rf', 'nlR', 'domain']));
    expect(names).not.toContain('acyclic');
    expect(await labels(cat, 'acyclic mine', 0)).toContain('irreflexive');

    const client = open('RDMA c\nuses \nnode 1 {}\nthread T on 1 { sv. }\n');
    expect(await labels(client, 'uses ', 5)).toEqual(expect.arrayContaining(['sv', 'rbl']));
    editor.write(client, editor.textOf(client).replace('uses ', 'uses sv'));
    expect(await labels(client, 'sv.', 3)).toEqual(['bcast', 'gf', 'read', 'wait', 'write']);
  });
});

describe('hover', () => {
  test('on a relation: its definition and words', async () => {
    const uri = open('include "base.cat"\nacyclic before\n', 'hover.cat');
    const text = await hover(uri, 'before');
    expect(text).toContain('comes before the other, somehow');
    expect(text).toContain('before = po | rf');
    const based = open('acyclic po\n', 'hover2.cat');
    expect(await hover(based, 'po')).toContain('comes before the other in program order');
  });

  test('on an instruction: its events', async () => {
    const uri = open(MP);
    const text = await hover(uri, 'x^2 := 1', 4);
    expect(text).toContain('put');
    expect(text).toMatch(/nlR[\s\S]*nrW/);
    expect(await hover(uri, '# The put')).toBeUndefined();
  });

  test('on a call with a tag: the events of its form', async () => {
    const uri = open(MP.replace('x^2 := 1', 'r := 1; x^2 :=[inline] r; x^2 := 1'));
    const inlined = await hover(uri, 'x^2 :=[inline] r', 4);
    expect(inlined).toContain('nrW');
    expect(inlined).not.toContain('nlR');
    expect(await hover(uri, 'x^2 := 1', 4)).toContain('nlR');
  });

  test('on a query: the verdict, and why', async () => {
    const uri = open(MP);
    const allowed = await hover(uri, 'exists');
    expect(allowed).toContain('allowed: a = 1, b = 0');
    expect(allowed).toContain('A run of the machine');
    const holds = await hover(uri, 'forall');
    expect(holds).toContain('holds');
    const forbidden = open(
      'RDMA cpus\nnode 1 { x = 0; y = 0 }\nthread T1 on 1 { x := 1; y := 1 }\n' +
        'thread T2 on 1 { a := y; b := x }\nexists (a = 1 /\\ b = 0)\n',
    );
    expect(await hover(forbidden, 'exists')).toMatch(/forbidden[\s\S]*cycle/);
  });
});
