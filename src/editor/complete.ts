import { BASE_RELATIONS, BASE_SETS, BASE_WORDS } from '../model/bases.js';
import { PRELUDES } from '../model/herd-names.js';
import type { SourceFile } from '../parse/diagnostics/index.js';
import type { LitmusFile } from '../parse/litmus-ast.js';
import { LITMUS_KEYWORDS } from '../parse/keywords.js';
import type { Token } from '../parse/tokens.js';
import { columnsOf } from './columns.js';
import { languageOf } from './language.js';
import { lexemesOf } from './lexemes.js';
import type { NamedKind } from '../parse/links.js';
import { libraryFile, operationsIn, parametersOf } from './operations.js';
import type { Workspace } from './workspace.js';

/** Something that can stand at a place. */
export interface Completion {
  readonly label: string;
  readonly kind: NamedKind | 'keyword' | 'model';
  /** What it means, in words. */
  readonly detail?: string;
}

/** What can stand at a place; whoever asks keeps what goes with the letters that are there already. */
export function completionsAt(
  path: string,
  offset: number,
  workspace: Workspace,
): readonly Completion[] {
  const source = workspace.source(path);
  if (source === undefined) return [];
  const place = placeOf(source, offset);
  if (place.inside === 'comment') return [];
  switch (languageOf(path)) {
    case 'cat':
      return distinct(inModel(place, path, workspace));
    case 'litmus':
      return distinct(inTest(place, path, workspace));
    case 'implementation':
      return distinct(inImplementation(place, path, workspace));
    case undefined:
      return [];
  }
}

/** Of one name the first, in order of names. */
function distinct(all: readonly Completion[]): readonly Completion[] {
  const byName = new Map<string, Completion>();
  for (const one of all) if (!byName.has(one.label)) byName.set(one.label, one);
  return [...byName.values()].sort((a, b) => (a.label < b.label ? -1 : 1));
}

/** Where a cursor is. */
interface Place {
  /** The text before it on its line and those above. */
  readonly before: string;
  /** The tokens before the word that is being written. */
  readonly tokens: readonly Token[];
  /** All tokens of the file. */
  readonly all: readonly Token[];
  readonly offset: number;
  readonly inside?: 'comment' | 'string';
}

const WORD = /[\w.'-]*$/;

function placeOf(source: SourceFile, offset: number): Place {
  const before = source.text.slice(0, offset);
  const [word] = WORD.exec(before)!;
  const all = lexemesOf(source);
  const around = all.find(({ span }) => span.start < offset && offset < span.end);
  const openString =
    around?.type === 'string' || /"[^"\n]*$/.test(before.slice(before.lastIndexOf('\n') + 1));
  const inside = around?.type === 'comment' ? 'comment' : openString ? 'string' : undefined;
  const start = offset - word.length;
  const tokens = all.filter(({ type, span }) => type !== 'comment' && span.end <= start);
  return { before, tokens, all, offset, inside };
}

const keywords = (words: readonly string[]): readonly Completion[] =>
  words.map((label) => ({ label, kind: 'keyword' }));

const ITEMS_OF_CAT = [
  'acyclic',
  'empty',
  'flag',
  'include',
  'irreflexive',
  'let',
  'show',
  'unshow',
];
const DECLARATIONS = ['event', 'guess', 'operation', 'replace', 'tag'];

const IN_EXPRESSIONS: readonly NamedKind[] = [
  'relation',
  'function',
  'event',
  'guess',
  'tag',
  'role',
];

