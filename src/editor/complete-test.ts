import { ITEM_WORDS } from '../parse/keywords.js';
import type { LitmusFile } from '../parse/litmus-ast.js';
import { columnsOf } from './columns.js';
import { INSTRUCTION_STARTS, keywords, libraries, methods, operations } from './completion.js';
import type { Completion } from './completion.js';
import { columnAround, openBrackets, threadAround } from './cursor.js';
import type { Cursor } from './cursor.js';
import { languageOf } from './language.js';
import { operationsIn, parametersOf } from './operations.js';
import type { Workspace } from './workspace.js';

export const ITEMS_OF_LITMUS = [
  ...['node', 'thread', 'threads', 'exists', '~exists', 'forall', 'filter', 'locations', 'source'],
  ...['question', 'note', 'bound', 'expect', 'computed', 'observed'],
  ...ITEM_WORDS,
];

/** The names of models that expectations can be about. */
function models(path: string, { files, listed }: Workspace): readonly Completion[] {
  const { basename, dirname } = files.paths;
  const beside = listed().filter(
    (other) => languageOf(other) === 'cat' && dirname(other) === dirname(path),
  );
  const own = beside.map((file) => basename(file).replace(/\.cat$/, ''));
  return [...own, ...files.names()].map((label) => ({ label, kind: 'model' }));
}

const VERDICTS = ['allowed', 'forbidden', 'holds', 'fails'];

/** A list of names after a word, up to the cursor. */
const listBehind = (word: string): RegExp =>
  new RegExp(`\\b${word}\\s+(?:[\\w.+-]+\\s*,\\s*)*[\\w.+-]*$`);

const UNDER = listBehind('under');
const USES = listBehind('uses');

/** The completions at a place of a litmus file. */
export function inTest(
  place: Cursor,
  path: string,
  workspace: Workspace,
  file: LitmusFile | undefined = workspace.tree(path, 'litmus'),
): readonly Completion[] {
  const { before, tokens, inside } = place;
  if (inside === 'string') return [];
  const [previous, last] = [tokens.at(-2), tokens.at(-1)];
  const ofFile = { place, path, workspace, file };
  if (UNDER.test(before)) {
    return file !== undefined && file.uses.length > 0
      ? libraries(workspace)
      : models(path, workspace);
  }
  if (USES.test(before)) return libraries(workspace);
  const member = /([A-Za-z_]\w*)\.\w*$/.exec(before);
  if (member !== null && !/\^\w*\.\w*$/.test(before))
    return methods(member[1], file?.uses ?? [], path, workspace);
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
  readonly place: Cursor;
  readonly path: string;
  readonly workspace: Workspace;
  readonly file: LitmusFile | undefined;
}

export const nodes = (file: LitmusFile | undefined): readonly Completion[] =>
  (file?.nodes ?? []).map(({ node }) => ({ label: node.text, kind: 'node' }));

/** The threads. They are found by tokens, since a thread that is being written is in no tree. */
const threads = ({ all }: Cursor): readonly Completion[] =>
  all.flatMap(({ value }, i) =>
    all[i - 1]?.type === 'kw_thread' || all[i + 1]?.type === 'at'
      ? [{ label: value, kind: 'thread' }]
      : [],
  );

export const locations = (file: LitmusFile | undefined): readonly Completion[] => [
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

/** The kinds of parameters that are nodes; other parameters are values and places. */
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
  const words = begins ? keywords([...INSTRUCTION_STARTS, 'else', 'or']) : [];
  const items = column?.mayEnd === true ? keywords(ITEMS_OF_LITMUS) : [];
  return [...shared, ...own, ...used, ...calls, ...words, ...items];
}

/** The kinds of parameters of an operation that is called without a library. */
function called(name: string, path: string, workspace: Workspace): readonly string[] {
  const declaring = workspace.modelFile('rdma', path);
  const to = declaring === undefined ? undefined : operationsIn(declaring, workspace).get(name);
  return to === undefined ? [] : parametersOf(to, workspace);
}

/**
 * Names that a thread writes, or any thread if none is given. They are found by tokens, since the thread may be
 * unfinished.
 */
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
