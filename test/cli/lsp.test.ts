import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Range, TextEdit } from '../support/editor.js';
import { Editor, HARD, MP, applied, positionOf } from '../support/editor.js';
import { ROOT, remora } from '../support/run.js';

/** The language server as a process, driven by a client of the protocol. */

const folder = mkdtempSync(join(tmpdir(), 'remora-lsp-'));
let editor: Editor;
let opened = 0;

beforeAll(async () => {
  writeFileSync(join(folder, 'base.cat'), BASE);
  editor = await Editor.start(folder);
});
afterAll(async () => {
  expect(await editor.end()).toBe(0);
  expect(editor.errors).toEqual([]);
  rmSync(folder, { recursive: true });
});

const BASE = '(** comes before the other, somehow *)\nlet before = po | rf\n';

/** Opens a file of the folder, under a name that no other test has. */
function open(text: string, name = `file${++opened}.litmus`): string {
  const uri = pathToFileURL(join(folder, name)).href;
  editor.open(uri, text);
  return uri;
}

/** Where `poll` is declared. */
const POLL = readFileSync(join(ROOT, 'models/instructions.cat'), 'utf8')
  .split('\n')
  .findIndex((line) => line.startsWith('operation poll('));

interface Location {
  readonly uri: string;
  readonly range: Range;
}
interface Lens {
  readonly range: Range;
  readonly command?: { readonly title: string };
}
interface Action {
  readonly title: string;
  readonly edit?: { readonly changes: Readonly<Record<string, readonly TextEdit[]>> };
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

const lensesOf = async (uri: string): Promise<readonly (string | undefined)[]> => {
  const lenses = await editor.ask<readonly Lens[]>('textDocument/codeLens', {
    textDocument: { uri },
  });
  const resolved = await Promise.all(
    lenses.map((lens) => editor.ask<Lens>('codeLens/resolve', lens)),
  );
  return resolved.map(({ command }) => command?.title);
};

const actionsAt = (uri: string, text: string): Promise<readonly Action[]> => {
  const position = positionOf(editor.textOf(uri), editor.textOf(uri).indexOf(text));
  return editor.ask('textDocument/codeAction', {
    textDocument: { uri },
    range: { start: position, end: position },
    context: { diagnostics: [] },
  });
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
    const name = `said${++opened}.${ending}`;
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

describe('lenses', () => {
  test('a verdict for each query', async () => {
    const { stdout } = await (async () => {
      const file = join(folder, 'lens.litmus');
      writeFileSync(file, MP);
      return remora(['check', file], { cwd: folder });
    })();
    const lenses = await lensesOf(open(MP, 'lens.litmus'));
    expect(lenses).toHaveLength(2);
    for (const lens of lenses) expect(stdout).toContain(lens!.replace(' (under rdma-tso)', ''));
    expect(lenses[0]).toMatch(/^allowed: .*; the file expects forbidden \(under rdma-tso\)$/);
  });

  test('a client is decided by its libraries', async () => {
    const text = readFileSync(join(ROOT, 'corpus/loco/AppG6.litmus'), 'utf8');
    const lenses = await lensesOf(open(text));
    expect(lenses[0]).toBe('forbidden; as published (with msw)');
  });

  test('a question about runs', async () => {
    const text = readFileSync(
      join(ROOT, 'corpus/locks/alock-1-1-data-elsewhere-flushed.litmus'),
      'utf8',
    );
    const lenses = await lensesOf(open(text));
    expect(lenses.length).toBeGreaterThan(0);
    for (const lens of lenses) expect(lens).toMatch(/^(holds|fails|forbidden|allowed)/);
  });

  test('a file with mistakes has none', async () => {
    const uri = open(MP.replace('y := 1 }', 'y := }'));
    expect(await editor.ask('textDocument/codeLens', { textDocument: { uri } })).toEqual([]);
  });

  test('a change ends the work, and so does a request that is cancelled', async () => {
    const uri = open(HARD);
    const ask = async (): Promise<readonly Lens[]> =>
      editor.ask('textDocument/codeLens', { textDocument: { uri } });
    const [lens] = await ask();
    const source = new CancellationTokenSource();
    const cancelled = editor.ask('codeLens/resolve', lens, source.token);
    setTimeout(() => source.cancel(), 300);
    await expect(cancelled).rejects.toThrow('cancelled');

    const changed = editor.ask('codeLens/resolve', lens);
    const rejected = expect(changed).rejects.toThrow('the file was changed');
    await new Promise((resolve) => setTimeout(resolve, 300));
    editor.write(uri, MP);
    await rejected;
    expect((await lensesOf(uri))[0]).toContain('allowed');
  });
});

describe('pictures', () => {
  interface Shown {
    readonly svg?: string;
    readonly why?: string;
  }
  /** What is drawn with the cursor at a text: the title of the picture, or why there is none. */
  const drawn = async (uri: string, text: string, model = 'rdma-tso'): Promise<string> => {
    const { svg, why } = await editor.at<Shown>('remora/picture', uri, text, { more: { model } });
    return /^<svg [^]*?<title [^>]*>([^<]*)</.exec(svg ?? '')?.[1] ?? why!;
  };

  test('of the query at the cursor, whatever stands above it', async () => {
    const uri = open(`RDMA several
node 1 { x = 0; l = 0 }
threads T[i in 1..2] on 1 { critical c { x := i } }
thread U on 1 { a := x }
# exists (a = 9) is no query
exclusive c of T1, T2
~exists (a = 2 /\\ x = 1)
exists (a = 1)
  computed allowed under sc
deadlock
`);
    expect(await drawn(uri, 'exclusive')).toMatch(/^several under rdma-tso: exclusive .*: fails$/);
    expect(await drawn(uri, '~exists')).toBe(
      'several under rdma-tso: ~exists (a = 2 /\\ x = 1): allowed',
    );
    expect(await drawn(uri, 'a = 1')).toBe('several under rdma-tso: exists (a = 1): allowed');
    expect(await drawn(uri, 'computed', 'sc')).toBe('several under sc: exists (a = 1): allowed');
    // Above all queries: the first. Nothing has to be saved for it.
    expect(await drawn(uri, 'critical')).toMatch(/: exclusive /);
  });

  test('of a client: under its library, and under that alone', async () => {
    const uri = open(`RDMA client
uses sv
node 1 {}
node 2 {}
sv x, y
thread T1 on 1 { sv.write(x, 1); sv.bcast(x, d, {2}); sv.wait(d); a := sv.read(y) }
thread T2 on 2 { sv.write(y, 1); sv.bcast(y, d, {1}); sv.wait(d); b := sv.read(x) }
exists (a = 0 /\\ b = 0)
  computed allowed under sv, loco-sv
exists (a = 1 /\\ b = 1)
`);
    expect(await drawn(uri, 'a = 1')).toBe('client under sv: exists (a = 1 /\\ b = 1): allowed');
  });

  test('why there is none', async () => {
    expect(await drawn(open('RDMA t\nnod 1 {}\n'), 'nod')).toBe('the file has mistakes');
    expect(await drawn(open('RDMA t\nnode 1 { x = 0 }\nthread T on 1 { x := 1 }\n'), 'node')).toBe(
      'this file asks nothing: there is nothing to draw',
    );
    expect(await drawn(open(MP), 'exists', 'rdma-tos')).toContain('no such model');
  });
});

describe('code actions', () => {
  test('hints', async () => {
    const uri = open(MP.replace('y := 1 }', 'pol(2); y := 1 }'));
    const [action] = await actionsAt(uri, 'pol(2)');
    expect(action.title).toBe("Write 'poll'");
    const text = applied(editor.textOf(uri), action.edit!.changes[uri]);
    expect(text).toContain('poll(2); y := 1');
    editor.write(uri, text);
    expect((await editor.diagnostics(uri)).diagnostics).toEqual([]);

    const cat = open('acyclic po | rff\n', 'action.cat');
    const [instead] = await actionsAt(cat, 'rff');
    expect(instead.edit!.changes[cat][0].newText).toBe('rf');
  });

  test('what rules an outcome out, verified', async () => {
    const uri = open(MP);
    const [fix] = await actionsAt(uri, 'exists');
    const { edit } = await editor.ask<Action>('codeAction/resolve', fix);
    const text = applied(MP, edit!.changes[uri]);
    expect(text).toContain('# The put may be overtaken.');
    expect(text.length).toBeGreaterThan(MP.length);
    editor.write(uri, text);
    expect((await lensesOf(uri))[0]).toMatch(/^forbidden/);
  });

  const TABLE = `RDMA table
node 1 { y = 0 }
node 2 { x = 0 }
T1@1     | T2@2     ;
x^2 := 1 | a := y^1 ;
y := 1   | b := x   ;
exists (a = 1 /\\ b = 0)
`;

  test('what rules an outcome out, in rows of its own in a table of columns', async () => {
    const uri = open(TABLE);
    const [fix] = await actionsAt(uri, 'exists');
    const { edit } = await editor.ask<Action>('codeAction/resolve', fix);
    const text = applied(TABLE, edit!.changes[uri]);
    expect(text).toBe(`RDMA table
node 1 { y = 0 }
node 2 { x = 0; flush2 = 0 }
T1@1     | T2@2     ;
x^2 := 1 | a := y^1 ;
flushed2 := flush2^2 | poll(1)  ;
poll(2)  |          ;
poll(2)  |          ;
y := 1   | b := x   ;
exists (a = 1 /\\ b = 0)
`);
    editor.write(uri, text);
    expect((await lensesOf(uri))[0]).toMatch(/^forbidden/);
  });

  test('that nothing rules it out is told', async () => {
    const uri = open(`RDMA one
node 1 { x = 0 }
thread T on 1 { x := 1 }
exists (x = 1)
`);
    const [fix] = await actionsAt(uri, 'exists');
    const before = editor.messages.length;
    const { edit } = await editor.ask<Action>('codeAction/resolve', fix);
    expect(edit!.changes[uri]).toEqual([]);
    await expect
      .poll(() => editor.messages.slice(before).join())
      .toContain('No fence, poll or get of those that were tried rules this out');
  });

  test('update computed lines', async () => {
    const uri = open(MP);
    const actions = await actionsAt(uri, 'node 1');
    const update = actions.find(({ title }) => title === 'Update computed lines')!;
    const { edit } = await editor.ask<Action>('codeAction/resolve', update);
    const text = applied(MP, edit!.changes[uri]);
    expect(text).toBe(MP.replace('computed forbidden', 'computed allowed'));
  });
});