function inModel(
  { tokens, before, offset, inside }: Place,
  path: string,
  workspace: Workspace,
): readonly Completion[] {
  const previous = tokens.at(-1)?.type;
  if (inside === 'string')
    return /include\s+"[^"\n]*$/.test(before) ? included(path, workspace) : [];
  const beginsLine = /(^|\n)[\w-]*$/.test(before);
  if (beginsLine)
    return keywords([...ITEMS_OF_CAT, ...DECLARATIONS, 'and', 'library', 'object', 'role']);
  if (previous === 'kw_let' || previous === 'kw_as' || previous === 'kw_and') {
    return previous === 'kw_let' ? keywords(['rec']) : [];
  }
  if (previous === 'kw_flag') return keywords(['acyclic', 'empty', 'irreflexive']);
  const named = workspace.namesInModel(path).flatMap(({ name, to }): Completion[] => {
    if (name !== to.name) return [];
    const isOwn = name.span.file === path;
    if (isOwn && name.span.start >= offset) return [];
    const isNear = to.kind === 'parameter' && isOwn && to.whole.end >= offset;
    if (!isNear && !IN_EXPRESSIONS.includes(to.kind)) return [];
    return [{ label: name.text, kind: to.kind, detail: to.words }];
  });
  // The latest definition counts.
  return [...named.reverse(), ...parameters(tokens), ...base()];
}

/** The parameters of the definition that is being written: by its tokens, as it is in no tree. */
function parameters(tokens: readonly Token[]): readonly Completion[] {
  const item = tokens.slice(tokens.findLastIndex(({ type }) => /^kw_(let|and)$/.test(type)) + 1);
  const head = item.slice(
    1,
    item.findIndex(({ type }) => type === 'equals'),
  );
  return head.flatMap(({ type, value }) =>
    type === 'name' ? [{ label: value, kind: 'parameter' }] : [],
  );
}

const base = (): readonly Completion[] => [
  ...[...BASE_RELATIONS, ...BASE_SETS].map((label): Completion => ({
    label,
    kind: 'relation',
    detail: BASE_WORDS.get(label),
  })),
  ...['domain', 'range'].map((label): Completion => ({ label, kind: 'function' })),
];

/** The files that a model file can include: its neighbours, and those that come with Remora. */
function included(path: string, { files, listed }: Workspace): readonly Completion[] {
  const { basename, dirname } = files.paths;
  const beside = listed().filter(
    (other) => other !== path && languageOf(other) === 'cat' && dirname(other) === dirname(path),
  );
  const names = [
    ...beside.map((other) => basename(other)),
    ...files.names().map((n) => `${n}.cat`),
  ];
  return [...names, ...PRELUDE_FILES].map((label) => ({ label, kind: 'file' }));
}

const PRELUDE_FILES = [...PRELUDES.keys()];

/** The names of models that expectations can be about. */
function models(path: string, { files, listed }: Workspace): readonly Completion[] {
  const { basename, dirname } = files.paths;
  const beside = listed().filter(
    (other) => languageOf(other) === 'cat' && dirname(other) === dirname(path),
  );
  const own = beside.map((file) => basename(file).replace(/\.cat$/, ''));
  return [...own, ...files.names()].map((label) => ({ label, kind: 'model' }));
}

const libraries = ({ files }: Workspace): readonly Completion[] =>
  (files.libraries?.() ?? []).map((label) => ({ label, kind: 'library' }));

const ITEMS_OF_LITMUS = [
  ...['node', 'thread', 'threads', 'exists', '~exists', 'forall', 'filter', 'locations', 'source'],
  ...['question', 'note', 'bound', 'uses', 'qp', 'ghost', 'symmetric', 'exclusive', 'progress'],
  ...['deadlock', 'never', 'assertions', 'expect', 'computed', 'observed'],
];

const INSTRUCTIONS = [
  'assume',
  'if',
  'while',
  'loop',
  'choose',
  'skip',
  'critical',
  'at',
  'assert',
];

const VERDICTS = ['allowed', 'forbidden', 'holds', 'fails'];

/** A list of names behind a word, up to the cursor. */
const listBehind = (word: string): RegExp =>
  new RegExp(`\\b${word}\\s+(?:[\\w.+-]+\\s*,\\s*)*[\\w.+-]*$`);

const UNDER = listBehind('under');
const USES = listBehind('uses');

