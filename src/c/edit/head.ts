import type { SourceFile } from '../../parse/diagnostics/index.js';
import { pathIn } from '../bindings.js';
import type { CCode } from '../code.js';
import { codeOf } from '../code.js';
import type { Head, HeadText, HeadThread } from '../head.js';
import { OPEN_QUESTION, headOf, headText } from '../head.js';
import { matching } from '../pieces.js';
import { treeOf } from '../tree.js';
import type { Edit } from './insert.js';

/** A C file whose head is to be changed. */
export interface Headed {
  readonly source: SourceFile;
  readonly code: CCode;
  readonly head: Head;
  readonly words: HeadText;
  /** What is wrong with the head, gaps included. */
  readonly errors: ReturnType<typeof headOf>['errors'];
}

export const hasHead = (source: SourceFile): boolean =>
  headText(source.text, treeOf(source)) !== undefined;

/** Undefined: the file has no head that can be read. */
export function headedOf(source: SourceFile): Headed | undefined {
  const tree = treeOf(source);
  const words = headText(source.text, tree);
  if (words === undefined) return undefined;
  const read = headOf(source, tree);
  if (read.kind === 'none') return undefined;
  return { source, code: codeOf(tree), head: read.head, words, errors: read.errors };
}

/** The remark that a printed head has behind a gap. */
const REMARK = /^(\s*;?)[ \t]*# a (node|location): (?:(?!\*\/).)*/;

/** A binding that is a gap. */
export interface OpenBinding {
  readonly path: string;
  /** The place of its `?`. */
  readonly mark: Edit;
  /** Whether it is to be of a queue pair, as a printed head says. */
  readonly isPair: boolean;
}

/** The bindings of a thread that are gaps. */
export function openBindings(
  { source, words }: Headed,
  thread: HeadThread,
): readonly OpenBinding[] {
  return thread.binds.flatMap(({ left, to }): readonly OpenBinding[] => {
    const path = to.length === 0 ? pathIn(left.text) : undefined;
    const start = words.quiet.indexOf('?', left.start + left.text.length);
    if (path === undefined || start < 0) return [];
    const [, , kind] = REMARK.exec(source.text.slice(start + 1)) ?? [];
    return [{ path, mark: { start, end: start + 1, text: '?' }, isPair: kind === 'node' }];
  });
}

/** The `?` of a binding that is a gap. */
export const openBinding = (file: Headed, thread: HeadThread, path: string): Edit | undefined =>
  openBindings(file, thread).find((one) => one.path === pathIn(path))?.mark;

/** The question that is a gap. */
export function openQuestion({ words }: Headed): Edit | undefined {
  const [found] = words.quiet.matchAll(OPEN_QUESTION);
  return found && { start: found.index, end: found.index + found[0].length, text: found[0] };
}

