import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Editor, Range, TextEdit } from '../support/editor.js';
import { editorSession } from '../support/editor-session.js';
import { MP, applied, positionOf } from '../support/editor.js';
import { ROOT } from '../support/run.js';

/** What the language server says of C files. */

let editor: Editor;
const { open } = editorSession({}, (started) => {
  editor = started;
});

interface Action {
  readonly title: string;
  readonly data?: unknown;
  readonly edit?: { readonly changes: Readonly<Record<string, readonly TextEdit[]>> };
}

const BARE = `#include <infiniband/verbs.h>

/* RDMA writes are posted here. */
struct peer { struct ibv_qp *qp; uint64_t addr; };

static uint64_t out = 1;

void send_out(struct peer *to)
{
    struct ibv_sge sge = { (uintptr_t)&out, sizeof out, 0 };
    struct ibv_send_wr *bad, wr = { .opcode = IBV_WR_RDMA_WRITE, .sg_list = &sge, .num_sge = 1 };

    wr.wr.rdma.remote_addr = to->addr + 16;
    ibv_post_send(to->qp, &wr, &bad);
    out = 2;
}
`;

const actionsIn = (uri: string, range: Range): Promise<readonly Action[]> =>
  editor.ask('textDocument/codeAction', {
    textDocument: { uri },
    range,
    context: { diagnostics: [] },
  });

const actionsAt = (uri: string, text: string): Promise<readonly Action[]> => {
  const position = positionOf(editor.textOf(uri), editor.textOf(uri).indexOf(text));
  return actionsIn(uri, { start: position, end: position });
};

/** Chooses an action: the text is as it says then. */
async function choose(uri: string, action: Action): Promise<void> {
  const { edit } = action.edit ? action : await editor.ask<Action>('codeAction/resolve', action);
  editor.write(uri, applied(editor.textOf(uri), edit?.changes[uri] ?? []));
}

const messagesOf = async (uri: string): Promise<readonly string[]> =>
  (await editor.diagnostics(uri)).diagnostics.map(({ message }) => message.split('\n')[0]);

const lensesOf = async (uri: string): Promise<readonly (string | undefined)[]> => {
  type Command = { readonly title: string; readonly command: string };
  type Lens = { readonly range: Range; readonly command?: Command };
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

describe('a C file without a head', () => {
  test('is left alone', async () => {
    const uri = open(BARE, 'quiet.c');
    // The answer to a later question: what was to be said of the file was said before.
    await editor.diagnostics(open(MP));
    const said = editor.published.filter((one) => one.uri === uri);
    expect(said.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
    for (const what of ['codeLens', 'documentSymbol', 'foldingRange']) {
      expect(await editor.ask(`textDocument/${what}`, { textDocument: { uri } }), what).toEqual([]);
    }
    expect(await editor.at('textDocument/hover', uri, 'send_out')).toBeNull();
    expect(await editor.at('textDocument/completion', uri, 'to->addr')).toEqual([]);
    const plain = open('int main(void) { return 0; }\n', 'plain.c');
    expect(await actionsAt(plain, 'main')).toEqual([]);
  });

  test('gets one by an action, and its gaps are filled by actions, up to the verdict', async () => {
    const uri = open(BARE, 'asked.c');
    const [ask] = await actionsAt(uri, 'wr.wr.rdma');
    expect(ask.title).toBe('Ask Remora about this function');
    await choose(uri, ask);
    expect(editor.textOf(uri)).toMatch(/^\/\* RDMA asked\n {3}node node1 \{ out = 1 \}\n/);
    expect(editor.textOf(uri).endsWith(BARE)).toBe(true);
    const chosen: string[] = [];
    for (let left = 3; left > 0; left--) {
      const messages = await messagesOf(uri);
      expect(messages).toEqual(Array(left).fill('this is still to be filled in'));
      const [gap] = (await editor.diagnostics(uri)).diagnostics;
      const fillings = await actionsIn(uri, gap.range);
      const filling = fillings.find(({ title }) => title.includes('== 2')) ?? fillings[0];
      chosen.push(filling.title);
      await choose(uri, filling);
    }
    expect(chosen).toEqual([
      "Write 'to->qp => node2' (a new node)",
      "Write 'to->addr => addr @ 16' (new, on node2)",
      "Write 'exists (addr == 2)'",
    ]);
    expect(await messagesOf(uri)).toEqual([]);
    expect(await lensesOf(uri)).toEqual([expect.stringMatching(/^allowed: addr = 2/)]);
  });
});

describe('a C file with a head', () => {
  const text = readFileSync(join(ROOT, 'corpus/c/put-then-reuse.c'), 'utf8');

  test('has verdicts, an explanation with lines of C, and what names mean at its calls', async () => {
    const uri = open(text, 'reuse.c');
    expect(await messagesOf(uri)).toEqual([]);
    expect(await lensesOf(uri)).toEqual(['forbidden; as expected (under rdma-tso)']);
    const hover = await editor.at<{ contents: { value: string } }>(
      'textDocument/hover',
      uri,
      'exists',
    );
    expect(hover.contents.value).toContain('forbidden');
    expect(hover.contents.value).toMatch(/line \d+/);
  });

  test('has its mistakes where they are in the C, and takes them back with the head', async () => {
    const uri = open(text.replace('raddr => data', ''), 'unplaced.c');
    const { diagnostics } = await editor.diagnostics(uri);
    expect(diagnostics).toHaveLength(1);
    const [{ range, message }] = diagnostics;
    expect(message).toMatch(/^nothing says where raddr leads\ngive it a place in the head/);
    const line = editor.textOf(uri).split('\n')[range.start.line];
    expect(line).toContain('ibv_post_send');
    const fillings = await actionsIn(uri, range);
    expect(fillings.map(({ title }) => title)).toContain("Write 'raddr => data' (on server)");
    await choose(uri, fillings[0]);
    expect(await messagesOf(uri)).toEqual([]);
    editor.write(uri, text.replace(/\/\*[^]*?\*\//, ''));
    expect(await messagesOf(uri)).toEqual([]);
  });

  test('what rules its outcome out, in C', async () => {
    const wrong = text
      .replace(/ {4}do \{[^]*?return -1;\n(?= {4}buf)/, '')
      .replace(/\n +computed.*/, '');
    const uri = open(wrong, 'wrong.c');
    expect((await lensesOf(uri))[0]).toMatch(/^allowed/);
    const fix = (await actionsAt(uri, 'exists')).find(({ title }) => title.startsWith('Add what'))!;
    await choose(uri, fix);
    expect(editor.textOf(uri)).toMatch(/ibv_poll_cq/);
    expect((await lensesOf(uri))[0]).toMatch(/^forbidden/);
  });

  test('completes nodes, locations and the words of heads, and leaves C alone', async () => {
    const uri = open(text, 'complete.c');
    await editor.diagnostics(uri);
    const labels = async (at: string, by: number): Promise<readonly string[]> => {
      const found = await editor.at<readonly { label: string }[]>(
        'textDocument/completion',
        uri,
        at,
        { by },
      );
      return found.map(({ label }) => label);
    };
    expect(await labels('=> data', 3)).toEqual(expect.arrayContaining(['data', 'server']));
    expect(await labels('exists (', 8)).toEqual(expect.arrayContaining(['data', 'buf']));
    expect(await labels('exists (', 0)).toEqual(expect.arrayContaining(['exists', 'call', 'node']));
    expect(await labels('ibv_post_send(', 14)).toEqual([]);
  });
});
