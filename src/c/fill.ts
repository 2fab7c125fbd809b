import type { Diagnostic, Parsed, SourceFile } from '../parse/diagnostics/index.js';
import type { CCode } from './code.js';
import { codeOf } from './code.js';
import type { Gap } from './around.js';
import type { ThreadGaps } from './gaps.js';
import { gapsOf, lineOf, outermost } from './gaps.js';
import type { Head, HeadThread } from './head.js';
import { headOf, headText } from './head.js';
import { brokenAt, surroundingsOf, unreadable } from './read.js';
import { treeOf } from './tree.js';
import * as edit from './edit/head.js';
import type { Edit } from './edit/insert.js';
import { edited } from './edit/insert.js';

/** A head with gaps, as text, and what of the C is not understood. */
export interface ToFill {
  readonly text: string;
  /** How many gaps there are. */
  readonly gaps: number;
  readonly refused: readonly Diagnostic[];
}

/**
 * The head of a C file with a gap for each thing that the C does not say, each with the line that needs it. Without a head, functions
 * that no other one calls are the threads, each on a node of its own. What a head says already is kept.
 */
export function headToFill(source: SourceFile, at?: number): Parsed<ToFill> {
  try {
    return filled(source, at);
  } catch (error) {
    return { value: undefined, errors: [unreadable(source, error)] };
  }
}

function filled(source: SourceFile, at?: number): Parsed<ToFill> {
  const tree = treeOf(source);
  const broken = brokenAt(source, tree);
  if (broken !== undefined) return { value: undefined, errors: [broken] };
  const code = codeOf(tree);
  const read = headOf(source, tree);
  if (read.kind === 'none' && headText(source.text, tree) !== undefined) {
    return { value: undefined, errors: read.errors };
  }
  const first = read.kind === 'head' ? read.head : proposed(source, asked(code, at));
  const around = surroundingsOf(source, first, code);
  // Queues are told apart once it is said where queue pairs lead.
  const found = first.threads.map((thread) => {
    const { gaps, ...rest } = gapsOf(around, thread);
    return { ...rest, gaps: gaps.filter(({ kind }) => kind !== 'completion queue') };
  });
  const doing = read.kind === 'head' ? found : found.filter(doesSomething);
  const head = { ...first, threads: together(first, doing) };
  if (read.kind === 'none' && doing.length === 0) {
    return { value: undefined, errors: [nothing(source)] };
  }
  return {
    value: {
      text: read.kind === 'head' ? completed(source, found) : printed(source, head, doing),
      // Without a head, nobody has said yet what is asked.
      gaps: doing.reduce((sum, { gaps }) => sum + gaps.length, read.kind === 'none' ? 1 : 0),
      refused: doing.flatMap(({ refused }) => refused ?? []),
    },
    errors: [],
  };
}

const nothing = ({ path: file }: SourceFile): Diagnostic => ({
  span: { file, start: 0, end: 0 },
  message: 'no function here posts or polls, or uses a variable at file level',
  hint: 'docs/c.md says how a head names threads',
});

/** The function at a place; elsewhere, and without a place, those that no other one calls. */
function asked(code: CCode, at: number | undefined): readonly string[] {
  const around = [...code.functions.values()].find(
    ({ node }) => at !== undefined && node.startIndex <= at && at <= node.endIndex,
  );
  return around === undefined ? outermost(code) : [around.name];
}

const doesSomething = ({ gaps, variables, refused }: ThreadGaps): boolean =>
  gaps.length > 0 || variables.size > 0 || refused !== undefined;

/** Each function on a node of its own. */
function proposed(source: SourceFile, functions: readonly string[]): Head {
  const span = { file: source.path, start: 0, end: 0 };
  const ident = (text: string) => ({ text, span });
  const threads = functions.map((name, i): HeadThread => {
    return { name: ident(name), function: ident(name), node: ident(`node${i + 1}`), binds: [] };
  });
  const litmus = {
    ...{ file: source.path, name: ident(nameOf(source.path)), notes: [], uses: [] },
    ...{ nodes: [], objects: [], queuePairs: [], completionQueues: [], threads: [], ghosts: [] },
    ...{ symmetric: [], queries: [], listed: [] },
  };
  const none = { calls: [], readings: new Map() };
  return { litmus, threads, arrays: new Map(), allSignalled: false, ...none };
}

/** Threads that use one variable are on one node. */
function together({ threads }: Head, found: readonly ThreadGaps[]): readonly HeadThread[] {
  const groups: { readonly names: string[]; readonly variables: Set<string> }[] = [];
  for (const { name, variables } of found) {
    const names = [...variables.keys()];
    const own = groups.find((one) => names.some((variable) => one.variables.has(variable)));
    if (own === undefined) groups.push({ names: [name], variables: new Set(names) });
    own?.names.push(name);
    for (const variable of names) own?.variables.add(variable);
  }
  return threads.flatMap((thread) => {
    const at = groups.findIndex(({ names }) => names.includes(thread.name.text));
    return at < 0 ? [] : [{ ...thread, node: { ...thread.node, text: `node${at + 1}` } }];
  });
}

