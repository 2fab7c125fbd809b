import { LITMUS_KEYWORDS } from '../parse/keywords.js';
import { INSTRUCTION_STARTS, keywords, libraries, methods } from './completion.js';
import type { Completion } from './completion.js';
import { openBrackets } from './cursor.js';
import type { Cursor } from './cursor.js';
import type { Workspace } from './workspace.js';

const ITEMS_OF_IMPLEMENTATIONS = ['for', 'implements', 'node', 'note', 'parameter', 'source'];

/** The completions at a place of an implementation. */
export function inImplementation(
  place: Cursor,
  path: string,
  workspace: Workspace,
): readonly Completion[] {
  if (place.inside === 'string') return [];
  if (/\b(implements|over)\s+(?:[\w-]+\s*,\s*)*[\w-]*$/.test(place.before))
    return libraries(workspace);
  const file = workspace.tree(path, 'implementation');
  const member = /([A-Za-z_]\w*)\.\w*$/.exec(place.before);
  if (member !== null) return methods(member[1], file?.over ?? [], path, workspace);
  if (openBrackets(place.tokens).length === 0) return keywords(ITEMS_OF_IMPLEMENTATIONS);
  const idents = place.all.filter(({ type, value }) => type === 'ident' && !isKeyword(value));
  return [
    ...(file?.over ?? []).map(({ text }): Completion => ({ label: text, kind: 'library' })),
    ...idents.map(({ value }): Completion => ({ label: value, kind: 'register' })),
    ...keywords([...INSTRUCTION_STARTS, 'for', 'return', 'here', 'me']),
  ];
}

const isKeyword = (name: string): boolean => LITMUS_KEYWORDS.some((word) => word === name);
