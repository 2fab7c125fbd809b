import type { Diagnostic, Parsed, SourceFile, Span } from '../parse/diagnostics/index.js';
import { didYouMean } from '../parse/diagnostics/index.js';
import type {
  Condition,
  Ident,
  LitmusFile,
  LocationDecl,
  NodeDecl,
  Observable,
  QueryDecl,
} from '../parse/litmus-ast.js';
import {
  allSignalledIn,
  otherTypes,
  relaxedIn,
  remarksOnSignals,
  selectiveCompletions,
} from './attributes.js';
import { brokenIn } from './broken.js';
import type { CCode } from './code.js';
import { codeOf } from './code.js';
import type { Remark, Surroundings } from './around.js';
import type { Head } from './head.js';
import { fitted } from './extents.js';
import { wrongFirst } from './first-values.js';
import { headOf } from './head.js';
import { endlessWaits } from './endless.js';
import { elementNames } from './pieces.js';
import { interfacesOf } from './interfaces.js';
import { withoutKeywords } from './keywords.js';
import { NEVER_RETURNS } from './state.js';
import type { CallLine, Table } from './tables.js';
import type { ReadThread } from './thread.js';
import { readTogether } from './together.js';
import type { CNode } from './tree.js';
import { DEEPEST, NoCpp, TooDeep, spanIn, treeOf } from './tree.js';

/** A C file as a litmus file, and what was left out or taken for granted. */
export interface ReadC extends Parsed<LitmusFile> {
  readonly remarks: readonly Remark[];
  /** What is probably a mistake. */
  readonly warnings: readonly Diagnostic[];
}

const NOTHING_SAID = { remarks: [], warnings: [] };

/** Reads a C file with a head. Its threads do what their functions do. */
export function parseCFile(source: SourceFile): ReadC {
  try {
    return parsed(source);
  } catch (error) {
    return { value: undefined, errors: [unreadable(source, error)], ...NOTHING_SAID };
  }
}

/** @throws what says nothing of the text, or of how it is read */
export function unreadable(source: SourceFile, error: unknown): Diagnostic {
  if (error instanceof NoCpp) {
    const span = { file: source.path, start: 0, end: 0 };
    const hint = 'npm install tree-sitter-cpp';
    return {
      span,
      message: 'C++ is read with the package tree-sitter-cpp, which is not there',
      hint,
    };
  }
  if (!(error instanceof TooDeep)) throw error;
  const hint = `expressions and statements stand in each other at most ${DEEPEST} deep`;
  return { span: spanIn(source, error.at), message: error.message, hint };
}

/** What stands for bytes that are no characters. */
export const NO_CHARACTER = '\uFFFD';

/** Comments, and texts in quotes, which may look like some. */
const COMMENTS = /\/\*[^]*?\*\/|\/\/.*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;

/** The first place outside of comments where bytes are no characters. */
function noCharacterIn({ path, text }: SourceFile): Diagnostic | undefined {
  if (!text.includes(NO_CHARACTER)) return undefined;
  const bare = text.replaceAll(COMMENTS, (one) =>
    one.startsWith('/') ? ' '.repeat(one.length) : one,
  );
  const at = bare.indexOf(NO_CHARACTER);
  if (at < 0) return undefined;
  const message = 'this byte is not UTF-8 text, which C files are outside of comments';
  return { span: { file: path, start: at, end: at + 1 }, message };
}

/** What is wrong with the text as C, if something is. */
export function brokenAt(source: SourceFile, tree: CNode): Diagnostic | undefined {
  const wrong = noCharacterIn(source);
  if (wrong !== undefined) return wrong;
  const broken = brokenIn(source.text, tree);
  if (broken === undefined) return undefined;
  const { at, kind } = broken;
  const span = spanIn(source, at);
  const hint = 'macros that the file does not define are left out, or defined';
  switch (kind) {
    case 'not read':
      return { span, message: 'this is not understood as C', hint };
    case 'not closed':
      return { span, message: `this ${at.type} is never closed` };
    case 'function inside':
      return { span, message: 'a } is missing before this function' };
    case 'missing': {
      const { type } = at;
      const message = `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type} is missing here`;
      return { span, message, ...(type === ';' && { hint }) };
    }
  }
}