function inTest(place: Place, path: string, workspace: Workspace): readonly Completion[] {
  const { before, tokens, inside } = place;
  if (inside === 'string') return [];
  const file = workspace.tree(path, 'litmus');
  const [previous, last] = [tokens.at(-2), tokens.at(-1)];
  const ofFile = { place, path, workspace, file };
  if (UNDER.test(before)) {
    return file !== undefined && file.uses.length > 0
      ? libraries(workspace)
      : models(path, workspace);
  }
  if (USES.test(before)) return libraries(workspace);
  const member = /([A-Za-z_]\w*)\.\w*$/.exec(before);
  if (member !== null && !/\^\w*\.\w*$/.test(before)) return methods(member[1], ofFile);
  switch (last?.type ?? '') {
    case 'caret':
      return nodes(file);
    case 'kw_on':
      return nodes(file);
    case 'colon':
      return privateNames(ofFile, previous?.value);
    case 'kw_expect':
    case 'kw_computed':
      return keywords(VERDICTS);
    case 'kw_observed':
      return keywords(['yes', 'no']);
    default:
      return names(ofFile);
  }
}

interface Within {
  readonly place: Place;
  readonly path: string;
  readonly workspace: Workspace;
  readonly file: LitmusFile | undefined;
}

const nodes = (file: LitmusFile | undefined): readonly Completion[] =>
  (file?.nodes ?? []).map(({ node }) => ({ label: node.text, kind: 'node' }));

/** By its tokens, as the thread that is being written is in no tree. */
const threads = ({ all }: Place): readonly Completion[] =>
  all.flatMap(({ value }, i) =>
    all[i - 1]?.type === 'kw_thread' || all[i + 1]?.type === 'at'
      ? [{ label: value, kind: 'thread' }]
      : [],
  );

const locations = (file: LitmusFile | undefined): readonly Completion[] => [
  ...(file?.nodes ?? []).flatMap(({ node, locations }) =>
    locations.map(({ name }): Completion => ({
      label: name.text,
      kind: 'location',
      detail: `on node ${node.text}`,
    })),
  ),
  ...(file?.objects ?? []).map(({ name, library }): Completion => ({
    label: name.text,
    kind: 'object',
    detail: library.text,
  })),
];

/** The operations of a library that a client calls by its name. */
function methods(library: string, { path, workspace, file }: Within): readonly Completion[] {
  const declaring = libraryFile(library, file?.uses ?? [], path, workspace);
  return declaring === undefined ? [] : operations(declaring, workspace);
}

const operations = (path: string, workspace: Workspace): readonly Completion[] =>
  [...operationsIn(path, workspace).values()].map(({ name, words }) => ({
    label: name.text,
    kind: 'operation',
    detail: words,
  }));

/** The calls whose arguments are nodes, by their names; others take values and places. */
const TOWARDS = ['peer', 'nodes', 'node'];

/** Names in a thread, in a condition, or the first words of items. */
function names(within: Within): readonly Completion[] {
  const { place, path, workspace, file } = within;
  const open = openBrackets(place.tokens);
  const column = columnAround(place);
  const isThread = column !== undefined || open.some(({ bracket }) => bracket.type === 'lbrace');
  const inner = open.at(-1);
  if (inner?.bracket.type === 'lparen' && isThread && inner.before?.type === 'ident') {
    const kinds = called(inner.before.value, path, workspace);
    if (kinds.length > 0 && kinds.every((kind) => TOWARDS.includes(kind))) return nodes(file);
  }
  if (!isThread && open.length === 0) return keywords(ITEMS_OF_LITMUS);
  const shared = locations(file);
  if (!isThread) return [...shared, ...threads(place), ...privateNames(within)];
  const declaring = workspace.modelFile('rdma', path);
  const used = (file?.uses ?? []).map(({ text }): Completion => ({ label: text, kind: 'library' }));
  const calls = declaring === undefined ? [] : operations(declaring, workspace);
  const own = privateNames(within, column?.thread ?? threadAround(place));
  const begins = ['lbrace', 'semi', 'rbrace', 'bar'].includes(place.tokens.at(-1)?.type ?? '');
  const words = begins ? keywords([...INSTRUCTIONS, 'else', 'or']) : [];
  const items = column?.mayEnd === true ? keywords(ITEMS_OF_LITMUS) : [];
  return [...shared, ...own, ...used, ...calls, ...words, ...items];
}