const nameOf = (path: string): string =>
  /([^/\\]*?)(\.\w+)?$/.exec(path)![1].replaceAll(/\W+/g, '-');

function printed(
  { text }: SourceFile,
  { litmus, threads }: Head,
  found: readonly ThreadGaps[],
): string {
  const lines = [`/* RDMA ${litmus.name.text}`];
  const homes = threads.filter((one) => found.some(({ name }) => name === one.name.text));
  for (const node of new Set(homes.map((one) => one.node.text))) {
    const here = homes.filter((one) => one.node.text === node).map(({ name }) => name.text);
    const own = found.filter(({ name }) => here.includes(name)).flatMap(valuesOf);
    const words = [...new Set(own)].join('; ');
    lines.push(`   node ${node} { ${words}${words === '' ? '' : ' '}}`);
  }
  lines.push(
    '   # a node for each machine, with the words that are asked about: node server { data = 0 }',
    '',
  );
  for (const thread of homes) {
    const { gaps } = found.find(({ name }) => name === thread.name.text)!;
    const places = gaps.filter(isPlaced).map((gap) => `     ${openLine(gap, text)}`);
    const head = `   thread ${thread.name.text} on ${thread.node.text}`;
    lines.push(...(places.length === 0 ? [head] : [`${head} {`, ...places, '   }']));
    for (const gap of gaps) if (!isPlaced(gap)) lines.push(`   ${callRemark(gap, text)}`);
  }
  return `${[...lines, '', '   exists (?)', '*/'].join('\n')}\n`;
}

/** The head that a file has, with a gap for each thing that is missing in it. */
function completed(source: SourceFile, found: readonly ThreadGaps[]): string {
  const file = edit.headedOf(source)!;
  const { litmus, threads } = file.head;
  const { text } = source;
  const edits = threads.flatMap((thread, i): readonly Edit[] => {
    const { gaps } = found[i];
    const places = gaps.filter(
      (gap) => isPlaced(gap) && edit.openBinding(file, thread, gap.text) === undefined,
    );
    const calls = gaps.filter((gap) => !isPlaced(gap));
    return [
      ...edit.remarksAbove(
        file,
        thread,
        calls.map((gap) => callRemark(gap, text)),
      ),
      ...edit.bindingLines(
        file,
        thread,
        places.map((gap) => openLine(gap, text)),
      ),
    ];
  });
  const words = litmus.nodes.flatMap(({ node, locations }): readonly Edit[] => {
    const own = found.filter((_, i) => threads[i].node.text === node.text).flatMap(valuesOf);
    const missing = [...new Set(own)].filter(
      (one) => !locations.some(({ name }) => one.startsWith(`${name.text} = `)),
    );
    return missing.length === 0 ? [] : [edit.wordsOn(file, node.text, missing.join('; '))];
  });
  const asked = litmus.queries.length === 0 ? [edit.questionOf(file, 'exists (?)')] : [];
  const changed = edited(text, [...words, ...edits, ...asked])!.text;
  const { start, end } = file.words;
  return `${changed.slice(start, end + changed.length - text.length)}\n`;
}

const isPlaced = ({ kind }: Gap): boolean => kind !== 'call';

/** The words at file level that a thread uses, with their first values. */
const valuesOf = ({ variables }: ThreadGaps): readonly string[] =>
  [...variables.values()].flatMap((one) => one ?? []);

/** `22`, or `24 → 22`, where line 24 calls a function that has line 22. */
function linesOf(text: string, { span, call = span }: Gap): string {
  const [line, inner] = [lineOf(text, call), lineOf(text, span)];
  return line === inner ? `${line}` : `${line} → ${inner}`;
}

const openLine = (gap: Gap, text: string): string =>
  `${atStart(gap.text)} => ?;   # ${whatFor(gap)}, line ${linesOf(text, gap)}`;

const callRemark = (gap: Gap, text: string): string =>
  `# what does this do, at line ${linesOf(text, gap)}? ${oneLine(gap.text)}`;

/** A path at the start of a line, where a star would belong to the comment. */
const atStart = (path: string): string => (path.startsWith('*') ? `${path.slice(1)}[0]` : path);

/** Code as a part of a comment. */
export const oneLine = (code: string): string =>
  code
    .replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

const whatFor = ({ kind }: Gap): string =>
  kind === 'queue pair' ? 'a node: where this queue pair leads' : 'a location: what this points to';
