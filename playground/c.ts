import { Language, Parser } from 'web-tree-sitter';
import { programWithLines } from '../src/analyses/in-c/lines.js';
import { programOf, triedInC } from '../src/analyses/in-c/tried.js';
import { BEGINNING } from '../src/c/beginning.js';
import type { OpenGap } from '../src/c/fillings.js';
import { fillingsOf, openGaps, waits, withHead } from '../src/c/fillings.js';
import { setInterfaces } from '../src/c/interfaces.js';
import { plainTree } from '../src/c/plain.js';
import { readC } from '../src/c/said.js';
import { parseTree, setCParser } from '../src/c/tree.js';
import type { SourceFile } from '../src/core.js';
import type { CPart, ShownGap } from './c-part.js';
import { unpacked } from './unpacked.js';

/** The script for C: its parser is loaded with it. Nothing of it is in the script of the worker. */
export async function startC(): Promise<CPart> {
  const at = (name: string): URL => new URL(`c/${name}`, location.href);
  const [wasmBinary, grammar, tables] = await Promise.all([
    unpacked(at('tree-sitter.wasm.packed')),
    unpacked(at('grammar.wasm.packed')),
    fetch(at('interfaces.json')).then((found) => found.json() as Promise<Record<string, string>>),
  ]);
  await Parser.init({ wasmBinary });
  const parser = new Parser();
  parser.setLanguage(await Language.load(grammar));
  setCParser((text) => plainTree(parser.parse(text)!.rootNode, text));
  setInterfaces(new Map(Object.entries(tables)));
  return {
    read: readC,
    withHead: headed,
    gaps: shownGaps,
    withLines: (test, { source, read }) => ({
      ...test,
      program: programWithLines(source, test.program, programOf(read)),
    }),
    tried: triedInC,
  };
}

/** A head is put in front of what can be read. Who has begun one writes it. */
const headed = (source: SourceFile): string | undefined =>
  source.text.search(BEGINNING) >= 0 || parseTree(source.text).hasError
    ? undefined
    : withHead(source);

function shownGaps(source: SourceFile): readonly ShownGap[] {
  const gaps = openGaps(source);
  const lines = source.text.split('\n');
  return gaps.map((gap) => {
    const { kind, text, at, line } = gap;
    return {
      text: QUESTIONS[kind](text.replaceAll(/\s+/g, ' ')),
      ...(line !== undefined && { line, code: lines[line - 1].trim() }),
      ...{ start: at.start, end: at.end },
      waits: waits(gap, gaps),
      fillings: fillingsOf(source, gap),
    };
  });
}

const QUESTIONS: { readonly [kind in OpenGap['kind']]: (text: string) => string } = {
  place: (text) => `Where does ${text} lead?`,
  'queue pair': (text) => `Where does the queue pair ${text} lead?`,
  'completion queue': (text) => `Which completion queue has ${text}?`,
  call: (text) => `What does ${text} do?`,
  question: () => 'What is asked?',
};