function parsed(source: SourceFile): ReadC {
  const tree = treeOf(source);
  const read = headOf(source, tree);
  const errors: Diagnostic[] = [...read.errors];
  const broken = brokenAt(source, tree);
  if (broken !== undefined && errors.length === 0) errors.push(broken);
  if (read.kind === 'none' || errors.length > 0)
    return { value: undefined, errors, ...NOTHING_SAID };
  return threadsOf(source, read.head, codeOf(tree));
}

function threadsOf(source: SourceFile, head: Head, code: CCode): ReadC {
  const around = surroundingsOf(source, head, code);
  const first = firstOf(head);
  const read = fitted(readTogether(around, head), first);
  const threads = read.map(({ thread: { name, node }, body }) => {
    return { name, node, body, span: name.span };
  });
  const registered = new Map(read.flatMap((one) => [...one.registered]));
  const relaxed = relaxedIn(source, head, around, registered);
  const remarks = [
    ...remarksOnSignals(source, head, code),
    ...relaxed.remarks,
    ...read.flatMap((one) => one.remarks),
  ];
  const errors: Diagnostic[] = [
    ...otherTypes(source, code),
    ...selectiveCompletions(source, around),
    ...relaxed.errors,
    ...wrongFirst(source, head, first, code),
    ...read.flatMap(({ refused }) => refused ?? []),
    ...read.flatMap(({ endless }) =>
      endless === undefined ? [] : [{ span: endless, message: NEVER_RETURNS }],
    ),
    ...sharedVariables(source, read, code),
  ];
  const mistakes = [...unusedLines(source, around), ...endlessWaits(read, first)];
  const warnings = mistakes.map((one) => ({ ...one, severity: 'warning' as const }));
  if (errors.length > 0) return { value: undefined, errors, remarks, warnings };
  const { litmus, arrays } = head;
  const queries = [...litmus.queries, ...read.flatMap(neverFalse)];
  if (queries.length === 0 && litmus.listed.length === 0) {
    const { span } = litmus.name;
    const hint = 'add exists (…) to the head, or assert(…) to the code';
    return {
      value: undefined,
      errors: [{ span, message: NOTHING_ASKED, hint }],
      remarks,
      warnings,
    };
  }
  const nodes = litmus.nodes.map((node) => ({
    ...node,
    locations: [
      ...node.locations.flatMap((location) =>
        elementNames(location.name.text, arrays.get(location.name.text)).map((text) => ({
          ...location,
          name: { ...location.name, text },
          tags: withTag(location.tags, relaxed.locations.get(text)),
        })),
      ),
      ...nowheresOn(node, read),
    ],
  }));
  const value = withoutKeywords({ ...litmus, nodes, threads, queries });
  return { value, errors: [], remarks, warnings };
}

/** The locations, with their first values. */
const firstOf = ({ litmus, arrays }: Head): ReadonlyMap<string, number> =>
  new Map(
    litmus.nodes.flatMap(({ locations }) =>
      locations.flatMap(({ name: { text }, value }) =>
        elementNames(text, arrays.get(text)).map((one) => [one, value] as const),
      ),
    ),
  );

/** The tags of a location that is registered with relaxed ordering at a place. */
function withTag(tags: readonly Ident[], span: Span | undefined): readonly Ident[] {
  const isNew = span !== undefined && tags.every(({ text }) => text !== 'relaxed');
  return isNew ? [...tags, { text: 'relaxed', span }] : tags;
}

/** The words of a node that stand for no memory: writes and messages without data go there. */
function nowheresOn(
  { node: { text, span } }: NodeDecl,
  read: readonly ReadThread[],
): readonly LocationDecl[] {
  const all = new Map(read.flatMap(({ nowheres }) => [...nowheres]));
  return [...all].flatMap(([name, node]) =>
    node === text ? [{ name: { text: name, span }, value: 0, tags: [], span }] : [],
  );
}

