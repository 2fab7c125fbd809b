import type { SourceFile, Span } from '../parse/diagnostics/index.js';
import { pathIn } from './bindings.js';
import type { Gap } from './around.js';
import type { Edit } from './edit/insert.js';
import { edited, endOfLines } from './edit/insert.js';
import type { Headed } from './edit/head.js';
import * as edit from './edit/head.js';
import { headToFill, oneLine } from './fill.js';
import type { ThreadGaps } from './gaps.js';
import { gapsOf, lineOf } from './gaps.js';
import type { HeadThread } from './head.js';
import { OPEN } from './head.js';
import { split } from './pieces.js';
import { questionsFor } from './questions.js';
import { NOTHING_ASKED, parseCFile, surroundingsOf } from './read.js';

/** Something that the head of a file has still to say. */
export interface OpenGap {
  readonly kind: Gap['kind'] | 'question';
  /** What leads somewhere, or the call; of a question, nothing. */
  readonly text: string;
  readonly thread?: string;
  /** Where it is to be filled in: a `?` of the head, or else the code that needs it. */
  readonly at: Span;
  /** The code that needs it, and its line. */
  readonly code?: Span;
  readonly line?: number;
}

/** What may stand in a gap. */
export interface Filling {
  /** `data @ 16` */
  readonly text: string;
  /** What is said besides: `on server`, `new, on server`. */
  readonly note?: string;
  readonly edits: readonly Edit[];
}

/**
 * The file with a head in front, as far as the C says one, of the function at a place, or of all that no other one calls; undefined: it has
 * one, or says nothing.
 */
