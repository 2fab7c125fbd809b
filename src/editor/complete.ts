import { isC } from '../program/read.js';
import { inHead } from './complete-head.js';
import { inImplementation } from './complete-implementation.js';
import { inModel } from './complete-model.js';
import { inTest } from './complete-test.js';
import type { Completion } from './completion.js';
import { cursorAt } from './cursor.js';
import { languageOf } from './language.js';
import type { Workspace } from './workspace.js';

/** The completions at a place. The caller selects those that fit the letters before the cursor. */
export function completionsAt(
  path: string,
  offset: number,
  workspace: Workspace,
): readonly Completion[] {
  const source = workspace.source(path);
  if (source === undefined) return [];
  if (isC(path)) return distinct(inHead(source, offset, workspace));
  const place = cursorAt(source, offset);
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

/** The first completion of each name, sorted by name. */
function distinct(all: readonly Completion[]): readonly Completion[] {
  const byName = new Map<string, Completion>();
  for (const one of all) if (!byName.has(one.label)) byName.set(one.label, one);
  return [...byName.values()].sort((a, b) => (a.label < b.label ? -1 : 1));
}
