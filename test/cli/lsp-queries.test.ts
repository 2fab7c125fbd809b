import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import { describe, expect, test } from 'vitest';
import type { Range, TextEdit, Editor } from '../support/editor.js';
import { editorSession } from '../support/editor-session.js';
import { HARD, MP, applied, positionOf } from '../support/editor.js';
import { ROOT, remora } from '../support/run.js';

/** What the language server says of queries: verdicts above them, pictures, and what rules an outcome out. */

let editor: Editor;
const { folder, open } = editorSession({}, (started) => {
  editor = started;
});

interface Lens {
  readonly range: Range;
  readonly command?: { readonly title: string; readonly command: string };
}
interface Action {
  readonly title: string;
  readonly edit?: { readonly changes: Readonly<Record<string, readonly TextEdit[]>> };
}

const lensesOf = async (uri: string): Promise<readonly (string | undefined)[]> => {
  const lenses = await editor.ask<readonly Lens[]>('textDocument/codeLens', {
    textDocument: { uri },
  });
  const resolved = await Promise.all(
    lenses.map((lens) => editor.ask<Lens>('codeLens/resolve', lens)),
  );
  return resolved.flatMap(({ command }) =>
    command?.command === 'remora.check' ? [command.title] : [],
  );
};

const actionsAt = (uri: string, text: string): Promise<readonly Action[]> => {
  const position = positionOf(editor.textOf(uri), editor.textOf(uri).indexOf(text));
  return editor.ask('textDocument/codeAction', {
    textDocument: { uri },
    range: { start: position, end: position },
    context: { diagnostics: [] },
  });
};

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
