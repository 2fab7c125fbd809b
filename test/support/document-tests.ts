import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseLitmus, renderDiagnostic } from '../../src/index.js';
import { parseModel } from '../../src/node/models.js';
import type { Block, When } from './documents.js';
import { HIDDEN, blocksOf, proseOf, rewrite, textOf } from './documents.js';
import { ALL } from './random.js';
import { commandsOf, replay } from './replay.js';
import { ROOT, run, withoutTimes } from './run.js';

/**
 * What the documents show and say is what happens. With `UPDATE_DOCS=1`, the real output is written into the
 * documents.
 *
 * - `console`: commands after `$ `, each with its output, that of both streams as it came. `…` stands for what is left
 *   out: any number of lines, or a part of a line. Commands are `remora …`, also after `npx` or variables (`COLUMNS=80`)
 *   and with `<FILE`, `>FILE` and `2>FILE` at the end; `echo $?`; and lines of a shell that begin with `cat`, `cp`, `grep` and
 *   the like (`replay.ts` has the list). `console long` is a run that takes half a second or more: `npm run test:long` has it; `npm run test:all`
 *   alone has those of `console all`, which take several.
 * - A claim of the prose is followed by the run that shows it, in a comment:
 *
 *       Only CPU-SB tells the two models apart.
 *
 *       <!--
 *       $ remora compare rdma-sc rdma-tso corpus/tso
 *       …
 *       1 of 52 verdicts differ between rdma-sc and rdma-tso
 *       -->
 *
 *   It is like a `console` block, but nothing ever rewrites it: where the run no longer ends so, a person
 *   has to look at the claim. A command in the prose that names a file or the corpus has to be one of
 *   those that are run.
 * - Commands run in a folder that has what the package has: `corpus`, `models` and `cards`. A block with a name
 *   behind its language (`litmus mine.litmus`) is saved there under this name; it may stand in a comment.
 *   What commands write to `docs` there, such as pictures, has to be what is checked in.
 * - `litmus`, `cat`: parse without errors.
 * - `text` with a name is a file that is no litmus or cat file as it has to be.
 * - `ts`: compiles, as strictly as can be, and runs; a `text` block right after it is what it prints. A long test.
 */
const UPDATE = process.env['UPDATE_DOCS'] === '1';

/** Compares a block with what really happens, or, with `UPDATE_DOCS=1`, replaces it. */
function compare(block: Block, actual: string): void {
  const same = withoutTimes(actual) === withoutTimes(block.text);
  if (UPDATE && !same && block.language !== HIDDEN) rewrite(block, actual);
  else expect(withoutTimes(actual)).toBe(withoutTimes(block.text));
}

/** What the commands of a document find in their folder, and how much it has to say about them. */
export interface DocumentKind {
  /** Folders, each with the name that it has for the commands. */
  readonly folders: Readonly<Record<string, string>>;
  /** Each exit code but 0 is shown, and all of standard error. */
  readonly strict: boolean;
}

const PACKAGE = { corpus: 'corpus', models: 'models', cards: 'cards' };

/** What users read. */
export const DOCUMENT: DocumentKind = { folders: PACKAGE, strict: false };

/** Tests of what commands say: they have the tests' inputs, too. */
export const TRANSCRIPT: DocumentKind = {
  folders: { ...PACKAGE, files: 'test/files', pages: 'docs' },
  strict: true,
};

let copies: string | undefined;

/** A copy of a folder of the package that all documents share: no command of theirs writes there. */
function copyOf(folder: string): string {
  if (copies === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'remora-copies-'));
    process.on('exit', () => {
      rmSync(made, { recursive: true });
    });
    copies = made;
  }
  const copy = join(copies, folder);
  if (!existsSync(copy)) cpSync(join(ROOT, folder), copy, { recursive: true });
  return copy;
}

/** The runs of long tests. */
const LONG: readonly When[] = ALL ? ['long', 'all'] : ['long'];

/** Which of its tests: those of all runs that are not too dear; all but long ones; or these alone. */
export type DocumentPart = 'whole' | 'quick' | 'long';

/** Has the document runs that are long tests? */
export const hasLongRuns = (file: string): boolean =>
  blocksOf(file).some(({ when }) => LONG.includes(when));