export function withHead(source: SourceFile, at?: number): string | undefined {
  if (edit.hasHead(source)) return undefined;
  const { value } = headToFill(source, at);
  if (value === undefined || !/^ {3}thread /m.test(value.text)) return undefined;
  // The lines of the C move down.
  const more = value.text.split('\n').length - 1;
  const head = value.text.replaceAll(
    /(# .*?\bline )(\d+)( → \d+)?/g,
    (_, before: string, ...lines: (string | undefined)[]) =>
      before +
      lines
        .slice(0, 2)
        .join('')
        .replaceAll(/\d+/g, (line) => `${Number(line) + more}`),
  );
  return head.replaceAll('\n', endOfLines(source)) + source.text;
}

/** What the head of a file has still to say, in the order of its threads; the question comes last. */
export function openGaps(source: SourceFile): readonly OpenGap[] {
  const file = edit.headedOf(source);
  if (file === undefined) return [];
  const gaps = readGaps(file).flatMap((one, i) => {
    const thread = file.head.threads[i];
    return wantedBy(file, thread, one).map(({ kind, text, span: code }): OpenGap => {
      const open = edit.openBinding(file, thread, text);
      const at = open === undefined ? code : { file: source.path, ...rangeOf(open) };
      const line = lineOf(source.text, code);
      return { kind, text, thread: thread.name.text, at, code, line };
    });
  });
  const at = questionAt(file, gaps.length === 0);
  return at === undefined ? gaps : [...gaps, { kind: 'question', text: '', at }];
}

/** Where a question is to be asked. A file without a gap may ask in its code. */
function questionAt(file: Headed, isLast: boolean): Span | undefined {
  const { source, head } = file;
  const open = edit.openQuestion(file);
  if (open !== undefined) return { file: source.path, ...rangeOf(open) };
  if (!isLast || head.litmus.queries.length > 0) return undefined;
  const isMissing = parseCFile(source).errors.some(({ message }) => message === NOTHING_ASKED);
  return isMissing ? head.litmus.name.span : undefined;
}

/** The gaps that were found, and those of the head that nothing has come to yet. */
function wantedBy(file: Headed, thread: HeadThread, { gaps }: ThreadGaps): readonly Gap[] {
  const { name, function: called } = thread;
  const more = edit.openBindings(file, thread).flatMap(({ path, isPair }): readonly Gap[] => {
    if (gaps.some(({ text }) => pathIn(text) === path)) return [];
    const span = file.code.functions.has(called.text) ? name.span : called.span;
    const kind = isPair ? 'queue pair' : 'place';
    return [{ kind, text: path, span, offsets: [0], choices: [] }];
  });
  return [...gaps, ...more];
}

const rangeOf = ({ start, end }: Edit) => ({ start, end });

/**
 * Whether a gap waits for others: where a pointer of a request leads, depends on where its queue pair does, and what may be asked, on all
 * else.
 */
export const waits = ({ kind, thread }: OpenGap, all: readonly OpenGap[]): boolean =>
  kind === 'question'
    ? all.some((one) => one.kind !== 'question')
    : ['place', 'completion queue'].includes(kind) &&
      all.some((one) => one.kind === 'queue pair' && one.thread === thread);

/** What may fill a gap that does not wait: what leaves a head that can be read, and code that goes with it. */
export function fillingsOf(source: SourceFile, gap: OpenGap): readonly Filling[] {
  const file = edit.headedOf(source);
  if (file === undefined || waits(gap, openGaps(source))) return [];
  if (gap.kind === 'question') return questionsFor(file);
  const thread = file.head.threads.find(({ name }) => name.text === gap.thread);
  const before = thread && readGaps(file)[file.head.threads.indexOf(thread)];
  if (thread === undefined || before === undefined) return [];
  const wanted = wantedBy(file, thread, before);
  const found = wanted.find(({ kind, text }) => kind === gap.kind && text === gap.text);
  if (found === undefined) return [];
  const candidates = CANDIDATES[gap.kind](file, thread, found).map((one) => ({
    one,
    end: ending(file, { thread, gap: found, before }, one),
  }));
  const best = candidates.some(({ end }) => end === 'read') ? 'read' : 'filled';
  return candidates.filter(({ end }) => end === best).map(({ one }) => one);
}

const readGaps = ({ source, head, code }: Headed): readonly ThreadGaps[] => {
  const around = surroundingsOf(source, head, code);
  return head.threads.map((thread) => gapsOf(around, thread));
};

interface Filled {
  readonly thread: HeadThread;
  readonly gap: Gap;
  readonly before: ThreadGaps;
}

/** What becomes of a file with a filling: its gap is closed, and nothing is wrong that was right before; or at least the gap is closed. */
function ending(
  file: Headed,
  { thread, gap, before }: Filled,
  { edits }: Filling,
): 'read' | 'filled' | 'wrong' {
  const made = edited(file.source.text, edits);
  const after = made && edit.headedOf({ ...file.source, text: made.text });
  if (after === undefined || after.errors.some(({ message }) => message !== OPEN)) return 'wrong';
  const at = after.head.threads.findIndex(({ name }) => name.text === thread.name.text);
  const { gaps, refused } = readGaps(after)[at];
  if (gaps.some(({ kind, text }) => kind === gap.kind && text === gap.text)) return 'wrong';
  const isAsBefore = refused === undefined || refused.message === before.refused?.message;
  return isAsBefore ? 'read' : 'filled';
}

type Candidates = (file: Headed, thread: HeadThread, gap: Gap) => readonly Filling[];

const CANDIDATES: { readonly [kind in Gap['kind']]: Candidates } = {
  place: places,
  'queue pair': nodes,
  'completion queue': queues,
  call: calls,
};

/** Locations that are there, and new ones with the name of the pointer: on nodes of others first, as most pointers are of requests. */
function places(file: Headed, thread: HeadThread, gap: Gap): readonly Filling[] {
  const { litmus, arrays } = file.head;
  const own = thread.node.text;
  const all = [...litmus.nodes].sort(
    (a, b) => Number(a.node.text === own) - Number(b.node.text === own),
  );
  const offsets = [...gap.offsets].sort((a, b) => a - b);
  const bound = new Set(thread.binds.flatMap(({ to }) => to.map(({ name }) => name.text)));
  const there = all.flatMap(({ node, locations }) => {
    const names = locations.map(({ name }) => name.text);
    const free = names.filter((name) => !bound.has(name));
    const single = offsets.length === 1 || free.some((name) => arrays.has(name));
    const lists = single ? names.map((name) => [name]) : [free];
    return lists
      .filter((list) => single || list.length === offsets.length)
      .map((list): Filling => {
        const text = placesText(list, offsets);
        const edits = [edit.bindingOf(file, thread, gap.text, text)];
        return { text, note: `on ${node.text}`, edits };
      });
  });
  const base = nameIn(gap.text);
  const names = offsets.map((at) => freshName(file, at === offsets[0] ? base : `${base}${at}`));
  const text = placesText(names, offsets);
  const added = all.map(({ node }): Filling => {
    const edits = [
      edit.wordsOn(file, node.text, names.map((name) => `${name} = 0`).join('; ')),
      edit.bindingOf(file, thread, gap.text, text),
    ];
    return { text, note: `new, on ${node.text}`, edits };
  });
  const isFree = ({ text }: Filling): boolean => !bound.has(/^\w+/.exec(text)![0]);
  return [...there.filter(isFree), ...added, ...there.filter((one) => !isFree(one))];
}

/** The last name of a path, with the numbers of the elements behind it. */
function nameIn(path: string): string {
  const [, name, rest] = /([A-Za-z_]\w*)([^A-Za-z_]*)$/.exec(path)!;
  return name + (rest.match(/\d+/g) ?? []).join('_');
}

/** `data, flag @ 64` */
const placesText = (names: readonly string[], offsets: readonly number[]): string =>
  names.map((name, i) => (offsets[i] === 8 * i ? name : `${name} @ ${offsets[i]}`)).join(', ');

/** A name that neither the head nor the file has, the wanted one if it can be. */
function freshName({ head, code, words }: Headed, wanted: string): string {
  const taken = new Set([
    ...(words.quiet.match(/\w+/g) ?? []).filter((word) => word !== wanted),
    ...head.litmus.nodes.flatMap(({ node, locations }) => [
      node.text,
      ...locations.map(({ name }) => name.text),
    ]),
    ...code.globals.keys(),
  ]);
  for (let n = 0; ; n++) {
    const name = n === 0 ? wanted : `${wanted}_${n}`;
    if (!taken.has(name)) return name;
  }
}

/** The other nodes, and a new one. */
function nodes(file: Headed, thread: HeadThread, gap: Gap): readonly Filling[] {
  const names = file.head.litmus.nodes.map(({ node }) => node.text);
  const fill = (text: string, note?: string, more: readonly Edit[] = []): Filling => {
    const edits = [...more, edit.bindingOf(file, thread, gap.text, text)];
    return { text, ...(note !== undefined && { note }), edits };
  };
  const there = names
    .filter((name) => name !== thread.node.text)
    .flatMap((name) => {
      const [other] = thread.binds.filter(({ to }) => to[0]?.name.text === name);
      if (other === undefined) return [fill(name)];
      const own = `${name}.${nameIn(gap.text)}`;
      return [fill(own, 'a queue pair of its own'), fill(name, `the one of ${other.left.text}`)];
    });
  const fresh = nameOfNode(names);
  return [...there, fill(fresh, 'a new node', [edit.newNode(file, fresh, [])])];
}

/** The queues that the thread polls; with two, also one for sends and the other for receives. What looks most like the queue pair comes first. */
function queues(
  file: Headed,
  thread: HeadThread,
  { text: pair, choices }: Gap,
): readonly Filling[] {
  const others = choices.length === 2 ? [choices, choices.toReversed()] : [];
  const near = (queue: string): number => [...queue].findIndex((c, i) => c !== pair[i]);
  const single = [...choices].sort((a, b) => near(b) - near(a)).map((one) => [one]);
  return [...single, ...others].map((names): Filling => {
    const text = `on ${names.join(', ')}`;
    const note = names.length === 2 ? 'for sends, for receives' : undefined;
    const edits = [edit.queuesOf(file, thread, pair, text)].flatMap((one) => one ?? []);
    return { text, ...(note !== undefined && { note }), edits };
  });
}

/** As the other nodes are called. */
function nameOfNode(names: readonly string[]): string {
  const [, stem] = /^([a-z]*?)\d+$/i.exec(names[0] ?? '') ?? [];
  if (stem === undefined) {
    return ['server', 'peer', 'other'].find((name) => !names.includes(name)) ?? 'another';
  }
  for (let n = 1; ; n++) if (!names.includes(`${stem}${n}`)) return `${stem}${n}`;
}

/** What a call may do that nobody sees. What else it does, only who wrote it can say. */
function calls(file: Headed, _: HeadThread, { text }: Gap): readonly Filling[] {
  const code = oneLine(text);
  const [, name, given] = /^(.*?)\s*\((.*)\)$/s.exec(code) ?? [];
  if (name === undefined) return [];
  const parameters = split(given, 0, given.length, ',').map((_, i) => `a${i + 1}`);
  const call = `call ${name}(${parameters.join(', ')}) =`;
  return (['nothing', 'error'] as const).map((operation) => ({
    text: `${call} ${operation}`,
    note: operation === 'error' ? 'it never returns' : 'it does nothing that others see',
    edits: edit.callLine(file, code, `${call} ${operation}`),
  }));
}