/** Lines of the head that no call is about. */
function unusedLines(
  { path, text }: SourceFile,
  { calls, used }: Surroundings,
): readonly Diagnostic[] {
  const called = [...text.matchAll(/\b([A-Za-z_]\w*)\s*\(/g)].map(([, one]) => one);
  return calls.head.flatMap((line) => {
    if (used.has(line)) return [];
    const { text: call, start } = line.call;
    const span = { file: path, start, end: start + call.length };
    const [name] = line.names;
    const hint = didYouMean(name, called);
    const message = 'no thread comes to a call that this line is about';
    return [{ span, message, ...(hint !== undefined && { hint }) }];
  });
}

/** What is wrong with a file without a question. */
export const NOTHING_ASKED = 'nothing is asked';

/** Some seconds of work. */
const MOST_WORK = 1_000_000;

/** As of litmus files (docs/litmus.md). */
const DEFAULT_BOUND = 3;

/** A variable that is on no node is in no memory that two threads have. */
function sharedVariables(
  source: SourceFile,
  read: readonly ReadThread[],
  { globals }: CCode,
): readonly Diagnostic[] {
  return [...globals].flatMap(([name, { node }]) => {
    const users = read.filter((one) => one.globals.has(name));
    const isChanged = users.some((one) => one.changed.has(name));
    const isWord = users.some((one) => one.ownGlobals.has(name));
    if (users.length < 2 || !(isChanged || isWord)) return [];
    const [first, second] = users.map(({ thread }) => thread.name.text);
    const message = `${name} is used by ${first} and ${second}, and is on no node`;
    const hint = isWord
      ? `declare it in the head: node 1 { ${name} = 0 }`
      : 'put what they share into variables of their own, and these into the head';
    return [{ span: spanIn(source, node), message, hint }];
  });
}

/** `~exists (T:failed = 1)`, for each question that a thread asserts. */
function neverFalse({ thread, asserted }: ReadThread): readonly QueryDecl[] {
  return [...asserted.values()].map(({ name, text: label }) => {
    const { span } = name;
    const left: Observable = { thread: thread.name, name, span };
    const right = { kind: 'int', value: 1, span } as const;
    return {
      ...{ label, quantifier: '~exists', span, expectations: [], observations: [] },
      condition: { kind: 'atom', left, equal: true, right, span },
      text: `${thread.name.text}:${name.text} = 1`,
    };
  });
}

/** The lines of interfaces, in the readings that a head names; else what they do over verbs. */
const tableLines = (
  tables: ReadonlyMap<string, Table>,
  readings: ReadonlyMap<string, string>,
): readonly CallLine[] =>
  [...tables].flatMap(([name, { lines }]) => {
    const wanted = readings.get(name) ?? 'verbs';
    return lines.filter(({ reading }) => reading === undefined || reading === wanted);
  });

/** What the threads of a file have in common. */
export function surroundingsOf(
  source: SourceFile,
  { litmus, arrays, allSignalled, calls, readings }: Head,
  code: CCode,
): Surroundings {
  const nodeOf = new Map<string, string>();
  for (const { node, locations } of litmus.nodes) {
    for (const { name } of locations) {
      for (const one of elementNames(name.text, arrays.get(name.text))) nodeOf.set(one, node.text);
    }
  }
  const asked = [...litmus.queries.flatMap(observablesOf), ...litmus.listed];
  const words = new Set(source.text.match(/\w+/g));
  const tables = interfacesOf(words);
  return {
    ...{ file: source.path, text: source.text, code, nodeOf, arrays },
    allSignalled: allSignalled || allSignalledIn(source, code) === true,
    nodes: litmus.nodes.map(({ node }) => node.text),
    calls: { head: calls, tables: tableLines(tables, readings) },
    constants: new Map([...tables.values()].flatMap((one) => [...one.constants])),
    work: { left: MOST_WORK, conditions: new Map() },
    used: new Set(),
    bound: litmus.bound ?? DEFAULT_BOUND,
    words,
    emptyName: (node, kind) => {
      let name = `${kind === 'write' ? 'nowhere' : 'empty'}_${node}`;
      while (words.has(name)) name += '_';
      return name;
    },
    observed: (thread) =>
      new Set(
        asked
          .filter((one) => one.thread === undefined || one.thread.text === thread)
          .map(({ name }) => name.text),
      ),
  };
}

function observablesOf(query: QueryDecl): readonly Observable[] {
  return 'condition' in query ? inCondition(query.condition) : [];
}

function inCondition(condition: Condition): readonly Observable[] {
  switch (condition.kind) {
    case 'true':
      return [];
    case 'atom':
      return [condition.left, ...(condition.right.kind === 'name' ? [condition.right.name] : [])];
    case 'not':
      return inCondition(condition.arg);
    case 'and':
    case 'or':
      return [...inCondition(condition.left), ...inCondition(condition.right)];
  }
}
