import { BASE_ALIASES, BASE_WORDS } from '../model/bases.js';
import type { Client } from '../program/client.js';
import { isC } from '../program/read.js';
import type { Query } from '../program/program.js';
import type { Span } from '../parse/diagnostics/index.js';
import { callAt } from './call-at.js';
import { languageOf } from './language.js';
import { lexemesOf } from './lexemes.js';
import { aKind, definitionsAt } from './navigate.js';
import type { NameDefinition } from '../parse/links.js';
import { touches } from './links.js';
import { machineAt } from './machine.js';
import type { Workspace } from './workspace.js';

/** The text to show for a place, as Markdown. */
export interface Hover {
  readonly text: string;
  readonly span: Span;
}

/** The meaning of the name at a place, and the events of an instruction; undefined if there is neither. */
export function hoverAt(
  path: string,
  offset: number,
  workspace: Workspace,
  client?: Client,
): Hover | undefined {
  const source = workspace.source(path);
  if (source === undefined) return undefined;
  // The words of C are its own.
  const token = (isC(path) ? [] : lexemesOf(source)).find(
    ({ span, type }) => type !== 'comment' && touches(span, offset),
  );
  const call =
    client?.test.ok === true ? callAt(client.test.value.program, path, offset) : undefined;
  const definitions = definitionsAt(path, offset, workspace);
  const parts = [
    ...definitions.map((one) => definitionText(one, workspace)),
    ...(call === undefined ? [] : [fenced(call.text)]),
  ];
  if (token !== undefined && languageOf(path) === 'cat') {
    if (parts.length === 0) parts.push(...baseText(token.value));
    parts.push(...machineAt(path, offset, token.value, workspace));
  }
  const span = token?.span ?? call?.span;
  return parts.length === 0 || span === undefined ? undefined : { text: parts.join('\n\n'), span };
}

/** How many lines of a definition are shown. */
const LINES = 16;

function definitionText(definition: NameDefinition, workspace: Workspace): string {
  const { kind, name, whole, words } = definition;
  const source = workspace.source(whole.file);
  if (kind === 'file') {
    const [item] = workspace.tree(whole.file, 'cat')?.items ?? [];
    const title = item?.kind === 'library' ? item.title : workspace.tree(whole.file, 'cat')?.title;
    return `${workspace.files.paths.basename(whole.file)}${title === undefined ? '' : `: ${title}`}`;
  }
  const said = words === undefined ? '' : `\n\n${about(definition)}`;
  const lines = (source?.text.slice(whole.start, whole.end) ?? '').split('\n');
  const shown = lines.length > LINES ? [...lines.slice(0, LINES), '…'] : lines;
  return `${name.text} is ${aKind(kind)}${said}\n\n${fenced(shown.join('\n'))}`;
}

/** Doc comments of relations are about an edge: from one event to "the other". */
const about = ({ kind, words = '' }: NameDefinition): string =>
  kind === 'relation' || kind === 'guess' ? `An event that is related *${words}*.` : `*${words}*`;

const fenced = (text: string): string => `\`\`\`\n${text.trimEnd()}\n\`\`\``;

function baseText(name: string): readonly string[] {
  const words = BASE_WORDS.get(BASE_ALIASES.get(name) ?? name);
  return words === undefined
    ? []
    : [`${name} is a relation that every model has\n\nAn event that is related *${words}*.`];
}

/** The index of the query at a place: on its condition, or on the lines below it. */
export function queryAt(
  queries: readonly Query[],
  path: string,
  offset: number,
): number | undefined {
  const index = queries.findIndex(
    ({ span, expectations, observations }) =>
      span.file === path &&
      [{ span }, ...expectations, ...observations].some((part) => touches(part.span, offset)),
  );
  return index < 0 ? undefined : index;
}