/** The tests of a document: for a `describe` of its own. */
export function documentTests(
  file: string,
  { folders, strict }: DocumentKind,
  part: DocumentPart,
): void {
  const blocks = blocksOf(file);
  const tried = ({ when }: Block): boolean =>
    LONG.includes(when) ? part !== 'quick' : when === 'quick' && part !== 'long';
  // What examples write is not written over by the next run of them.
  beforeAll(() => {
    const written = new Set(
      blocks.flatMap(({ text }) => text.match(/\/tmp\/remora-[\w.-]+/g) ?? []),
    );
    for (const path of written) rmSync(path, { recursive: true, force: true });
  });
  const of = (language: string) =>
    blocks.flatMap((block, i) =>
      block.language === language && tried(block) ? [[`line ${block.line}`, i] as const] : [],
    );
  // Read again when they are needed: rewriting one block moves the others.
  const current = (i: number) => blocksOf(file)[i];
  const runs = blocks.filter((b) => b.language === 'console' || b.language === HIDDEN);

  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'remora-docs-'));
    if (runs.length === 0) return;
    for (const [name, of] of Object.entries(folders)) symlinkSync(copyOf(of), join(folder, name));
    mkdirSync(join(folder, 'docs'));
    for (const { name, text } of blocks) {
      if (name === undefined) continue;
      mkdirSync(join(folder, dirname(name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.skipIf(part === 'long')('fences are closed and have a language that is known', () => {
    const fences = textOf(file).match(/^```.*$/gm) ?? [];
    expect(fences.length % 2).toBe(0);
    const languages = new Set(fences.map((fence) => fence.slice(3).split(' ')[0]));
    // The last are what people write into the settings of editors and services.
    const settings = ['lua', 'elisp', 'toml', 'yaml'];
    const known = [
      '',
      'console',
      'litmus',
      'c',
      'cat',
      'impl',
      'ts',
      'text',
      'json',
      'sh',
      ...settings,
    ];
    expect([...languages].filter((l) => !known.includes(l))).toEqual([]);
  });

  // Those of the page on the papers are run by its own test.
  test.skipIf(part === 'long' || file === 'docs/papers.md')('commands in the prose are run', () => {
    const run = new Set(
      runs.flatMap(({ text }) => commandsOf(text)).map(({ command }) => plainly(command)),
    );
    const spans = [...proseOf(file).matchAll(/`([^`]+)`/g)].map(([, span]) => plainly(span));
    const named = spans.filter((s) => /^remora .*(corpus|\.litmus|\.cat)\b/.test(s));
    expect(named.filter((s) => !run.has(s))).toEqual([]);
  });

  test.each(of('console'))('console, %s', async (_, i) => {
    compare(current(i), await replay(current(i).text, folder, strict));
  });

  test.each(of(HIDDEN))('claim before the comment at %s', async (_, i) => {
    compare(current(i), await replay(current(i).text, folder, strict));
  });

  test('what the commands wrote to docs is what is checked in', () => {
    const written = runs.length === 0 ? [] : readdirSync(join(folder, 'docs'));
    for (const name of written) {
      const [made, kept] = [join(folder, 'docs', name), join(ROOT, 'docs', name)];
      if (UPDATE) cpSync(made, kept);
      expect(existsSync(kept), `docs/${name}`).toBe(true);
      expect(readFileSync(made, 'utf8')).toBe(readFileSync(kept, 'utf8'));
    }
  });

  test.each(of('litmus'))('litmus, %s', (_, i) => {
    const { text } = current(i);
    // The commands of the document read what is a client of a library that stands in it, and programs whose nodes have tags: these are
    // of a model that they name.
    if (/^node \w+ \[/m.test(text)) return;
    const used = /^uses (.*)$/m.exec(text)?.[1].split(/,\s*/) ?? [];
    if (used.some((library) => blocks.some(({ name }) => name === `${library}.cat`))) return;
    const parsed = parseLitmus(text, file);
    const sources = new Map([[file, { path: file, text }]]);
    const errors = parsed.ok ? [] : parsed.errors.map((e) => renderDiagnostic(e, sources));
    expect(errors).toEqual([]);
  });

  test.each(of('cat'))('cat, %s', (_, i) => {
    const { model, sources } = parseModel(current(i).text, 'docs/example.cat');
    const errors = model.ok ? [] : model.errors.map((e) => renderDiagnostic(e, sources));
    expect(errors).toEqual([]);
  });

  test.each(of('ts'))('ts, %s', async (_, i) => {
    // The compiler is loaded where there are examples only.
    const { compiled, typeErrors } = await import('./examples.js');
    const { text, output } = current(i);
    expect(typeErrors(text)).toEqual([]);
    // Inside the package, so that it finds itself by name; in no file, as other tests copy its folders meanwhile.
    const code = ['--input-type=module', '--eval', compiled(text)];
    const done = await run(process.execPath, code, { cwd: ROOT });
    expect(done.stderr).toBe('');
    expect(done.code).toBe(0);
    if (output !== undefined) compare(output, done.stdout);
    else expect(done.stdout).toBe('');
  });
}

/** A command without what does not change it: `npx`, and breaks of lines in the prose. */
function plainly(command: string): string {
  return command.replace(/\s+/g, ' ').replace(/^npx /, '');
}
