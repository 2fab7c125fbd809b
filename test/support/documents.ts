import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.js';

/** The documents of the package, and what stands in them. */

/** In `npm test`, in `npm run test:long`, or in `npm run test:all` alone. */
export type When = 'quick' | 'long' | 'all';

export interface Block {
  readonly file: string;
  readonly language: string;
  readonly text: string;
  readonly line: number;
  /** What the block is saved as, for the document's commands: the second word of its fence; that of `console long` says when it is run. */
  readonly name?: string;
  /** When it is run: that of `console long` and `console all` with the tests of these names. */
  readonly when: When;
  /** A `text` block with nothing but blank lines between. */
  readonly output?: Block;
}

/** The language of runs that readers do not see: comments that begin with a command. */
export const HIDDEN = 'hidden run';

export const DOCUMENTS: readonly string[] = [
  'README.md',
  ...['docs', 'docs/learn'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((file) => file.endsWith('.md'))
      .sort()
      .map((file) => `${folder}/${file}`),
  ),
];

/** Those of which all runs are long tests. Of the others, those of the blocks are that begin with `console long`. */
export const LONG_DOCUMENTS: readonly string[] = [
  'docs/atomics.md',
  'docs/explain.md',
  'docs/findings.md',
  'docs/libraries.md',
  'docs/locks.md',
  'docs/robust.md',
];

/** Tests of what commands say, written like documents. */
const transcripts = readdirSync(join(ROOT, 'test/transcripts')).sort();
export const TRANSCRIPTS: readonly string[] = transcripts
  .filter((file) => file.endsWith('.md'))
  .map((file) => `test/transcripts/${file}`);

/** How many test files share the transcripts, as vitest runs files at the same time. */
const PARTS = transcripts.filter((file) => file.endsWith('.test.ts')).length;

/** The transcripts of the test file `part-N.test.ts`. */
export const transcriptsOf = (part: number): readonly string[] =>
  TRANSCRIPTS.filter((_, i) => i % PARTS === part - 1);

const whenOf = (word = 'quick'): When => (word === 'long' || word === 'all' ? word : 'quick');

const FENCED = /^```(\w*)(?: +(\S+))?\n(.*?)^```$(?:\s*^```text\n(.*?)^```$)?/gms;
const COMMENT = /^<!--\n(\$ .*?)^-->$/gms;

export const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** The fenced blocks of a document and its hidden runs, in order. */
export function blocksOf(file: string): readonly Block[] {
  const text = textOf(file);
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  const blocks: Block[] = [];
  for (const match of text.matchAll(FENCED)) {
    const [all, language, name, body, after] = match;
    const line = lineAt(match.index + all.lastIndexOf('```text'));
    const output = { file, language: 'text', text: after, line, when: 'quick' } as const;
    blocks.push({
      file,
      language,
      text: body,
      line: lineAt(match.index),
      ...(name !== undefined && language !== 'console' && { name }),
      // The compiler takes seconds to start.
      when: language === 'ts' ? 'long' : language === 'console' ? whenOf(name) : 'quick',
      ...(after !== undefined && { output }),
    });
  }
  for (const { index, 1: body } of text.matchAll(COMMENT)) {
    blocks.push({ file, language: HIDDEN, text: body, line: lineAt(index), when: 'quick' });
  }
  return blocks.sort((a, b) => a.line - b.line);
}

/** What a document says outside of blocks and comments. */
export const proseOf = (file: string): string =>
  textOf(file)
    .replace(FENCED, '')
    .replace(/^<!--.*?-->$/gms, '');

/** Puts another text in the place of a block. */
export function rewrite({ file, language, text, line }: Block, next: string): void {
  const old = textOf(file);
  const start = old.split('\n').slice(0, line).join('\n').length + 1;
  if (!old.slice(start).startsWith(text)) throw new Error(`${file}: the ${language} block moved`);
  writeFileSync(join(ROOT, file), old.slice(0, start) + next + old.slice(start + text.length));
}
