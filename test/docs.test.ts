import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { parseLitmus, parseModel, renderDiagnostic } from '../src/index.js';
import { ROOT, run, shell, withoutTimes } from './support/run.js';

/**
 * What the documents show is what happens. `UPDATE_DOCS=1` writes what really happens into them.
 *
 * - `console`: commands after `$ ` (`remora …`, `npx remora …`, both also after `COLUMNS=…`, `cat FILE`,
 *   `echo $?`), each with its output; where a last line `…` follows, the rest of the output is left out
 * - `litmus`, `cat`: parse without errors
 * - `ts`: compiles and runs; a `text` block right after it is what it prints
 */
const UPDATE = process.env['UPDATE_DOCS'] === '1';

interface Block {
  readonly file: string;
  readonly language: string;
  readonly text: string;
  readonly line: number;
  /** A `text` block with nothing but blank lines between. */
  readonly output?: Block;
}

/** The fenced blocks of a document, in order. */
function blocksOf(file: string): readonly Block[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const blocks: Block[] = [];
  for (const match of text.matchAll(/^```(\w*)\n(.*?)^```$(?:\s*^```text\n(.*?)^```$)?/gms)) {
    const [all, language, body, after] = match;
    const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
    const block = { file, language, text: body, line: lineAt(match.index) };
    const line = lineAt(match.index + all.lastIndexOf('```text'));
    const output = { file, language: 'text', text: after, line };
    blocks.push(after === undefined ? block : { ...block, output });
  }
  return blocks;
}

/** Puts another text in the place of a block. */
function rewrite({ file, language, text, line }: Block, next: string): void {
  const path = join(ROOT, file);
  const old = readFileSync(path, 'utf8');
  const start = old.split('\n').slice(0, line).join('\n').length + 1;
  if (!old.slice(start).startsWith(text)) throw new Error(`${file}: the ${language} block moved`);
  writeFileSync(path, old.slice(0, start) + next + old.slice(start + text.length));
}

/** Compares a block with what really happens, or mends it. */
function compare(block: Block, actual: string): void {
  if (UPDATE && withoutTimes(actual) !== withoutTimes(block.text)) rewrite(block, actual);
  else expect(withoutTimes(actual)).toBe(withoutTimes(block.text));
}

const COMMAND = /^(?:(?:COLUMNS=\d+ )?(?:npx )?remora\b[^|<>;&`$]*|cat [\w./-]+|echo \$\?)$/;

/** What a console block would look like if it were typed in now. */
async function replay(text: string): Promise<string> {
  const shown: string[] = [];
  let status = 0;
  for (const part of text.split(/^\$ /m).filter((p) => p !== '')) {
    const [command, ...output] = part.trimEnd().split('\n');
    if (!COMMAND.test(command)) throw new Error(`not a command that can be run: $ ${command}`);
    const line = command.replace(/\bnpx /, '').replace('$?', String(status));
    const { code, stdout } = await shell(`exec 2>&1\n${line}`);
    status = code ?? -1;
    const actual = stdout.replace(/\n+$/, '').split('\n');
    const cut = output.at(-1) === '…' && actual.length >= output.length;
    const lines = cut ? [...actual.slice(0, output.length - 1), '…'] : actual;
    // Blank lines at the end of an output keep commands apart, or do not.
    const gap = part.slice(part.trimEnd().length + 1);
    const body = stdout === '' ? '' : `${lines.join('\n')}\n`;
    shown.push(`$ ${command}\n${body}${gap}`);
  }
  return shown.join('');
}

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: ['node'],
  strict: true,
  skipLibCheck: true,
  noEmit: true,
};

/** The files that examples are compiled with, parsed once: the library is most of the work. */
const library = new Map<string, ts.SourceFile | undefined>();

/** The type errors of an example, compiled as a file of this package. */
function typeErrors(code: string): readonly string[] {
  const name = join(ROOT, 'docs/example.ts');
  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => path === name || fileExists(path);
  host.getSourceFile = (path, target, ...rest) => {
    if (path === name) return ts.createSourceFile(path, code, target);
    if (!library.has(path)) library.set(path, getSourceFile.call(host, path, target, ...rest));
    return library.get(path);
  };
  const program = ts.createProgram([name], OPTIONS, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map((d) => ts.flattenDiagnosticMessageText(d.messageText, '\n'));
}

const DOCUMENTS = [
  ...readdirSync(ROOT).filter((file) => file === 'README.md'),
  ...readdirSync(join(ROOT, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => `docs/${file}`),
];

describe.each(DOCUMENTS)('%s', (file) => {
  const blocks = blocksOf(file);
  const of = (language: string) =>
    blocks.flatMap((block, i) =>
      block.language === language ? [[`line ${block.line}`, i] as const] : [],
    );
  // Read again when they are needed: rewriting one block moves the others.
  const current = (i: number) => blocksOf(file)[i];

  test('fences are closed and have a language that is known', () => {
    const fences = readFileSync(join(ROOT, file), 'utf8').match(/^```.*$/gm) ?? [];
    expect(fences.length % 2).toBe(0);
    const languages = new Set(fences.map((fence) => fence.slice(3)));
    const known = ['', 'console', 'litmus', 'cat', 'ts', 'text', 'json', 'sh'];
    expect([...languages].filter((l) => !known.includes(l))).toEqual([]);
  });

  test.each(of('console'))('console, %s', async (_, i) => {
    compare(current(i), await replay(current(i).text));
  });

  test.each(of('litmus'))('litmus, %s', (_, i) => {
    const { text } = current(i);
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
    const { text, output } = current(i);
    expect(typeErrors(text)).toEqual([]);
    const { outputText } = ts.transpileModule(text, {
      compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
    });
    // Inside the package, so that it finds itself by name.
    const example = join(ROOT, `dist/example-${process.pid}-${i}.mjs`);
    writeFileSync(example, outputText);
    const done = await run(process.execPath, [example]);
    rmSync(example);
    expect(done.stderr).toBe('');
    expect(done.code).toBe(0);
    if (output !== undefined) compare(output, done.stdout);
    else expect(done.stdout).toBe('');
  });
});
