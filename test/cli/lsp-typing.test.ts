import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Editor, HARD, offsetOf, positionOf } from '../support/editor.js';
import { ROOT } from '../support/run.js';
import { ALL } from '../support/random.js';

/** Somebody types at random places of files, and asks all kinds of things meanwhile. */

const folder = mkdtempSync(join(tmpdir(), 'remora-typing-'));
const HEAP = join(ROOT, 'test/support/heap.cjs');
const SEED = Number(process.env['REMORA_SEED'] ?? 1);

let editor: Editor;
beforeAll(async () => {
  editor = await Editor.start(folder, ['--expose-gc', '-r', HEAP]);
});
afterAll(async () => {
  expect(await editor.end()).toBe(0);
  expect(editor.errors.filter((line) => !line.startsWith('heap '))).toEqual([]);
  rmSync(folder, { recursive: true });
});

/** Random numbers that a seed fixes (mulberry32). */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const filesOf = (path: string, ending: string): readonly string[] =>
  readdirSync(join(ROOT, path))
    .filter((file) => file.endsWith(ending))
    .map((file) => join(ROOT, path, file));

const FILES = [
  ...filesOf('corpus/field', '.litmus').slice(0, 8),
  ...filesOf('corpus/loco', '.litmus').slice(0, 6),
  ...filesOf('corpus/locks', '.litmus').slice(0, 3),
  ...filesOf('models', '.cat'),
  ...filesOf('models/lib', '.cat'),
  ...filesOf('models/lib/impl', '.impl'),
];

/** What is asked about a place while somebody types. */
const METHODS = [
  'textDocument/completion',
  'textDocument/definition',
  'textDocument/references',
  'textDocument/prepareRename',
  'textDocument/documentSymbol',
  'textDocument/foldingRange',
  'textDocument/formatting',
  'textDocument/codeLens',
  'textDocument/codeAction',
  'textDocument/signatureHelp',
  'textDocument/inlayHint',
  'textDocument/rangeFormatting',
];

/** Errors that are answers: there is nothing to rename, or the file is another by now. */
const ANSWERS =
  /there is no name|programs and models know it|comes with Remora|member of a family|was changed/;

/** One edit: a character of the file that was there, at a place that moves now and then; or something is taken away. */
function edit(
  uri: string,
  original: string,
  random: (below: number) => number,
  at: number,
): number {
  const text = editor.textOf(uri);
  const place = random(12) === 0 ? random(text.length + 1) : Math.min(at, text.length);
  if (random(6) === 0) {
    const end = Math.min(text.length, place + 1 + random(random(10) === 0 ? 200 : 3));
    editor.replace(uri, place, end, '');
    return place;
  }
  const odd = ['{', '}', '"', '(*', '^', '\u{1F980}', '\t', '\r\n', '\0', '#'];
  const typed =
    random(15) === 0 ? odd[random(odd.length)] : original[(place + random(2)) % original.length];
  editor.replace(uri, place, place, typed);
  return place + typed.length;
}

/** Types so many characters; what is asked meanwhile has to be answered. */
async function type(uri: string, original: string, seed: number, edits: number): Promise<void> {
  const random = randomOf(seed);
  const asked: Promise<unknown>[] = [];
  const texts = new Map([[editor.versionOf(uri), editor.textOf(uri)]]);
  const begun = editor.published.length;
  let at = random(original.length);
  for (let i = 0; i < edits; i++) {
    at = edit(uri, original, random, at);
    texts.set(editor.versionOf(uri), editor.textOf(uri));
    if (random(3) === 0) asked.push(ask(uri, METHODS[random(METHODS.length)], at));
    if (random(25) === 0) await editor.diagnostics(uri);
  }
  await Promise.all(asked);
  await editor.diagnostics(uri);
  let last = 0;
  for (const { version, diagnostics } of editor.published
    .slice(begun)
    .filter((one) => one.uri === uri)) {
    expect(version).toBeGreaterThanOrEqual(last);
    last = version;
    const text = texts.get(version)!;
    for (const { range } of diagnostics) {
      expect(offsetOf(text, range.start)).toBeLessThanOrEqual(offsetOf(text, range.end));
      expect(offsetOf(text, range.end)).toBeLessThanOrEqual(text.length);
    }
  }
  expect(last).toBe(editor.versionOf(uri));
}

async function ask(uri: string, method: string, at: number): Promise<unknown> {
  const position = positionOf(editor.textOf(uri), at);
  const more = {
    context: { includeDeclaration: true, diagnostics: [] },
    range: { start: position, end: position },
    options: { tabSize: 2, insertSpaces: true },
  };
  try {
    return await editor.ask(method, { textDocument: { uri }, position, ...more });
  } catch (error) {
    expect((error as Error).message).toMatch(ANSWERS);
    return undefined;
  }
}

