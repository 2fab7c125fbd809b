import type { SourceFile } from '../parse/diagnostics/index.js';
import { ITEMS_OF_LITMUS, inTest, locations, nodes } from './complete-test.js';
import { keywords } from './completion.js';
import type { Completion } from './completion.js';
import { cursorAt, openBrackets } from './cursor.js';
import { headIn } from './head.js';
import type { Workspace } from './workspace.js';

/** What items of heads begin with besides. */
const ITEMS_OF_HEADS = ['call', 'await', 'api', 'sq_sig_all'];

/** The completions at a place in the head of a C file; elsewhere in it, there are none. */
export function inHead(
  source: SourceFile,
  offset: number,
  workspace: Workspace,
): readonly Completion[] {
  const file = headIn(source);
  if (file === undefined || offset <= file.words.start || offset >= file.words.end) return [];
  const { litmus } = file.head;
  const place = cursorAt({ ...source, text: file.words.quiet }, offset);
  if (/=>[^;{}]*$/.test(place.before)) return [...nodes(litmus), ...locations(litmus)];
  const open = openBrackets(place.tokens);
  // What is bound is an expression of C.
  if (open.some(({ bracket }) => bracket.type === 'lbrace')) return [];
  const found = inTest(place, source.path, workspace, litmus);
  const isItem = found.some(({ label }) => label === ITEMS_OF_LITMUS[0]);
  return isItem ? [...found, ...keywords(ITEMS_OF_HEADS)] : found;
}
