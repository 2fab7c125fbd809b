// How long an editor waits for the language server.
import type { AnswerTimes, EditorGiven } from './editor-run.js';
import { table } from './markdown.js';
import { runScript } from './process.js';

const LINES = 1000;

/** Threads of ten lines. The first line of the first of them is typed into. */
const threads = Array.from({ length: (LINES - 8) / 10 }, (_, i) => {
  const body = Array.from({ length: 8 }, (_, k) => `  ${k % 2 === 0 ? 'x^2' : 'y'} := ${k};`);
  return [`thread T${i} on 1 {`, ...body, '}'].join('\n');
}).join('\n');
const TEST = `RDMA long\n\nnode 1 { y = 0 }\nnode 2 { x = 0 }\n\n${threads}\n\nexists (x = 1)\n`;

const definitions = Array.from(
  { length: LINES - 4 },
  (_, i) => `let r${i + 1} = r${i} | po & (nlR * nlW)`,
).join('\n');
const MODEL = `"Long"\n\nlet r0 = \n${definitions}\nacyclic r9\n`;

/** Everything that an editor may ask while somebody types. */
const ASKED = [
  ...['documentSymbol', 'foldingRange', 'semanticTokens/full', 'codeLens', 'inlayHint'],
  ...['completion', 'signatureHelp', 'hover', 'definition', 'references', 'documentHighlight'],
  ...['prepareRename', 'codeAction', 'formatting', 'rangeFormatting'],
];
const METHODS = ASKED.map((name) => `textDocument/${name}`);

/** Every hundredth line breaks off. */
const broken = (text: string): string =>
  text
    .split('\n')
    .map((line, i) => (i % 100 === 50 ? line.replace(/ \S+$/, '') : line))
    .join('\n');

/** A file, and what is typed into it. */
interface Typed extends Omit<EditorGiven, 'keys' | 'asked'> {
  readonly file: string;
  readonly keys: string;
}

/** Files of 1,000 lines. While somebody types, the item that is written is broken; in some there are other mistakes, which stay. */
const FILES: readonly Typed[] = [
  {
    file: 'litmus, with mistakes',
    text: broken(TEST),
    ending: 'litmus',
    at: [6, 2],
    keys: 'y := 1; a^2 := y; ',
  },
  {
    file: 'cat, with mistakes',
    text: broken(MODEL),
    ending: 'cat',
    at: [2, 9],
    keys: 'po | (rf^-1 ; mo)',
  },
  { file: 'litmus', text: TEST, ending: 'litmus', at: [6, 2], keys: 'y := 1; a^2 := y; poll(2); ' },
  { file: 'cat', text: MODEL, ending: 'cat', at: [2, 9], keys: 'po | (rf^-1 ; mo) & loc | rf' },
];

export interface FileAnswers {
  readonly file: string;
  readonly lines: number;
  readonly answers: readonly AnswerTimes[];
}

/** For each file, how long diagnostics and other answers took after each key. */
export function measureEditor(): readonly FileAnswers[] {
  return FILES.map(({ file, ...asked }) => {
    const given = { ...asked, keys: [...asked.keys], asked: METHODS };
    const { objects, end } = runScript<EditorGiven, AnswerTimes>('editor-run', given);
    if (end !== undefined) throw new Error(`editor: ${end}`);
    return { file, lines: asked.text.split('\n').length - 1, answers: objects };
  });
}

export const editorLines = (files: readonly FileAnswers[]): readonly string[] => [
  'Milliseconds from a key to the answer of `remora lsp`. Diagnostics come after 100 ms without another key, which are in the number.',
  '',
  ...table(
    ['file', 'lines', 'answer', 'median', '99 of 100'],
    files.flatMap(({ file, lines, answers }) =>
      answers.map(({ what, median, late }) => [
        file,
        String(lines),
        what,
        median.toFixed(0),
        late.toFixed(0),
      ]),
    ),
  ),
];