/** The thread of a table whose column the cursor is in, and whether the table may end here. */
function columnAround({ tokens }: Place): { thread: string; mayEnd: boolean } | undefined {
  const table = columnsOf(tokens);
  const row = table?.rows.at(-1);
  const last = tokens.at(-1);
  if (table === undefined || last === undefined) return undefined;
  // Behind the heads, or behind the end of a row.
  if (row === undefined || row.end === last) {
    return last.type === 'semi' ? { thread: table.heads[0], mayEnd: true } : undefined;
  }
  const thread = table.heads[row.cells.length - 1];
  return row.end === undefined && thread !== undefined ? { thread, mayEnd: false } : undefined;
}

/** What a call takes that stands without a library, by kinds. */
function called(name: string, path: string, workspace: Workspace): readonly string[] {
  const declaring = workspace.modelFile('rdma', path);
  const to = declaring === undefined ? undefined : operationsIn(declaring, workspace).get(name);
  return to === undefined ? [] : parametersOf(to, workspace);
}

/** The brackets that are open, each with the token before it. */
function openBrackets(
  tokens: readonly Token[],
): readonly { readonly bracket: Token; readonly before?: Token }[] {
  const open: { bracket: Token; before?: Token }[] = [];
  tokens.forEach((token, i) => {
    if (/^l(paren|brace|bracket)$/.test(token.type))
      open.push({ bracket: token, before: tokens[i - 1] });
    if (/^r(paren|brace|bracket)$/.test(token.type)) open.pop();
  });
  return open;
}

/** The thread whose block the cursor is in. */
function threadAround({ tokens }: Place): string | undefined {
  const at = tokens.findLastIndex(({ type, value }) => type === 'kw_thread' || value === 'threads');
  return tokens[at + 1]?.value;
}

/** Names that a thread writes, or any where none is named: by its tokens, as the thread may be half written. */
function privateNames({ place, file }: Within, thread?: string): readonly Completion[] {
  const shared = new Set(locations(file).map(({ label }) => label));
  const found: Completion[] = [];
  const { heads, rows } = columnsOf(place.all) ?? { heads: [], rows: [] };
  const columns = new Map(
    rows.flatMap(({ cells }) =>
      cells.flatMap((cell, c) => cell.map((t) => [t, heads[c]] as const)),
    ),
  );
  let current = '';
  place.all.forEach((token, i) => {
    const { type, value } = token;
    const next = place.all[i + 1]?.type;
    if (place.all[i - 1]?.type === 'kw_thread') current = value;
    current = columns.get(token) ?? current;
    const isWritten = type === 'ident' && (next === 'assign' || next === 'assignWork');
    if (!isWritten || shared.has(value) || (thread !== undefined && thread !== current)) return;
    found.push({ label: value, kind: 'register', detail: `of ${current}` });
  });
  return found;
}

const ITEMS_OF_IMPLEMENTATIONS = ['for', 'implements', 'node', 'note', 'parameter', 'source'];

function inImplementation(place: Place, path: string, workspace: Workspace): readonly Completion[] {
  if (place.inside === 'string') return [];
  if (/\b(implements|over)\s+(?:[\w-]+\s*,\s*)*[\w-]*$/.test(place.before))
    return libraries(workspace);
  const file = workspace.tree(path, 'implementation');
  const member = /([A-Za-z_]\w*)\.\w*$/.exec(place.before);
  const within = { place, path, workspace, file: undefined };
  if (member !== null) return methods(member[1], within);
  if (openBrackets(place.tokens).length === 0) return keywords(ITEMS_OF_IMPLEMENTATIONS);
  const idents = place.all.filter(({ type, value }) => type === 'ident' && !isKeyword(value));
  return [
    ...(file?.over ?? []).map(({ text }): Completion => ({ label: text, kind: 'library' })),
    ...idents.map(({ value }): Completion => ({ label: value, kind: 'register' })),
    ...keywords([...INSTRUCTIONS, 'for', 'return', 'here', 'me']),
  ];
}

const isKeyword = (name: string): boolean => LITMUS_KEYWORDS.some((word) => word === name);