let count = 0;
const open = (path: string, text: string): string => {
  const uri = pathToFileURL(join(folder, `${++count}.${path.split('.').at(-1)}`)).href;
  editor.open(uri, text);
  return uri;
};

const close = (uri: string): Promise<void> =>
  editor.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });

const ROUNDS = ALL ? 16 : 6;

test.each(Array.from({ length: ROUNDS }, (_, i) => SEED * 1000 + i))(
  'typing with seed %i: no crash, no stale diagnostics, and in the end those of the text as it is',
  async (seed) => {
    const random = randomOf(seed);
    const path = FILES[random(FILES.length)];
    const original = readFileSync(path, 'utf8');
    const uri = open(path, random(2) === 0 ? original : original.slice(0, random(original.length)));
    await type(uri, original, seed, 120);
    const { diagnostics } = await editor.diagnostics(uri);
    const fresh = open(path, editor.textOf(uri));
    const others = (await editor.diagnostics(fresh)).diagnostics;
    const named = (own: string) =>
      JSON.stringify(own === uri ? diagnostics : others).replaceAll(own.split('/').at(-1)!, 'FILE');
    expect(named(uri)).toBe(named(fresh));
    await close(uri);
    await close(fresh);
  },
  60_000,
);

const LONG = [
  [
    'litmus',
    [
      'RDMA long\nnode 1 { y = 0 }\nnode 2 { x = 0 }',
      ...Array.from(
        { length: 330 },
        (_, i) => `thread T${i} on 1 {\n  x^2 := ${i}; a := get(x^2)\n}`,
      ),
      'exists (x = 1)\n',
    ],
  ],
  [
    'cat',
    [
      '"Long"\n\nlet r0 = po',
      ...Array.from({ length: 1000 }, (_, i) => `let r${i + 1} = r${i} | po & (nlR * nlW)`),
      'acyclic r9\n',
    ],
  ],
] as const;

test.each(LONG)(
  'a long file (%s) that breaks off here and there: all that is asked is answered, and in the end all is as in a new file',
  async (ending, lines) => {
    const random = randomOf(SEED);
    const broken = lines.map((line) => (random(50) === 0 ? line.replace(/\S+$/, '') : line));
    const original = broken.join('\n');
    const uri = open(`long.${ending}`, original);
    await type(uri, original, SEED, 60);
    for (const method of METHODS) await ask(uri, method, random(original.length));
    const fresh = open(`long.${ending}`, editor.textOf(uri));
    const { diagnostics } = await editor.diagnostics(uri);
    expect((await editor.diagnostics(fresh)).diagnostics).toEqual(diagnostics);
    for (const method of ['documentSymbol', 'foldingRange', 'semanticTokens/full', 'codeLens']) {
      const [before, after] = await Promise.all(
        [uri, fresh].map((one) =>
          editor.ask(`textDocument/${method}`, { textDocument: { uri: one } }),
        ),
      );
      const plain = (answer: unknown) =>
        JSON.stringify(answer)
          .replaceAll(uri, fresh)
          .replace(/"resultId":"\d+",|"version":\d+,/g, '');
      expect([method, plain(before) === plain(after)]).toEqual([method, true]);
    }
    await close(uri);
    await close(fresh);
  },
  60_000,
);

/** How much of its heap the server uses. */
async function heap(): Promise<number> {
  const before = editor.errors.length;
  editor.process.kill('SIGUSR2');
  await expect.poll(() => editor.errors.slice(before).join('')).toMatch(/heap \d+\n/);
  return Number(/heap (\d+)/.exec(editor.errors.slice(before).join(''))![1]);
}

test('twice as many edits take no more memory', async () => {
  const paths = [
    FILES[2],
    join(ROOT, 'models/rdma-tso.cat'),
    join(ROOT, 'corpus/loco/AppG6.litmus'),
  ];
  const originals = paths.map((path) => readFileSync(path, 'utf8'));
  const uris = paths.map((path, i) => open(path, originals[i]));
  const round = async (seed: number): Promise<void> => {
    for (const [i, uri] of uris.entries()) {
      await type(uri, originals[i], seed + i, 200);
      editor.write(uri, originals[i]);
      await editor.diagnostics(uri);
    }
  };
  // What is kept of models and files is there after the first rounds.
  await round(SEED);
  await round(SEED + 10);
  const once = await heap();
  await round(SEED + 20);
  await round(SEED + 30);
  const twice = await heap();
  expect(twice).toBeLessThan(once * 1.1 + 2e6);
}, 120_000);

test('a lens that takes too long is unknown, with the reason', async () => {
  const uri = open(join(folder, 'hard.litmus'), HARD);
  const [lens] = await editor.ask<readonly object[]>('textDocument/codeLens', {
    textDocument: { uri },
  });
  const { command } = await editor.ask<{ readonly command: { readonly title: string } }>(
    'codeLens/resolve',
    lens,
  );
  expect(command.title).toBe('unknown: time limit of 10 s reached (under rdma-tso)');
});