/** Says where something leads: in the place of a `?`, or in a binding of its own. */
export function bindingOf(file: Headed, thread: HeadThread, left: string, right: string): Edit {
  const { source, words } = file;
  const open = openBinding(file, thread, left);
  if (open !== undefined) {
    // The remark behind it goes; the binding ends as all others of a printed head.
    const [remark = ''] = REMARK.exec(source.text.slice(open.end)) ?? [];
    const end = remark === '' ? '' : ';';
    return { start: open.start, end: open.end + remark.length, text: right + end };
  }
  const from = thread.node.span.end;
  const brace = /^\s*\{/.exec(words.quiet.slice(from, words.end));
  const text = `${left} => ${right}`;
  if (brace === null) return { start: from, end: from, text: ` { ${text} }` };
  return joining(words.quiet, from + brace[0].length - 1, text);
}

/** Lines behind the brace of a thread, which may have none yet. */
export function bindingLines(
  file: Headed,
  thread: HeadThread,
  lines: readonly string[],
): readonly Edit[] {
  if (lines.length === 0) return [];
  const { words } = file;
  const outer = breakBefore(file, words.quiet.lastIndexOf('thread', thread.name.span.start));
  const inner = `${outer}  `;
  const text = lines.map((line) => inner + line).join('');
  const from = thread.node.span.end;
  const brace = /^\s*\{\s*/.exec(words.quiet.slice(from, words.end));
  if (brace === null) return [{ start: from, end: from, text: ` {${text}${outer}}` }];
  const end = from + brace[0].length;
  const start = from + brace[0].indexOf('{') + 1;
  return [{ start, end, text: text + (words.quiet[end] === '}' ? outer : inner) }];
}

/** Lines above a thread. */
export function remarksAbove(
  file: Headed,
  thread: HeadThread,
  lines: readonly string[],
): readonly Edit[] {
  const at = file.words.quiet.lastIndexOf('thread', thread.name.span.start);
  const text = lines.map((line) => line + breakBefore(file, at)).join('');
  return text === '' ? [] : [{ start: at, end: at, text }];
}

/** Says which completion queue a queue pair has, behind where it leads; undefined: the head does not say that. */
export function queuesOf(
  file: Headed,
  thread: HeadThread,
  pair: string,
  on: string,
): Edit | undefined {
  const bind = thread.binds.find((one) => pathIn(one.left.text) === pathIn(pair));
  const last = bind?.queuePair ?? bind?.to[0]?.name;
  if (last !== undefined) return { start: last.span.end, end: last.span.end, text: ` ${on}` };
  const others = file.head.litmus.nodes.filter(({ node }) => node.text !== thread.node.text);
  return others.length === 1
    ? bindingOf(file, thread, pair, `${others[0].node.text} ${on}`)
    : undefined;
}

/** One more part of a block, whose parts `;` separates. */
function joining(quiet: string, open: number, text: string): Edit {
  const close = matching(quiet, open);
  const at = quiet.slice(0, close).trimEnd().length;
  const last = quiet[at - 1];
  if (last === '{') return { start: at, end: close, text: ` ${text} ` };
  return { start: at, end: at, text: `${last === ';' ? '' : ';'} ${text}` };
}

/** Declares locations on a node: `data = 0; flag = 0`. */
export function wordsOn({ head, words }: Headed, node: string, values: string): Edit {
  const { span } = head.litmus.nodes.find((one) => one.node.text === node)!;
  const open = words.quiet.indexOf('{', span.start);
  return joining(words.quiet, open, values);
}

/** The line of a printed head that says what nodes are for. */
const FOR_NODES = /[ \t]*# a node for each machine.*/;

/** A node behind the others; it takes the place of the line that says what to write there. */
export function newNode(file: Headed, node: string, names: readonly string[]): Edit {
  const { source, head, words } = file;
  const values = names.map((name) => ` ${name} = 0`).join(';');
  const text = `node ${node} {${values} }`;
  const told = FOR_NODES.exec(source.text.slice(words.start, words.end));
  if (told !== null) {
    const start = words.start + told.index;
    const indent = /^[ \t]*/.exec(told[0])![0];
    return { start, end: start + told[0].length, text: indent + text };
  }
  const spans = head.litmus.nodes.map(({ span }) => span);
  const last = spans.reduce((a, b) => (a.end > b.end ? a : b));
  return { start: last.end, end: last.end, text: breakBefore(file, last.start) + text };
}

/** The line of a printed head about a call. */
const ABOUT_CALL = /\r?\n[ \t]*# what does this do, at line \d+(?: → \d+)?\? (.*)/g;

/** A line that says what a call does, above the threads. `code` is what a printed head says of it. */
export function callLine(file: Headed, code: string, line: string): readonly Edit[] {
  const { source, head, words } = file;
  const at = words.quiet.lastIndexOf('thread', head.threads[0].name.span.start);
  const text = `${line}${breakBefore(file, at)}`;
  const told = [...source.text.slice(words.start, words.end).matchAll(ABOUT_CALL)]
    .filter((found) => found[1].trim() === code)
    .map((found): Edit => {
      const start = words.start + found.index;
      return { start, end: start + found[0].length, text: '' };
    });
  return [{ start: at, end: at, text }, ...told];
}

/** Asks something: in the place of a gap, or at the end of the head. */
export function questionOf(file: Headed, question: string): Edit {
  const open = openQuestion(file);
  if (open !== undefined) return { ...open, text: question };
  const { source, words } = file;
  const isBlock = source.text.startsWith('/*', words.start);
  const end = isBlock ? words.end - 2 : words.end;
  const at = source.text.slice(0, end).trimEnd().length;
  const last = words.quiet.lastIndexOf('thread', at);
  return { start: at, end: at, text: breakBefore(file, last) + question };
}

/** The end of a line, and what the line of a place begins with; a space, where that line begins the comment. */
function breakBefore({ source: { text } }: Headed, place: number): string {
  const start = text.lastIndexOf('\n', place - 1) + 1;
  const lead = text.slice(start, place);
  const isLead = /^[ \t]*(?:\/\/|\*)?[ \t]*$/.test(lead);
  if (!isLead) return ' ';
  return (text[start - 2] === '\r' ? '\r\n' : '\n') + lead;
}
